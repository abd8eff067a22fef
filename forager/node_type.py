"""What a node type tells about itself."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, JsonValue

from forager.domain.state import State, Update
from forager.errors import NodeError
from forager.ports import Task

KEYS_GIVEN = frozenset({"question", "state_version", "past", "spend"})
"""The state keys that stand there before the first node runs."""


@dataclass(frozen=True, kw_only=True)
class NodeType:
    """An entry of the registry and of the editor's palette.

    `reads` must have been written before on every path, `looks` may still be empty; `modes` names
    what of it must be there in a mode. `spent` is the route that the node takes once its budget is
    spent; a node without one ends no loop. `counts` names, by route, the key that must be written
    before the node runs again, because its budget is counted by that. `tasks` are what it asks a
    model; `own` is the file of a type that does not ship with Forager.
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
    tasks: tuple[type[Task[Any]], ...] = ()
    own: str = ""

    @property
    def default_prompts(self) -> dict[str, str]:
        """The instructions that ship with the node, by the name of the task."""
        return {task.__name__: task.PROMPT for task in self.tasks}

    def required_keys(self, params: Mapping[str, JsonValue]) -> frozenset[str]:
        """The keys that must have been written before a node with these parameters."""
        default = self.params.model_fields.get("mode")
        mode = params.get("mode", default.default if default else "")
        return self.reads | self.modes.get(str(mode), frozenset())

    @property
    def ends_loops(self) -> bool:
        """Does it end a loop when its budget is spent?"""
        return bool(self.spent)


def state_keys(names: str) -> frozenset[str]:
    """State keys, from their names with spaces between them."""
    return frozenset(names.split())


def next_route(state: State) -> str:
    """The only route of a node that goes on."""
    return "next"


def end_route(state: State) -> str:
    """The only route of the last node."""
    return "end"


Registry = Mapping[str, NodeType]


class LoadedRegistry(dict[str, NodeType]):
    """A registry that types of one's own were read into; `faults` tell which could not be."""

    def __init__(self, types: Registry, faults: tuple[NodeError, ...] = ()) -> None:
        super().__init__(types)
        self.faults = faults
