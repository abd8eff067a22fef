"""Node types: what each declares about itself."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel, JsonValue, ValidationError

from forager.domain.state import State, Update
from forager.errors import NodeError
from forager.ports import Task

KEYS_GIVEN = frozenset({"question", "state_version", "past", "spend"})
"""The state keys that are set before the first node runs."""


@dataclass(frozen=True, kw_only=True)
class ParamFault:
    """A fault of parameters whose types are right; `param` names the wrong one.

    An error keeps the graph from running. `value`, if set, is a value that mends it, and `label`
    describes that. A fault `by_value` is none if the value comes from a parameter of the graph,
    which may have another one in the next run.
    """

    param: str
    message: str
    mend: str = ""
    severity: Literal["error", "warning"] = "error"
    value: JsonValue = None
    label: str = ""
    by_value: bool = False


def _same_for_all(params: BaseModel) -> Mapping[str, Any]:
    return {}


def _no_faults(params: BaseModel) -> Iterable[ParamFault]:
    return ()


@dataclass(frozen=True, kw_only=True)
class NodeType:
    """An entry of the registry and of the graph editor's palette.

    State keys: `reads` must be written on every path to the node; `looks` may be empty, except for
    those that `modes` requires for a value of the parameter `mode`; `writes` are returned by the
    node. `route` chooses one of `routes` from the state. `spent` is the route taken once the node's
    budget is spent; a node without one cannot end a loop. `counts` names for each route the key
    that must be written before the node runs again, since its budget is counted by that key; `fed`
    the key that some path must write before the node, since it takes the route only with it or, if
    it has no other, does nothing of use without it. `enough` is the route of a judge on which what
    was found suffices, so that it leads on to the answer; on the others the work goes on.
    `tasks` are the tasks it gives to a model; `own` is the file of a user's node type. An
    `abortable` node may be cancelled at any time, to run again from its top when it is resumed.

    Where fields such as `routes`, `route` and `looks` depend on a node's parameters, `by_params`
    returns those fields. `faults` checks parameters beyond their types, and `conditions` names the
    parameters that are lists of conditions, in which `$name` may stand.
    """

    name: str
    family: str
    summary: str
    function: Callable[..., Awaitable[Update]]
    params: type[BaseModel]
    routes: tuple[str, ...]
    route: Callable[[State], str]
    reads: frozenset[str] = frozenset()
    looks: frozenset[str] = frozenset()
    modes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    writes: frozenset[str] = frozenset()
    spent: str = ""
    counts: Mapping[str, str] = field(default_factory=dict)
    fed: Mapping[str, str] = field(default_factory=dict)
    enough: str = ""
    tasks: tuple[type[Task[Any]], ...] = ()
    own: str = ""
    abortable: bool = False
    by_params: Callable[[Any], Mapping[str, Any]] = _same_for_all
    faults: Callable[[Any], Iterable[ParamFault]] = _no_faults
    conditions: frozenset[str] = frozenset()

    @property
    def default_prompts(self) -> dict[str, str]:
        """The node's default prompts, by the name of the task."""
        return {task.__name__: task.PROMPT for task in self.tasks}

    @property
    def varies(self) -> bool:
        """Do its routes or other fields depend on a node's parameters?"""
        return self.by_params is not _same_for_all

    def for_params(self, params: Mapping[str, JsonValue]) -> "NodeType":
        """The type as it is for a node with these parameters; unchanged if they are not valid."""
        try:
            fields = self.by_params(self.params.model_validate(params))
        except ValidationError:
            return self
        return replace(self, **fields) if fields else self

    def required_keys(self, params: Mapping[str, JsonValue]) -> frozenset[str]:
        """The keys that must be written before a node with these parameters runs."""
        default = self.params.model_fields.get("mode")
        mode = params.get("mode", default.default if default else "")
        return self.reads | self.modes.get(str(mode), frozenset())

    @property
    def only_decides(self) -> bool:
        """Is it there for its routes alone: a judge that writes no more than its verdict?"""
        return self.family == "judge" and len(self.routes) > 1 and self.writes <= {"verdict"}

    @property
    def ends_loops(self) -> bool:
        """Does the node end a loop when its budget is spent?"""
        return bool(self.spent)


def state_keys(names: str) -> frozenset[str]:
    """Parse state keys from a text, separated by spaces."""
    return frozenset(names.split())


def next_route(state: State) -> str:
    """The route function of nodes with the single route `next`."""
    return "next"


def end_route(state: State) -> str:
    """The route function of nodes that end the graph."""
    return "end"


Registry = Mapping[str, NodeType]


class LoadedRegistry(dict[str, NodeType]):
    """A registry including the user's node types; `faults` are those that could not be loaded."""

    def __init__(self, types: Registry, faults: tuple[NodeError, ...] = ()) -> None:
        super().__init__(types)
        self.faults = faults
