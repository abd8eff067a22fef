"""The position of a thread: the nodes that run next, in its graph and in the graphs inside it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from forager.adapters.store.checkpoints.lineage import CheckpointRow, Lineage
from forager.adapters.store.checkpoints.pending_writes import (
    SPECIAL_CHANNELS,
    PendingWrite,
    PendingWrites,
)
from forager.domain.base import Frozen
from forager.errors import SessionError
from forager.node_type import KEYS_GIVEN
from graphs.runtime.branches import JoiningState
from graphs.runtime.compile import joint_name, langgraph_name, langgraph_names
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import GraphSpec

BRANCH_CHANNEL = "branch:to:"
"""The prefix of LangGraph's channel for a node that runs next; the node's name follows."""
SENDS_CHANNEL = "__pregel_tasks"
"""LangGraph's channel of the nodes that run once per drawn arm."""
INPUT_CHANNEL = "__start__"
STATE_CHANNELS = frozenset(JoiningState.__dataclass_fields__)


class Position(Frozen):
    """A node that runs next; for a graph that has begun, also the position of each branch in it.

    `branch` and `row` name the checkpoint, `written` the state's keys written by then. `many` is
    true where the node runs once per drawn arm, `joint` where all these branches have ended and are
    joined next. `taken` is false where the step before is written but not yet taken over; `whole`
    is true where some of the branches have not begun.
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
"""A position and those around it, outermost first."""


class BranchCheckpoint(NamedTuple):
    """A checkpoint of a thread or of a branch, and the position in which that branch began."""

    row: CheckpointRow
    branch: str = ""
    around: Position | None = None


def position_chains(position: Position) -> Iterator[PositionChain]:
    """The chain of each position where something runs next."""
    if position.whole:
        yield (position,)
    for inner in position.inner:
        for deeper in position_chains(inner):
            yield (position, *deeper)


async def waiting_nodes(places: PendingWrites, thread: str, seen: ResolvedGraph) -> tuple[str, ...]:
    """The paths of the nodes that run next, such as walk/act. Raises SessionError."""
    rows = await places.read_rows(thread)
    position = (
        await find_position(places, thread, seen, BranchCheckpoint(rows[-1])) if rows else None
    )
    chains = position_chains(position) if position else ()
    return tuple(dict.fromkeys("/".join(chain[-1].path) for chain in chains))


async def next_nodes(
    lineage: Lineage,
    own: str,
    rows: Iterable[CheckpointRow],
    names: Mapping[str, str],
    branch: str = "",
) -> dict[str, tuple[str, ...]]:
    """The nodes to run after each checkpoint, by its id; `names` maps LangGraph's names to ours."""
    open = await lineage.kept_channels(own, BRANCH_CHANNEL, branch)
    result: dict[str, tuple[str, ...]] = {}
    for row in rows:
        versions = row.checkpoint["channel_versions"]
        nexts = [
            names.get(channel.removeprefix(BRANCH_CHANNEL), channel.removeprefix(BRANCH_CHANNEL))
            for channel, version in versions.items()
            if (channel, version) in open
        ]
        if SENDS_CHANNEL in versions and not nexts:
            sent = await lineage.read_values(own, {SENDS_CHANNEL: versions[SENDS_CHANNEL]}, branch)
            nexts = [names.get(each.node, each.node) for each in sent.get(SENDS_CHANNEL, ())]
        result[row.id] = tuple(nexts)
    return result


async def find_position(
    places: PendingWrites, thread: str, seen: ResolvedGraph, at: BranchCheckpoint
) -> Position | None:
    """The position of the thread, or of a branch of it, at a checkpoint; None at its end.

    Raises SessionError where the next node is in no graph.
    """
    row, branch, around = at
    names = langgraph_names(seen.spec)
    nexts = (await next_nodes(places, thread, (row,), names, branch))[row.id]
    written = await places.written_after(thread, row.id, branch)
    done = {each.task for each in written if each.channel not in SPECIAL_CHANNELS}
    taken = not nexts or len(done) < len(nexts)
    joint = bool(nexts) and await _waits_at_joint(places, thread, row, seen.spec, branch)
    if not taken:
        nexts, joint = _written_targets(written, names), _leads_to_joint(written, seen.spec)
    if not nexts:
        return None
    name, above = nexts[0], around.path if around else ()
    position = Position(
        path=(*above, name),
        branch=branch,
        row=row.id,
        written=KEYS_GIVEN | _written_keys(row) | (around.written if around else frozenset()),
        many=seen.runs_in_branches(name) and not joint,
        joint=joint,
        taken=taken,
    )
    if name not in seen.spec.nodes:
        raise SessionError(
            f"The session waits at the node {'/'.join(position.path)!r}, which is in no graph.",
            "Go back to an earlier step: forager history",
        )
    if name not in seen.inner or joint or not taken:
        return position
    begun = await _begun_branches(places, thread, row, branch, langgraph_name(name))
    inner = [
        await find_position(
            places, thread, seen.inner[name], BranchCheckpoint(last, each, position)
        )
        for each, last in begun.items()
    ]
    whole = len(nexts) > len(done) + sum(each is not None for each in inner)
    under_way = tuple(each for each in inner if each)
    return position.model_copy(update={"inner": under_way, "whole": whole})


async def refuse_lost_keys(places: PendingWrites, thread: str, seen: ResolvedGraph) -> None:
    """Raise SessionError where a run from the newest checkpoint would lose a key or a node."""
    row = (await places.read_rows(thread))[-1]
    refuse_unknown_keys(row)
    await find_position(places, thread, seen, BranchCheckpoint(row))


def refuse_unknown_keys(row: CheckpointRow) -> None:
    """Raise SessionError where a checkpoint holds a key that the state does not have.

    LangGraph would drop it without a word.
    """
    channels = row.checkpoint["channel_versions"]
    strange = [each for each in channels if each not in STATE_CHANNELS and ":" not in each]
    if strange := sorted(each for each in strange if not each.startswith("__")):
        raise SessionError(
            f"The session holds {', '.join(map(repr, strange))}, unknown to this Forager.",
            "Resume it with the Forager that began it, or ask its question again.",
        )


def _written_keys(row: CheckpointRow) -> frozenset[str]:
    """The state's keys that were written since the input."""
    versions = row.checkpoint["channel_versions"]
    first = versions.get(INPUT_CHANNEL)
    return frozenset(
        key for key, each in versions.items() if key in STATE_CHANNELS and each != first
    )


def _written_targets(
    written: tuple[PendingWrite, ...], names: Mapping[str, str]
) -> tuple[str, ...]:
    """The nodes to which the results of a finished step lead."""
    targets = [
        each.channel.removeprefix(BRANCH_CHANNEL)
        for each in written
        if each.channel.startswith(BRANCH_CHANNEL)
    ]
    sent = [each.value.node for each in written if each.channel == SENDS_CHANNEL]
    return tuple(names.get(name, name) for name in (*targets, *sent))


def _joint_channels(spec: GraphSpec) -> set[str]:
    return {f"{BRANCH_CHANNEL}{joint_name(node)}" for node in spec.nodes}


def _leads_to_joint(written: tuple[PendingWrite, ...], spec: GraphSpec) -> bool:
    joints = _joint_channels(spec)
    return any(each.channel in joints for each in written)


async def _waits_at_joint(
    places: PendingWrites, thread: str, row: CheckpointRow, spec: GraphSpec, branch: str
) -> bool:
    """Whether the branches have ended, so that their results are joined next."""
    versions = row.checkpoint["channel_versions"]
    open = await places.kept_channels(thread, BRANCH_CHANNEL, branch)
    return any((each, versions[each]) in open for each in _joint_channels(spec) if each in versions)


async def _begun_branches(
    places: PendingWrites, thread: str, row: CheckpointRow, branch: str, node: str
) -> dict[str, CheckpointRow]:
    """The branches through an inner graph that began at a checkpoint and have done something.

    Each with its newest checkpoint.
    """
    prefix = f"{branch}|{node}:" if branch else f"{node}:"
    found: dict[str, CheckpointRow] = {}
    for each, rows in (await places.read_branches(thread)).items():
        own = each.startswith(prefix) and "|" not in each.removeprefix(prefix)
        last = rows[-1] if rows else None
        if not own or last is None or last.metadata.get("source") == "input":
            continue
        if last.metadata.get("parents", {}).get(branch) == row.id:
            found[each] = last
    return found
