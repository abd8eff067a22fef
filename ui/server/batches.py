"""The batches that this server answers, beside the sessions that run in it."""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.errors import ForagerError, SessionError, UsageError
from forager.settings import Settings
from graphs.cluster.session_runs import run_as_set
from graphs.reports.report import Report
from graphs.sessions.service import Sessions
from graphs.system.batch.batch_files import (
    Line,
    answers_as_csv,
    answers_as_json_lines,
    name_of_batch,
    open_answers,
    read_answers,
)
from graphs.system.batch.batch_pace import BatchCount
from graphs.system.batch.batch_rows import BatchRow
from graphs.system.batch.batch_run import BatchOptions, BatchRun, session_of
from graphs.system.batch.batch_shelf import BatchShelf, KeptBatch, Wanted
from graphs.system.deletion import delete_session
from ui.server.live.session_status import display_status
from ui.server.run_metrics import RunMetrics
from ui.server.session_worker import SessionWorker

LOG = logging.getLogger(__name__)
OPEN = "open"
"""The status of a row that has not begun."""
UNDER_WAY = "running"
AnswerFormat = Literal["jsonl", "csv"]
BatchState = Literal[
    "ready", "running", "pausing", "stopping", "paused", "stopped", "interrupted", "done"
]


class BatchStatus(Frozen):
    """How far a batch has come.

    `ready` has not been started; `interrupted` ended by an error, which `error` tells. `statuses`
    counts the rows by status: `running`, `open` (not begun), and those of sessions, with
    `uncertain` for answered rows with a doubt, `unlikely` for answers that are more likely wrong
    than right and `empty` for partial ones without an answer. The
    rate and the estimate are those of the present run, null before its first answer.
    """

    batch: str
    name: str
    created: float
    state: BatchState
    error: str = ""
    rows: int
    done: int
    statuses: dict[str, int]
    usd: float
    pages: int
    per_minute: float | None = None
    seconds_left: float | None = None
    usd_left: float | None = None
    graph: str = ""
    model: str = ""
    budget: Budget = Budget()
    sites: tuple[str, ...] = ()
    at_once: int = 1


class BatchRowLine(Frozen):
    """A row of a batch, with the outcome that it has; `session` is empty before it begins.

    `lead` are the words that answer, `confidence` is how likely they do, 0 to 1.
    """

    id: str
    question: str
    sites: tuple[str, ...] = ()
    status: str
    lead: str = ""
    answer: str = ""
    confidence: float | None = None
    uncertain: bool = False
    doubt: str = Field("", exclude=True)
    usd: float = 0.0
    pages: int = 0
    seconds: float = 0.0
    error: str = ""
    session: str = ""


class BatchRowPage(Frozen):
    """Some rows of a batch, in the order of the file, and how many there are on all pages."""

    rows: tuple[BatchRowLine, ...]
    count: int


@dataclass
class _Loaded:
    """A batch in memory, with all its answers; `run` while it runs here."""

    kept: KeptBatch
    rows: tuple[BatchRow, ...]
    lines: dict[str, Line] = field(default_factory=dict)
    all: BatchCount = field(default_factory=lambda: BatchCount(0))
    shown: Counter[str] = field(default_factory=Counter)
    pace: BatchCount | None = None
    run: BatchRun | None = None
    going: Future[None] | None = None
    leaving: BatchState | None = None
    error: str = ""


@dataclass
class Batches:
    """Adds, runs, pauses and shows batches; calls return at once, and are safe for threads."""

    settings: Settings
    runs: SessionWorker
    desk: SessionWorker
    metrics: RunMetrics
    closing: threading.Event
    enter: Callable[[Sessions, str], AbstractAsyncContextManager[None]]
    _loaded: dict[str, _Loaded] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self._shelf = BatchShelf(self.settings.data)

    def continue_all(self) -> None:
        """Go on with the batches that an earlier server left while they ran."""
        for kept in reversed(self._shelf.list()):
            if kept.wanted == "running" and not self.closing.is_set():
                try:
                    self._begin(self._load(kept.id))
                except ForagerError as error:
                    LOG.error("batch %s cannot go on: %s", kept.id, error)

    def add(self, name: str, data: bytes) -> str:
        """Keep a file of questions; the id of the batch. Raises UsageError and StoreError."""
        return self._shelf.add(name, data).id

    def start(self, id: str, options: BatchOptions) -> None:
        """Start to answer a batch. Raises NoBatchError, and UsageError if it was started before."""
        with self._lock:
            loaded = self._load(id)
            if loaded.kept.options is not None:
                raise UsageError(f"Batch {id} was started before.", "Resume it, or upload it anew.")
            change = {
                "graph": options.graph,
                "model": options.model,
                "budget": options.budget,
                "sites": options.sites,
                "at_once": options.at_once,
            }
            loaded.kept = loaded.kept.model_copy(update=change)
            self._begin(loaded)

    def resume(self, id: str, *, retry_failed: bool = False) -> None:
        """Go on with the rows that have no answer; with `retry_failed` also with failed ones.

        Raises NoBatchError, and UsageError for a batch that was not started, or is just leaving.
        """
        with self._lock:
            loaded = self._load(id)
            if loaded.kept.options is None:
                raise UsageError(f"Batch {id} was not started yet.", "Start it.")
            if loaded.leaving:
                raise UsageError(f"Batch {id} is {loaded.leaving}.", "Wait until it has paused.")
            if not loaded.going:
                self._begin(loaded, retry_failed=retry_failed)

    def pause(self, id: str) -> None:
        """Pause the rows that are under way, and take no new one. Raises NoBatchError."""
        self._leave(id, "paused")

    def stop(self, id: str) -> None:
        """End the rows that are under way with their best answers, and take no new one.

        Raises NoBatchError.
        """
        self._leave(id, "stopped")

    def status(self, id: str) -> BatchStatus:
        """How far a batch has come. Raises NoBatchError and StoreError."""
        with self._lock:
            return _describe(self._load(id))

    def list(self) -> tuple[BatchStatus, ...]:
        """All batches, newest first; one that cannot be read is left out."""
        found: list[BatchStatus] = []
        for kept in self._shelf.list():
            try:
                found.append(self.status(kept.id))
            except ForagerError as error:
                LOG.error("batch %s cannot be read: %s", kept.id, error)
        return tuple(found)

    def rows(
        self, id: str, *, status: str = "", search: str = "", page: int = 1, size: int = 50
    ) -> BatchRowPage:
        """The rows of this status with all the words, a page of them.

        Raises NoBatchError and StoreError.
        """
        with self._lock:
            loaded = self._load(id)
            words, under_way = search.casefold().split(), dict(_under_way(loaded))
            name = self._session_name(loaded)
        found = [
            row
            for row in loaded.rows
            if (not status or _status(loaded, row, under_way) == status)
            and _matches(row, loaded.lines.get(row.id), words)
        ]
        shown = found[(page - 1) * size : page * size]
        lines = tuple(_row_line(loaded, row, under_way) for row in shown)
        if loaded.kept.options is not None and any(line.status == OPEN for line in lines):
            ids = {row.id: session_of(name, row) for row in shown}
            lines = self.desk.call(lambda to: _find_sessions(to, lines, ids))
        return BatchRowPage(rows=lines, count=len(found))

    def answers(self, id: str, format: AnswerFormat = "jsonl") -> bytes:
        """The answers so far as a file, in the order in which they were found.

        Raises NoBatchError and StoreError.
        """
        with self._lock:
            lines = tuple(self._load(id).lines.values())
        text = answers_as_csv(lines) if format == "csv" else answers_as_json_lines(lines)
        return text.encode("utf-8-sig" if format == "csv" else "utf-8")

    def delete(self, id: str, *, sessions: bool = False) -> None:
        """Delete a batch, with `sessions` also those of its rows, which may take a while.

        Raises NoBatchError, and UsageError while it runs.
        """
        with self._lock:
            loaded = self._load(id)
            if loaded.going:
                raise UsageError(f"Batch {id} is running.", "Pause or stop it first.")
            self._shelf.delete(id)
            self._loaded.pop(id)
        own = [str(line["session"]) for line in loaded.lines.values() if line.get("session")]
        if sessions and own:
            self.desk.submit(lambda to: _delete_sessions(to, own))

    def under_way(self) -> tuple[str, ...]:
        """The sessions of rows that run now."""
        with self._lock:
            return tuple(id for each in self._loaded.values() for _, id in _under_way(each))

    def _load(self, id: str) -> _Loaded:
        """A batch in memory; its answers are read again if another process may write them."""
        with self._lock:
            loaded = self._loaded.get(id)
            if loaded is None:
                kept = self._shelf.get(id)
                loaded = self._loaded[id] = _Loaded(kept, self._shelf.rows(kept))
                _take(loaded, read_answers(self._shelf.answers(id)))
            return loaded

    def _session_name(self, loaded: _Loaded) -> str:
        """The name that the sessions of rows without an answer have in their ids."""
        if loaded.run:
            return loaded.run.answers.name
        return name_of_batch(self._shelf.answers(loaded.kept.id)) or loaded.kept.id

    def _want(self, loaded: _Loaded, wanted: Wanted) -> None:
        loaded.kept = loaded.kept.model_copy(update={"wanted": wanted})
        self._shelf.save(loaded.kept)

    def _begin(self, loaded: _Loaded, *, retry_failed: bool = False) -> None:
        self._want(loaded, "running")
        loaded.error, loaded.leaving = "", None
        work = self.runs.submit(lambda sessions: self._run(sessions, loaded, retry_failed))
        loaded.going = work
        work.add_done_callback(lambda ended: self._end(loaded, ended))

    def _leave(self, id: str, wanted: Literal["paused", "stopped"]) -> None:
        with self._lock:
            loaded = self._load(id)
            if not loaded.going:
                return
            self._want(loaded, wanted)
            loaded.leaving = "pausing" if wanted == "paused" else "stopping"
            if run := loaded.run:
                leave = run.pause if wanted == "paused" else run.stop
                run.leaving = True
                self.runs.submit(lambda _: leave())

    async def _run(self, sessions: Sessions, loaded: _Loaded, retry_failed: bool) -> None:
        """Answer the rows. Raises StoreError, BusyError while another process does."""
        options = loaded.kept.options
        assert options is not None  # noqa: S101  it was started
        with open_answers(self._shelf.answers(loaded.kept.id)) as answers:
            if retry_failed:
                failed = [id for id, line in answers.lines.items() if line["status"] == "failed"]
                await asyncio.to_thread(answers.drop, failed)
            with self._lock:
                _take(loaded, answers.lines)
                loaded.pace = BatchCount(len(loaded.rows), len(answers.lines))
                run = loaded.run = BatchRun(
                    sessions=sessions,
                    rows=loaded.rows,
                    answers=answers,
                    options=options,
                    answered=lambda line: self._count(loaded, line),
                    run_session=self._run_row,
                    leaving=loaded.leaving is not None,
                )
            await run.run()

    async def _run_row(self, sessions: Sessions, id: str) -> Report:
        """Run the session of a row, and count what it has spent."""
        before = await sessions.show(id)
        async with self.enter(sessions, id):
            after = await run_as_set(sessions, id)
        self.metrics.count_run(before, after)
        return after

    def _count(self, loaded: _Loaded, line: Line) -> None:
        with self._lock:
            loaded.lines[str(line["id"])] = line
            loaded.all.count(line)
            loaded.shown[_shown_status(line)] += 1
            if loaded.pace:
                loaded.pace.count(line)

    def _end(self, loaded: _Loaded, ended: Future[None]) -> None:
        error = None if ended.cancelled() else ended.exception()
        with self._lock:
            loaded.going = loaded.run = None
            loaded.leaving = None
            if error is not None:
                self.metrics.count_error(error)
                LOG.error("batch %s could not go on: %s", loaded.kept.id, type(error).__name__)
                loaded.error = str(error) if isinstance(error, ForagerError) else repr(error)


def _take(loaded: _Loaded, lines: dict[str, Line]) -> None:
    """Have these answers, and count them."""
    loaded.lines = dict(lines)
    loaded.all = BatchCount(len(loaded.rows))
    loaded.shown = Counter(map(_shown_status, lines.values()))
    for line in lines.values():
        loaded.all.count(line)


def _describe(loaded: _Loaded) -> BatchStatus:
    kept, rows = loaded.kept, len(loaded.rows)
    statuses = Counter(loaded.shown)
    running = sum(1 for _ in _under_way(loaded))
    statuses[UNDER_WAY] = running
    statuses[OPEN] = rows - len(loaded.lines) - running
    pace = loaded.pace.pace(time.monotonic()) if loaded.pace and loaded.going else None
    return BatchStatus(
        batch=kept.id,
        name=kept.name,
        created=kept.created,
        state=_state(loaded),
        error=loaded.error,
        rows=rows,
        done=len(loaded.lines),
        statuses={name: many for name, many in sorted(statuses.items()) if many > 0},
        usd=round(loaded.all.usd, 6),
        pages=loaded.all.pages,
        per_minute=pace.per_minute if pace else None,
        seconds_left=pace.seconds_left if pace else None,
        usd_left=pace.usd_left if pace else None,
        graph=kept.graph.name if kept.graph else "",
        model=kept.model,
        budget=kept.budget,
        sites=kept.sites,
        at_once=kept.at_once,
    )


def _state(loaded: _Loaded) -> BatchState:
    if loaded.going:
        return loaded.leaving or "running"
    if loaded.kept.wanted == "ready":
        return "ready"
    if len(loaded.lines) >= len(loaded.rows):
        return "done"
    if loaded.kept.wanted == "running":
        return "interrupted" if loaded.error else "paused"
    return loaded.kept.wanted


def _under_way(loaded: _Loaded) -> Iterator[tuple[str, str]]:
    """The rows that are worked on now, with their sessions."""
    yield from tuple(loaded.run.under_way.items()) if loaded.run else ()


def _status(loaded: _Loaded, row: BatchRow, under_way: dict[str, str]) -> str:
    if line := loaded.lines.get(row.id):
        return _shown_status(line)
    return UNDER_WAY if row.id in under_way else OPEN


def _shown_status(line: Line) -> str:
    """The status of an answer as its weakest part has it."""
    answer, doubt = str(line.get("answer", "")), str(line.get("doubt", ""))
    weak = bool(line.get("uncertain"))
    return display_status(str(line["status"]), answer, uncertain=weak, doubt=doubt)


def _matches(row: BatchRow, line: Line | None, words: list[str]) -> bool:
    if not words:
        return True
    answer = str(line.get("answer", "")) if line else ""
    text = f"{row.id} {row.question} {answer}".casefold()
    return all(word in text for word in words)


def _row_line(loaded: _Loaded, row: BatchRow, under_way: dict[str, str]) -> BatchRowLine:
    sites = row.sites or loaded.kept.sites
    line = loaded.lines.get(row.id)
    if line is None:
        return BatchRowLine(
            id=row.id,
            question=row.question,
            sites=sites,
            status=_status(loaded, row, under_way),
            session=under_way.get(row.id, ""),
        )
    return BatchRowLine.model_validate(
        {name: value for name, value in line.items() if name in BatchRowLine.model_fields}
    )


async def _find_sessions(
    sessions: Sessions, lines: tuple[BatchRowLine, ...], ids: dict[str, str]
) -> tuple[BatchRowLine, ...]:
    """The rows; one whose session was begun, but is open, with it and its status."""
    found: list[BatchRowLine] = []
    for line in lines:
        change = {}
        if line.status == OPEN:
            with suppress(SessionError):
                report = await sessions.show(ids[line.id])
                change = {"session": report.session, "status": report.status}
        found.append(line.model_copy(update=change))
    return tuple(found)


async def _delete_sessions(sessions: Sessions, ids: list[str]) -> None:
    for id in ids:
        try:
            await delete_session(sessions, id, forget=False)
        except ForagerError as error:
            LOG.warning("session %s is kept: %s", id, error)
