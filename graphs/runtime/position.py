"""Where a thread stands: the nodes that run next, in its graph and in the graphs inside it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from forager.adapters.store.checkpoints.lineage import Lineage, Row
from forager.adapters.store.checkpoints.pending_writes import SPECIAL, Places, Written
from forager.domain.base import Frozen
from forager.errors import SessionError
from forager.node_type import KEYS_GIVEN
from graphs.runtime.branches import JoiningState
from graphs.runtime.compile import joint_name, langgraph_name, langgraph_names
from graphs.spec.resolved_graph import View
from graphs.spec.spec import GraphSpec

BRANCH_CHANNEL = "branch:to:"


SENDS_CHANNEL = "__pregel_tasks"


INPUT_CHANNEL = "__start__"


async def next_nodes(
    lineage: Lineage, own: str, rows: Iterable[Row], names: Mapping[str, str], branch: str = ""
) -> dict[str, tuple[str, ...]]:
    """The nodes that were to run after each checkpoint."""
    open = await lineage.kept(own, BRANCH_CHANNEL, branch)
    result: dict[str, tuple[str, ...]] = {}
    for row in rows:
        versions = row.checkpoint["channel_versions"]
        nexts = [
            names.get(channel.removeprefix(BRANCH_CHANNEL), channel.removeprefix(BRANCH_CHANNEL))
            for channel, version in versions.items()
            if (channel, version) in open
        ]
        if SENDS_CHANNEL in versions and not nexts:
            sent = await lineage.values(own, {SENDS_CHANNEL: versions[SENDS_CHANNEL]}, branch)
            nexts = [names.get(each.node, each.node) for each in sent.get(SENDS_CHANNEL, ())]
        result[row.id] = tuple(nexts)
    return result


BEGIN = "__start__"
STATE_CHANNELS = frozenset(JoiningState.__dataclass_fields__)


class Position(Frozen):
    """A node that runs next, and in a graph that is under way where each walk in it stands.

    `branch` and `row` are the checkpoint's; `written` are the state's keys that nodes have written.
    `many` says that it runs once per drawn arm; `joint` that all of these have ended, and what they
    found is taken over next; `taken` is False where the step that leads to it is written and not
    yet taken over, and `whole` where some of the walks have not begun.
    """

    path: tuple[str, ...]
    branch: str
    row: str
    written: frozenset[str]
    many: bool = False
    joint: bool = False
    taken: bool = True
    whole: bool = True
    inner: tuple["Position", ...] = ()


PositionChain = tuple[Position, ...]
"""A place and those around it, from the outermost in."""


def position_chains(place: Position) -> Iterator[PositionChain]:
    """The places where something runs next, each in those around it."""
    if place.whole:
        yield (place,)
    for inner in place.inner:
        for deeper in position_chains(inner):
            yield (place, *deeper)


class BranchCheckpoint(NamedTuple):
    """A checkpoint of a thread or of a branch of it, and the place in which that branch began."""

    row: Row
    branch: str = ""
    around: Position | None = None


async def find_position(
    places: Places, thread: str, seen: View, spot: BranchCheckpoint
) -> Position | None:
    """Where the thread, or a branch of it, stands at a checkpoint; None at its end.

    Raises SessionError where it holds what nothing here knows.
    """
    row, branch, around = spot
    names = langgraph_names(seen.spec)
    nexts = (await next_nodes(places, thread, (row,), names, branch))[row.id]
    written = await places.written(thread, row.id, branch)
    done = {each.task for each in written if each.channel not in SPECIAL}
    taken = not nexts or len(done) < len(nexts)
    joint = bool(nexts) and await _waits_at_joint(places, thread, row, seen.spec, branch)
    if not taken:
        nexts, joint = _written_targets(written, names), _leads_to_joint(written, seen.spec)
    if not nexts:
        return None
    name, above = nexts[0], around.path if around else ()
    place = Position(
        path=(*above, name),
        branch=branch,
        row=row.id,
        written=KEYS_GIVEN | _written_keys(row) | (around.written if around else frozenset()),
        many=seen.fanned(name) and not joint,
        joint=joint,
        taken=taken,
    )
    if name not in seen.spec.nodes:
        raise SessionError(
            f"The session waits at {'/'.join(place.path)!r}, which is in no graph.",
            "Go back to an earlier step: forager history",
        )
    if name not in seen.inner or joint or not taken:
        return place
    begun = await _begun_branches(places, thread, row, branch, langgraph_name(name))
    inner = [
        await find_position(places, thread, seen.inner[name], BranchCheckpoint(last, each, place))
        for each, last in begun.items()
    ]
    whole = len(nexts) > len(done) + sum(each is not None for each in inner)
    walks = tuple(each for each in inner if each)
    return place.model_copy(update={"inner": walks, "whole": whole})


async def refuse_lost_keys(places: Places, thread: str, seen: View) -> None:
    """Raise SessionError where a run from the newest checkpoint would lose a key, or end unseen."""
    row = (await places.rows(thread))[-1]
    refuse_unknown_keys(row)
    await find_position(places, thread, seen, BranchCheckpoint(row))


def refuse_unknown_keys(row: Row) -> None:
    """Raise SessionError where a checkpoint holds a key that the state has not: it would be lost.

    LangGraph passes over it in silence.
    """
    channels = row.checkpoint["channel_versions"]
    strange = [each for each in channels if each not in STATE_CHANNELS and ":" not in each]
    if strange := sorted(each for each in strange if not each.startswith("__")):
        raise SessionError(
            f"The session holds {', '.join(map(repr, strange))}, which this Forager does not know.",
            "Resume it with the Forager that it was begun with, or ask its question anew.",
        )


def _written_keys(row: Row) -> frozenset[str]:
    """The state's keys that were written since it was handed in."""
    versions = row.checkpoint["channel_versions"]
    first = versions.get(BEGIN)
    return frozenset(
        key for key, each in versions.items() if key in STATE_CHANNELS and each != first
    )


def _written_targets(written: tuple[Written, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """The nodes that the results of a finished step lead to."""
    ways = [
        each.channel.removeprefix(BRANCH_CHANNEL)
        for each in written
        if each.channel.startswith(BRANCH_CHANNEL)
    ]
    sent = [each.value.node for each in written if each.channel == SENDS_CHANNEL]
    return tuple(names.get(name, name) for name in (*ways, *sent))


def _leads_to_joint(written: tuple[Written, ...], spec: GraphSpec) -> bool:
    joints = {f"{BRANCH_CHANNEL}{joint_name(node)}" for node in spec.nodes}
    return any(each.channel in joints for each in written)


async def _waits_at_joint(
    places: Places, thread: str, row: Row, spec: GraphSpec, branch: str
) -> bool:
    """Have the branches ended, so that what they have found is taken over next?"""
    joints = {f"{BRANCH_CHANNEL}{joint_name(node)}" for node in spec.nodes}
    versions = row.checkpoint["channel_versions"]
    open = await places.kept(thread, BRANCH_CHANNEL, branch)
    return any((each, versions[each]) in open for each in joints if each in versions)


async def _begun_branches(
    places: Places, thread: str, row: Row, branch: str, node: str
) -> dict[str, Row]:
    """The walks through a graph that began at a checkpoint and have done something."""
    prefix = f"{branch}|{node}:" if branch else f"{node}:"
    found: dict[str, Row] = {}
    for each, rows in (await places.branches(thread)).items():
        own = each.startswith(prefix) and "|" not in each.removeprefix(prefix)
        last = rows[-1] if rows else None
        if not own or last is None or last.metadata.get("source") == "input":
            continue
        if last.metadata.get("parents", {}).get(branch) == row.id:
            found[each] = last
    return found
