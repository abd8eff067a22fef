"""The state at a step as JSON, and the change of it by hand, which is kept as a fork."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, get_type_hints

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, to_jsonable_python

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.pending_writes import PendingWrites
from forager.domain.base import Frozen
from forager.domain.state import State
from forager.errors import SessionError
from forager.util.suggest import did_you_mean
from graphs.runtime.position import BranchCheckpoint, find_position, position_chains
from graphs.sessions.context import SessionContext
from graphs.sessions.history import find_row, turn_thread
from graphs.spec.resolved_graph import KEYS_MERGED, ResolvedGraph, resolve_types
from graphs.spec.spec import graph_of

FIXED_KEYS = frozenset({"question", "past", "state_version", "spend"})
"""Keys that nobody changes by hand: what was asked, and what was spent."""
NEEDED_TEXTS = {
    "greater_than_equal": "It has to be at least {ge}.",
    "greater_than": "It has to be more than {gt}.",
    "less_than_equal": "It can be {le} at most.",
    "less_than": "It has to be less than {lt}.",
    "literal_error": "It has to be one of {expected}.",
    "missing": "This is missing.",
    "int": "It has to be a whole number.",
    "float": "It has to be a number.",
    "finite": "It has to be a number.",
    "string": "It has to be a text.",
    "bool": "It has to be yes or no.",
    "list": "It has to be a list.",
    "tuple": "It has to be a list.",
    "dict": "It has to be an object.",
    "model": "It has to be an object.",
}
"""What is said of a value that does not fit, by Pydantic's name of the fault or its beginning."""
MAX_NAMED = 8
MAX_LENGTH = 60


class StateValue(Frozen):
    """A key of the state: its value as JSON, and the JSON schema that a new value has to fit."""

    key: str
    value: JsonValue
    expects: dict[str, JsonValue]


class ValueFault(NamedTuple):
    """What does not fit at a place inside a key's value."""

    place: tuple[int | str, ...]
    says: str


class ValuesByHand(NamedTuple):
    """Changed values of the state, and the branch of the thread that they belong to."""

    values: Mapping[str, Any]
    branch: str = ""

    async def put_into(self, lineage: Lineage, thread: str) -> None:
        """Set them in the newest checkpoint of a thread."""
        if self.values:
            await lineage.put_values(thread, self.values, self.branch)


@dataclass(frozen=True)
class StateValues:
    """Shows the state of sessions, to be changed."""

    context: SessionContext

    async def at_step(
        self, id: str, checkpoint: int | str | None = None, turn: int | None = None
    ) -> tuple[StateValue, ...]:
        """The values that can be changed at a step; without one, where the turn is now.

        Raises SessionError for an unknown session, turn or step, and where several branches wait.
        """
        session = await self.context.get_session(id)
        own = turn_thread(session, turn)
        places = PendingWrites(await self.context.checkpoints())
        rows = await places.read_rows(own)
        if checkpoint is None and not rows:
            return ()
        row = rows[-1] if checkpoint is None else find_row(rows, checkpoint, id)
        seen = resolve_types(graph_of(session), self.context.registry)
        _, values = await edited_values(places, own, row.id, seen)
        return tuple(
            StateValue(key=key, value=_as_json(values.get(key, default)), expects=expected(key))
            for key, default in _defaults().items()
        )


async def edited_values(
    places: PendingWrites, thread: str, step: str, seen: ResolvedGraph
) -> tuple[str, Mapping[str, Any]]:
    """The branch whose state counts for what runs next, and its values. Raises SessionError."""
    branch = await _edited_branch(places, thread, step, seen)
    rows = await places.read_rows(thread, branch) if branch else await places.read_rows(thread)
    row = rows[-1] if branch else next(each for each in rows if each.id == step)
    return branch, await places.read_values(thread, row.checkpoint["channel_versions"], branch)


async def _edited_branch(places: PendingWrites, thread: str, step: str, seen: ResolvedGraph) -> str:
    """The branch whose state counts for what runs next: the outer one, unless an inner graph waits.

    Raises SessionError where several branches wait, each with a state of its own.
    """
    rows = await places.read_rows(thread)
    row = next(each for each in rows if each.id == step)
    if row is not rows[-1]:
        return ""  # a fork from an earlier step begins no inner graph
    position = await find_position(places, thread, seen, BranchCheckpoint(row))
    chains = list(position_chains(position)) if position else []
    branches = {chain[-1].branch for chain in chains}
    if len(branches) > 1:
        raise SessionError(
            "Several branches wait here, each with a state of its own.",
            "Go on until they are joined, or choose a step before they began.",
        )
    return next(iter(branches), "")


def read_values(
    values: Mapping[str, JsonValue], kept: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Values of the state's keys from JSON. Raises SessionError, which says what does not fit.

    Members that this version does not know are taken if they are as in the values `kept`, which
    a newer one wrote.
    """
    return {key: _read_value(key, value, kept.get(key)) for key, value in values.items()}


def find_faults(key: str, value: JsonValue) -> tuple[ValueFault, ...]:
    """What of a key's value does not fit, each with its place in the value."""
    try:
        found = _adapter(key).validate_json(json.dumps(value))
    except ValidationError as error:
        return tuple(
            ValueFault(_place_in(value, fault["loc"]), _say_needed(fault))
            for fault in error.errors()
        )
    return tuple(
        ValueFault((at, "id"), "Give each item its own id.") for at, _ in _doubled_ids(key, found)
    )


def _doubled_ids(key: str, items: Any) -> list[tuple[int, str]]:
    """The ids that an earlier item has, each with the place of the later one."""
    ids = [item.id for item in items] if key in KEYS_MERGED else []
    return [(at, id) for at, id in enumerate(ids) if id in ids[:at]]


def _place_in(value: JsonValue, loc: Iterable[int | str]) -> tuple[int | str, ...]:
    """The part of a fault's place that is in the value: unions also name the type they tried."""
    place: list[int | str] = []
    for step in loc:
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
        place.append(step)
    return tuple(place)


@cache
def expected(key: str) -> dict[str, JsonValue]:
    """The JSON schema of a key's value."""
    return _adapter(key).json_schema()


def _read_value(key: str, value: JsonValue, kept: object) -> Any:
    if key in FIXED_KEYS:
        raise SessionError(
            f"{key!r} cannot be changed by hand.",
            "Hints, sites, limits and the model are options of the fork.",
        )
    if key not in _defaults():
        known = did_you_mean(key, _defaults()) or f"Use one of {', '.join(_defaults())}."
        raise SessionError(f"The state has no key {key!r}.", known)
    try:
        found = _adapter(key).validate_json(json.dumps(value))
    except ValidationError as error:
        faults = error.errors()
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise SessionError(f"{_describe_fault(key, faults[0])}{more}", _mend(key)) from error
    there = [each.told for each in _unknown_members(kept, (key,))]
    for member in _unknown_members(found, (key,)):
        if member.told not in there:
            place = ".".join(map(str, member.place))
            raise SessionError(f"{place} is not known.", _mend(key))
    for _, id in _doubled_ids(key, found):
        raise SessionError(f"{key} has two items {id!r}.", "Give each its own id.")
    return found


def _describe_fault(key: str, fault: ErrorDetails) -> str:
    place = ".".join(map(str, (key, *fault["loc"])))
    if fault["type"] == "missing":
        return f"{place} is missing."
    given = json.dumps(to_jsonable_python(fault["input"], fallback=str), ensure_ascii=False)
    short = given if len(given) <= MAX_LENGTH else f"{given[:MAX_LENGTH]}…"
    return f"{place} cannot be {short}: {fault['msg'][0].lower()}{fault['msg'][1:]}."


def _say_needed(fault: ErrorDetails) -> str:
    kind = fault["type"]
    text = NEEDED_TEXTS.get(kind) or NEEDED_TEXTS.get(kind.partition("_")[0])
    given = {
        name: f"{value:g}" if isinstance(value, float) else str(value).replace(" or ", ", ")
        for name, value in fault.get("ctx", {}).items()
    }
    return text.format(**given) if text else f"{fault['msg']}."


def _mend(key: str) -> str:
    """What a value of the key has."""
    schema = expected(key)
    kinds = [schema, *_dicts(schema.get("anyOf"))]
    listed = [each for kind in kinds for each in _dicts([kind.get("items")])]
    for each in (*kinds, *listed):
        named = str(each.get("$ref", "")).rpartition("/")[2]
        definitions = schema.get("$defs")
        body = definitions.get(named) if isinstance(definitions, dict) and named else each
        if isinstance(body, dict) and isinstance(members := body.get("properties"), dict):
            names = list(members)
            more = " …" if len(names) > MAX_NAMED else ""
            what = f"Each item of {key}" if each in listed else f"{key}"
            return f"{what} has {', '.join(names[:MAX_NAMED])}{more}."
    return f"Change {key} as it is shown, and keep the kinds of its values."


def _dicts(value: object) -> list[dict[str, JsonValue]]:
    found = value if isinstance(value, list) else []
    return [each for each in found if isinstance(each, dict)]


class _Member(NamedTuple):
    """A member that the types do not know."""

    place: tuple[int | str, ...]
    value: object

    @property
    def told(self) -> str:
        """The same text for the same member, whichever item of a list it is in."""
        names = [step for step in self.place if isinstance(step, str)]
        return json.dumps([names, to_jsonable_python(self.value, fallback=str)], sort_keys=True)


def _unknown_members(value: object, place: tuple[int | str, ...]) -> Iterator[_Member]:
    """The members that the types do not know; they are kept, but nobody reads them."""
    if isinstance(value, BaseModel):
        extra = value.model_extra or {}
        yield from (_Member((*place, name), each) for name, each in extra.items())
        members: Iterable[tuple[object, object]] = vars(value).items()
    elif isinstance(value, dict):
        members = ((str(name), each) for name, each in value.items())
    else:
        members = enumerate(value) if isinstance(value, tuple) else ()
    for name, member in members:
        step = name if isinstance(name, int) else str(name)
        yield from _unknown_members(member, (*place, step))


def _as_json(value: object) -> Any:
    return to_jsonable_python(value)


@cache
def _adapter(key: str) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(State)[key])


@cache
def _defaults() -> dict[str, Any]:
    """The keys that can be changed by hand, in the state's order, with their defaults."""
    return {
        each.name: each.default if each.default_factory is MISSING else each.default_factory()
        for each in fields(State)
        if each.name not in FIXED_KEYS
    }
