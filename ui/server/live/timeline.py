"""A run's events as the rows of a timeline: the preparation, each round, and the answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, JsonValue

from graphs.reports.trace import list_node_types
from graphs.sessions.service import Event, Session
from graphs.spec.spec import graph_of
from ui.server.live.run_clock import RunClock
from ui.server.live.step_names import step_name

Outcome = Literal["now", "found", "partial", "nothing", "failed", "asked", "done", "interrupted"]
OUTCOMES: Mapping[str, Outcome] = {
    "adequate": "found",
    "found": "found",
    "partial": "partial",
    "feasible": "nothing",
    "infeasible": "nothing",
    "nothing": "nothing",
    "answered": "found",
    "abstained": "nothing",
    "failed": "failed",
}
"""The outcomes of lessons and answers, as signs."""
ACTOR = "actor"
SURVEYOR = "surveyor"
ANSWERER = "answerer"
OUTSIDE_ROUNDS = frozenset({"interpreter", SURVEYOR, "selector", ANSWERER})
"""Node types whose work belongs to no round."""
WARNED = "Warned"
"""The title of a warning: its kind, as `Timeline` makes it one."""
RUN_KINDS = frozenset({"begun", "resumed", "decided", "warned", "steered", "paused"})


class Row(BaseModel):
    """One node's work, and the `seconds` of the run's work before it began."""

    node: str
    type: str
    text: str = ""
    outcome: Outcome = "now"
    seconds: float = 0.0


class Entry(Row):
    """A row of the timeline; a round has the rows of its nodes. A fork has `taken` some over."""

    title: str
    url: str = ""
    taken: bool = False
    rows: dict[str, Row] = {}


class _Visit(NamedTuple):
    """The row of a round, its number, and the pages that were drawn for it."""

    entry: Entry
    round: str
    urls: Sequence[str]


class Timeline:
    """Turns events, taken in order, into rows."""

    def __init__(self, session: Session) -> None:
        self.types = list_node_types(graph_of(session))
        self.entries: dict[str, Entry] = {}
        self.past: dict[int, dict[str, Entry]] = {}
        """The entries of earlier turns, by their numbers."""
        self.clock = RunClock()
        self._turn = 1
        self._round: Entry | None = None
        self._titles: dict[str, str] = {}
        self._visits: list[_Visit] = []
        self._resumed = False
        """Whether no step has started since the run was resumed."""
        self._survey_left = ""
        """What a survey had mapped that was broken off by a stop."""

    def name_pages(self, titles: Mapping[str, str]) -> None:
        """Name the pages of rounds by their titles, by address; those that are known later, too."""
        self._titles |= titles
        for visit in self._visits:
            names = ", ".join(self._titles.get(url, url) for url in visit.urls)
            visit.entry.title = f"{visit.round} · {names}"

    def take_events(self, events: Iterable[Event]) -> None:
        """Take the events that follow those taken before."""
        for event in events:
            if event.kind == "begun":
                self._begin_turn(event.data.get("turn"))
            elif event.kind == "resumed":
                self._survey_left, self._resumed = "", True
                self._replace_outcome("interrupted", "now")  # it starts again
            elif event.kind == "forked":
                self._take_over()
            elif event.kind == "decided":
                self._replace_outcome("done", "asked")
            self.clock.take_event(event)
            if event.node and event.kind != "warned":
                self._take_node_event(event)
            elif event.message or event.kind in RUN_KINDS:
                self._add_entry(
                    event, Entry(node="", type="", title=event.kind.capitalize()), "done"
                )

    def _begin_turn(self, number: JsonValue) -> None:
        """Start a new timeline; what follows belongs to another question."""
        if isinstance(number, int) and number > self._turn:
            self._end_round()
            self.past[self._turn], self.entries = self.entries, {}
            self._turn, self.clock, self._survey_left = number, RunClock(), ""

    def _take_over(self) -> None:
        """Mark what was done before the fork; what was at work there starts again."""
        self._replace_outcome("interrupted", "now")
        self._resumed = True
        for entry in self.entries.values():
            entry.taken = True

    def _replace_outcome(self, outcome: Outcome, old: Outcome) -> None:
        """Give each row of one outcome another one."""
        rows: list[Row] = [entry for entry in self.entries.values() if entry is not self._round]
        rows += self._round.rows.values() if self._round else ()
        for row in rows:
            if row.outcome == old:
                row.outcome = outcome

    def _take_node_event(self, event: Event) -> None:
        kind = self.types.get(event.node, "")
        row = None if event.kind == "started" else self._running_row(event.node)
        row = row or self._start_row(event, kind)
        row.text = event.message or row.text
        if event.kind in {"started", "progress"}:
            return
        row.outcome = _read_outcome(event)
        if kind == SURVEYOR and self._survey_left and row.outcome == "done":
            row.outcome = "interrupted"
        if isinstance(row, Entry) and kind == "selector" and event.data.get("urls"):
            self._begin_round(event, row)
        elif self._round is not None and kind == "reflector":
            self._round.text, self._round.outcome = row.text, self._judge_round(row.outcome)

    def _judge_round(self, outcome: Outcome) -> Outcome:
        """A round has failed, and not found nothing, if no page of it could be opened."""
        rows = self._round.rows.values() if self._round else ()
        opened = {row.outcome for row in rows if row.type == ACTOR}
        return "failed" if outcome == "nothing" and opened == {"failed"} else outcome

    def _start_row(self, event: Event, kind: str) -> Row:
        if kind == SURVEYOR and (before := self._running_row(event.node)):
            self._survey_left = before.text
            self._drop_entry(before)
        if kind == ANSWERER:  # it is alone: a stop broke off what was at work
            self._replace_outcome("interrupted", "now")
        row = Row(node=event.node, type=kind, seconds=self._seconds_of_work(event))
        if self._round is not None and kind not in OUTSIDE_ROUNDS:
            _drop_repeated(self._round.rows, event.node)
            self._round.rows[_event_key(event)] = row
            return row
        if self._resumed:
            _drop_repeated(self.entries, event.node)
            self._resumed = False
        entry = Entry(**row.model_dump(), title=step_name(event.node))
        self.entries[_event_key(event)] = entry
        self._end_round()
        return entry

    def _drop_entry(self, row: Row) -> None:
        """Drop a row in whose place another one tells of the same work."""
        self.entries = {key: entry for key, entry in self.entries.items() if entry is not row}

    def _begin_round(self, event: Event, entry: Entry) -> None:
        found = event.data["urls"]
        urls = [str(url) for url in found] if isinstance(found, list) else []
        entry.url = urls[0]
        self._visits.append(_Visit(entry, f"{event.data.get('round', 0)}", urls))
        self.name_pages({})
        entry.outcome = "now"
        self._round = entry

    def _end_round(self) -> None:
        """End the round; one that no reflector judged ended because there is enough."""
        if self._round is not None and self._round.outcome == "now":
            last = next(reversed(self._round.rows.values()), self._round)
            self._round.outcome, self._round.text = "done", last.text
        self._round = None

    def _add_entry(self, event: Event, entry: Entry, outcome: Outcome) -> None:
        entry.text, entry.outcome, entry.seconds = (
            event.message,
            outcome,
            self._seconds_of_work(event),
        )
        self.entries[_event_key(event)] = entry

    def warnings(self) -> tuple[str, ...]:
        """What was warned of so far; a report knows it only once the step has ended."""
        return tuple(entry.text for entry in self.entries.values() if entry.title == WARNED)

    def survey_left(self) -> str:
        """How far a survey had come that was left before its end; empty if none was.

        A stop makes a short survey of its own of what was mapped, which breaks that one off.
        """
        if self._survey_left:
            return self._survey_left
        rows = [row for row in self.entries.values() if row.type == SURVEYOR]
        left = [row for row in rows if row.outcome == "now"] or rows[-1:]
        return left[-1].text if left and left[-1].outcome in {"now", "interrupted"} else ""

    def _running_row(self, node: str) -> Row | None:
        return next((row for row in self._running_rows() if row.node == node), None)

    def _running_rows(self) -> Iterator[Row]:
        """The rows of nodes at work, the newest first."""
        rows: list[Row] = [*self.entries.values()]
        if self._round is not None:
            rows += self._round.rows.values()
        return (row for row in reversed(rows) if row.outcome == "now")

    def _seconds_of_work(self, event: Event) -> float:
        return round(self.clock.worked_at(event.time), 2)


def _drop_repeated(rows: dict[str, Row] | dict[str, Entry], node: str) -> None:
    """Drop the newest row of a node if a pause broke it off: the node does it all again."""
    key, row = next(((key, row) for key, row in reversed(rows.items()) if row.node), ("", None))
    if row is not None and row.node == node and row.outcome == "interrupted":
        del rows[key]


def _read_outcome(event: Event) -> Outcome:
    if event.kind == "failed":
        return "failed"
    if event.kind == "asked":
        return "asked"
    if event.data.get("uncertain"):
        return "partial"
    if event.data.get("outcome") == "failed":
        return "failed"
    if event.data.get("route") == "none" and not event.data.get("pages"):
        return "nothing"  # of a survey
    judged = event.data.get("status") or ("alpha" in event.data and event.data.get("outcome"))
    return OUTCOMES.get(str(judged), "done")


def _event_key(event: Event) -> str:
    """A key that sorts in the order of the events."""
    return f"{event.seq:06d}"
