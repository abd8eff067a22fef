"""The checkpoints of a turn as a list to choose from: which nodes ran, which come next."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forager.adapters.store.checkpoints.lineage import CheckpointRow, Lineage, line_of_descent
from forager.adapters.store.checkpoints.value_pieces import ChannelVersion
from forager.adapters.store.sessions.session_store import Session, thread_of
from forager.domain.base import Frozen
from forager.domain.spend import Spend
from forager.domain.state import Question
from forager.errors import SessionError
from graphs.reports.changes import Change, new_values, state_changes
from graphs.reports.events import EventData, describe_update, event_outcome, shorten
from graphs.runtime.compile import langgraph_names
from graphs.runtime.position import next_nodes
from graphs.sessions.context import SessionContext
from graphs.spec.spec import END, graph_of


class HistoryPoint(Frozen):
    """A checkpoint: `number` counts from 1 within its turn, `time` is in seconds since the epoch.

    `ran` are the nodes whose results it holds, `next` the nodes to run after it (`end`: none).
    `source` is `loop`, `update` where a stopped run was answered, `fork` where the session went
    back. `outcome` is the verdict of a node, the end of a visit or of the run, in its own word.
    `seconds` are those of work until then. `on_path` is true on the way to the newest checkpoint
    (`current`), false on side branches.
    """

    number: int
    id: str
    parent: str
    time: float
    ran: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    source: str = "loop"
    message: str = ""
    outcome: str = ""
    seconds: float = 0.0
    current: bool = False
    on_path: bool = True


@dataclass(frozen=True)
class History:
    """Reads the checkpoints of sessions."""

    context: SessionContext

    async def checkpoints(self, id: str, turn: int | None = None) -> tuple[HistoryPoint, ...]:
        """The checkpoints of the present turn or an earlier one, oldest first.

        Raises SessionError for an unknown session or turn.
        """
        session = await self.context.get_session(id)
        return await list_points(await self.context.lineage(), session, turn_thread(session, turn))

    async def diff(
        self, id: str, checkpoint: int | str, turn: int | None = None
    ) -> tuple[Change, ...]:
        """How a checkpoint (number or id) changed the state of its parent.

        Raises SessionError when there is no such checkpoint.
        """
        session = await self.context.get_session(id)
        own = turn_thread(session, turn)
        lineage = await self.context.lineage()
        rows = await lineage.read_rows(own)
        row = find_row(rows, checkpoint, session.id)
        before = next((each for each in rows if each.id == row.parent), None)
        return state_changes(
            await _row_values(lineage, own, before), await _row_values(lineage, own, row)
        )


def turn_thread(session: Session, turn: int | None) -> str:
    """The thread of the given turn, or of the present one. Raises SessionError."""
    if turn is not None and not 1 <= turn <= session.turn:
        raise SessionError(
            f"Session {session.id!r} has no turn {turn}.", f"Its turns are 1 to {session.turn}."
        )
    return thread_of(session.id, turn or session.turn)


def find_row(rows: tuple[CheckpointRow, ...], checkpoint: int | str, session: str) -> CheckpointRow:
    """The checkpoint with this number or id. Raises SessionError."""
    steps = without_input(rows)
    if isinstance(checkpoint, int) and 1 <= checkpoint <= len(steps):
        return steps[checkpoint - 1]
    for row in steps:
        if row.id == checkpoint:
            return row
    named = checkpoint if isinstance(checkpoint, int) else repr(checkpoint)
    raise SessionError(
        f"Session {session!r} has no step {named}.",
        f"It has {len(steps)} steps; list them with: forager history {session}",
    )


def without_input(rows: tuple[CheckpointRow, ...]) -> tuple[CheckpointRow, ...]:
    """The checkpoints that hold a state: all but those of the input."""
    return tuple(row for row in rows if row.metadata.get("source") != "input")


async def list_points(lineage: Lineage, session: Session, own: str) -> tuple[HistoryPoint, ...]:
    """The checkpoints of the thread `own`, oldest first."""
    rows = without_input(await lineage.read_rows(own))
    if not rows:
        return ()
    names = langgraph_names(graph_of(session))
    onwards = await next_nodes(lineage, own, rows, names)
    path = {row.id for row in line_of_descent(rows)}
    by_id = {row.id: row for row in rows}
    kept = await lineage.read_versions(own, _described_pairs(rows, by_id))
    result: list[HistoryPoint] = []
    for number, row in enumerate(rows, 1):
        parent = by_id.get(row.parent)
        source = row.metadata.get("source", "loop")
        message, data = _describe_writes(row, parent, kept)
        result.append(
            HistoryPoint(
                number=number,
                id=row.id,
                parent=parent.id if parent else "",
                time=row_time(row),
                ran=nodes_run_at(row, parent, onwards, names),
                next=onwards[row.id] or (END,),
                source=source,
                message=message,
                outcome=event_outcome(data),
                seconds=_seconds_booked(row, kept),
                current=row is rows[-1],
                on_path=row.id in path,
            )
        )
    return tuple(result)


def _seconds_booked(row: CheckpointRow, kept: Mapping[ChannelVersion, Any]) -> float:
    spend = row.pick_values(("spend",), kept).get("spend")
    return round(spend.seconds, 2) if isinstance(spend, Spend) else 0.0


def row_time(row: CheckpointRow) -> float:
    """When the checkpoint was written, in seconds since the epoch."""
    return datetime.fromisoformat(row.checkpoint["ts"]).timestamp()


def nodes_run_at(
    row: CheckpointRow,
    parent: CheckpointRow | None,
    onwards: Mapping[str, tuple[str, ...]],
    names: Mapping[str, str],
) -> tuple[str, ...]:
    """The nodes whose results a checkpoint holds.

    `onwards` gives the nodes to run after each checkpoint, `names` the nodes by LangGraph's names.
    """
    if parent is None or row.metadata.get("source") == "fork":
        return ()
    if row.metadata.get("source") == "loop":
        return onwards[parent.id]
    before, seen = parent.checkpoint["versions_seen"], row.checkpoint["versions_seen"]
    return tuple(names[node] for node in seen if node in names and seen[node] != before.get(node))


def _describe_writes(
    row: CheckpointRow, parent: CheckpointRow | None, kept: Mapping[ChannelVersion, Any]
) -> tuple[str, EventData]:
    """What a checkpoint adds to its parent, in one line, and the figures."""
    if parent is not None and row.metadata.get("source") == "fork":
        return "went back to here", {}
    if parent is None:
        question = row.pick_values(("question",), kept).get("question")
        return shorten(question.text) if isinstance(question, Question) else "", {}
    written = _written_channels(row, parent)
    return describe_update(
        new_values(parent.pick_values(written, kept), row.pick_values(written, kept))
    )


def _described_pairs(
    rows: Iterable[CheckpointRow], by_id: Mapping[str, CheckpointRow]
) -> set[ChannelVersion]:
    """The channel versions that the descriptions of these checkpoints need."""
    wanted: set[ChannelVersion] = set()
    for row in rows:
        parent = by_id.get(row.parent)
        channels = [*(_written_channels(row, parent) if parent else ["question"]), "spend"]
        for each in (row, parent):
            wanted.update(each.channel_versions(channels) if each else ())
    return wanted


def _written_channels(row: CheckpointRow, parent: CheckpointRow) -> list[str]:
    then, now = parent.checkpoint["channel_versions"], row.checkpoint["channel_versions"]
    return [channel for channel in now if now[channel] != then.get(channel)]


async def _row_values(lineage: Lineage, own: str, row: CheckpointRow | None) -> dict[str, Any]:
    if row is None:
        return {}
    return await lineage.read_values(own, row.checkpoint["channel_versions"])
