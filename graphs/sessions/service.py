"""The sessions service: every command line, web page and API call goes through it.

A session pins its graph, can be left at any node and resumed later.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from pydantic import JsonValue

from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.adapters.models.model_lines import recording_folder
from forager.adapters.store.leases import hold_lease, is_held, is_taken, queue_lease
from forager.adapters.store.sessions.approval_rows import ApprovalRow
from forager.adapters.store.sessions.session_lines import SessionLine
from forager.adapters.store.sessions.session_records import (
    END,
    ENDINGS,
    FAILED,
    PAUSE,
    STEER,
    STOP,
    UNDER_WAY,
    UNFINISHED,
    SessionStatus,
)
from forager.adapters.store.sessions.session_store import Event, Session, SessionStore
from forager.answers.likelihood import doubt_of
from forager.budget import unreported_spend, within_allowance
from forager.domain.spend import Budget
from forager.domain.state import Question, Turn
from forager.errors import ForagerError, UsageError
from forager.node_type import Registry
from forager.settings import Settings
from forager.util.free_memory import return_free_memory
from graphs.learning.keeper import Keeper
from graphs.reports.changes import Change
from graphs.reports.exports import export
from graphs.reports.exports.document import session_title
from graphs.reports.exports.formats import file_name, find_format
from graphs.reports.exports.wording import ENGLISH, Wording, speak
from graphs.reports.report import Report, build_report, count_read, is_weak
from graphs.reports.site_map import SiteMap
from graphs.reports.turns import finished_turn, next_question
from graphs.runtime.approvals import Decide, leave_to_others, refuse_all, replay_answers
from graphs.runtime.compile import refuse_faults
from graphs.runtime.composition import open_adapters
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.runtime.run import Run, Watcher
from graphs.runtime.state_reader import read_state
from graphs.runtime.steers import ForkChange, Steer
from graphs.runtime.tracing import tracing_as_set
from graphs.runtime.validation import check_question, refuse_private_sites
from graphs.sessions.archive import ZIP, Archive
from graphs.sessions.context import OpenAdapters, SessionContext, choose_session_id
from graphs.sessions.debugging.node_trial import NodeTrials
from graphs.sessions.debugging.state_edit import StateValues
from graphs.sessions.figures import Figures, RoundDraw
from graphs.sessions.forks import Forks
from graphs.sessions.history import History, HistoryPoint
from graphs.sessions.inspection import Inspection
from graphs.sessions.listing import ListedLine, SessionList
from graphs.sessions.steering import Steering
from graphs.spec.edit import with_values
from graphs.spec.spec import GraphSpec

__all__ = [
    "ENDINGS",
    "STOP",
    "ApprovalRow",
    "Change",
    "Decide",
    "Event",
    "ForkChange",
    "HistoryPoint",
    "ListedLine",
    "OpenAdapters",
    "Report",
    "RoundDraw",
    "Session",
    "SessionLine",
    "Sessions",
    "SiteMap",
    "Steer",
    "Watcher",
    "leave_to_others",
    "open_sessions",
    "refuse_all",
]

LOG = logging.getLogger(__name__)
WATCH_SECONDS = 0.1
RATED_AT_ONCE = 100


def _ignore_event(event: Event) -> None:
    """A Watcher that does nothing."""


class Sessions:
    """Starts, runs, ends and shows sessions; its parts do the rest, on the same context.

    `history` reads checkpoints, `forks` goes back to them, `steering` changes a question while it
    is asked, `archive` exports and imports whole sessions, `inspection` looks into nodes, `figures`
    reads what figures show, `listing` lists, renames and shares, `state_values` shows the state to
    be changed, `node_trials` runs a node alone.
    """

    def __init__(self, context: SessionContext) -> None:
        self.context = context
        self.history = History(context)
        self.forks = Forks(context)
        self.steering = Steering(context)
        self.archive = Archive(context)
        self.inspection = Inspection(context)
        self.figures = Figures(context)
        self.listing = SessionList(context)
        self.state_values = StateValues(context)
        self.node_trials = NodeTrials(context, self.inspection)

    async def start(  # noqa: PLR0913
        self,
        question: Question,
        graph: str | GraphSpec,
        model: str,
        id: str | None = None,
        *,
        since: float = 0.0,
        values: Mapping[str, JsonValue] = MappingProxyType({}),
    ) -> str:
        """Create a session, to be run; its ID.

        `values` are those of the graph's parameters that differ from the defaults. Pages fetched at
        or after `since` (epoch, s) are used without fetching them again. Raises UsageError for what
        cannot be run.
        """
        context = self.context
        await asyncio.to_thread(context.admit)
        question = check_question(question)
        await context.check_secrets()
        refuse_private_sites(question.sites, context.settings, model)
        spec = with_values(await context.resolve_graph(graph), values)
        refuse_faults(spec, context.registry)
        session = Session(
            id=choose_session_id(id),
            question=question,
            graph=spec.name,
            graph_hash=spec.hash,
            graph_body=spec.canonical(),
            model=model,
            since=since,
        )
        store = await context.store()
        if id is not None:
            await context.drop_leftovers(id)
        await asyncio.to_thread(store.create, session)
        await asyncio.to_thread(store.remembered.claim_session, session.id, context.settings.user)
        return session.id

    async def follow(self, id: str, text: str, budget: Budget | None = None) -> None:
        """Create the next turn of a session that has ended, to be run.

        Raises SessionError while the session runs or is unfinished and for another user's, and
        QuestionError.
        """
        await asyncio.to_thread(self.context.admit)
        store = await self.context.store_for_owner(id)
        with hold_lease(self.context.leases, id):
            session = await asyncio.to_thread(store.get, id)
            past = await asyncio.to_thread(store.list_turns, id)
            question = check_question(next_question(session, past, text, budget))
            checkpoints = await self.context.checkpoints()
            state = await read_state(checkpoints, session.thread, session.question, past)
            await asyncio.to_thread(store.begin_turn, id, finished_turn(session, state), question)

    async def run(
        self,
        id: str,
        watcher: Watcher = _ignore_event,
        decide: Decide = refuse_all,
        halts: Halts = NO_HALTS,
    ) -> Report:
        """Run a session from its last checkpoint to its end; one that has ended is only shown.

        `decide` answers the approval requests of the run, unless `Sessions.decide` is quicker. The
        run pauses at `halts`. An expected failure becomes the status of the report. Raises
        SessionError for an unknown session, another user's or one that runs elsewhere, UsageError
        for secrets that cannot be used, StoreError when the outcome cannot be stored.
        """
        store = await self.context.store()
        session = await asyncio.to_thread(store.get, id)
        if session.status not in UNDER_WAY:
            return await self.show(id)
        await self.context.store_for_owner(id)
        await self.context.check_secrets()
        with hold_lease(self.context.leases, id):
            await asyncio.to_thread(store.set_columns, id, status=UNFINISHED, error="", mend="")
            queued = is_held(self.context.leases, queue_lease(id))  # a pause asked there holds
            for request in (STEER,) if queued else (PAUSE, STEER):
                await asyncio.to_thread(store.set_request, id, request, "")
            LOG.info("session %s: running", id)
            told = self._telling(session, watcher)
            outcome = await self._run_to_outcome(store, session, (told, decide, halts))
            LOG.info("session %s: %s", id, outcome["status"])
            left = outcome["status"] == UNFINISHED
            done = {} if left else {"asked": ""}
            await asyncio.to_thread(store.set_columns, id, **outcome, **done)
            if outcome["status"] not in UNDER_WAY:
                await asyncio.to_thread(store.steers.drop_waiting, session.thread)
                await CookieJar(self.context.settings, id).forget()
        if left and await asyncio.to_thread(store.get_request, id) in ENDINGS:
            # The stop came when the run was already leaving, and nobody else will end it.
            return await self.run(id, watcher, decide)
        report = await self.show(id)
        summary = report.answer, count_read(report), report.spent
        weak, doubt, place = is_weak(report), doubt_of(report), report.searched
        await asyncio.to_thread(
            store.set_summary, id, *summary, uncertain=weak, doubt=doubt, searched=place
        )
        if not left:
            await asyncio.to_thread(self.context.webhooks.tell_end, report)
        await asyncio.to_thread(return_free_memory)
        return report

    def _telling(self, session: Session, watcher: Watcher) -> Watcher:
        """A watcher that also tells webhooks when the run asks a person."""

        def watch(event: Event) -> None:
            if event.kind == "asked":
                webhooks, question = self.context.webhooks, session.question.text
                webhooks.tell_waiting(session.id, question, event.message)
            watcher(event)

        return watch

    async def _run_to_outcome(
        self, store: SessionStore, session: Session, way: tuple[Watcher, Decide, Halts]
    ) -> dict[str, str]:
        """Run, and learn from the run; the session's new status, with the error if it failed."""
        context, (watcher, decide, halts) = self.context, way
        try:
            open_ports = await context.ports()
            folder = recording_folder(session.model)
            since = session.since or session.created
            async with open_ports(session.model, since, session.id) as ports:
                run = Run(
                    session=session.model_copy(update={"status": UNFINISHED}),
                    ports=ports,
                    registry=context.registry,
                    store=store,
                    checkpoints=await context.checkpoints(),
                    watcher=watcher,
                    decide=replay_answers(folder) if folder else decide,
                    past=await asyncio.to_thread(store.list_turns, session.id),
                    record=None if folder else context.settings.record,
                    halts=halts,
                )
                keeper = Keeper(
                    memory=ports.memory,
                    blobs=ports.blobs,
                    embedder=ports.embedder,
                    store=store,
                    checkpoints=run.checkpoints,
                    leases=context.leases,
                    user=context.settings.user,
                )
                async with keeper.learn_beside(session.id, run.emit):
                    traced = tracing_as_set(context.settings, session.id)
                    with traced, within_allowance(context.allowance):
                        return {"status": await run.run_to_end()}
        except ForagerError as error:
            return {"status": FAILED, "error": error.what, "mend": error.mend}

    async def change_model(self, id: str, model: str) -> None:
        """Have a session that has not ended go on with another model.

        Raises SessionError while it runs, and for another user's session.
        """
        store = await self.context.store_for_owner(id)
        with hold_lease(self.context.leases, id):
            if (await asyncio.to_thread(store.get, id)).status in UNDER_WAY:
                await asyncio.to_thread(store.set_columns, id, model=model)

    async def stop(self, id: str) -> Report:
        """End a session with the best answer so far; a running one ends after its present node."""
        await self.request_stop(id)
        running = is_taken(self.context.leases, id)
        return await self.show(id) if running else await self.run(id)

    async def request_stop(self, id: str, *, now: bool = False) -> None:
        """Have the run of a session, present or next, end after its present node, or `now`."""
        store = await self.context.store()
        session = await asyncio.to_thread(store.get, id)
        if session.status in UNDER_WAY:
            await self.context.store_for_owner(id)
            await asyncio.to_thread(store.request_end, id, END if now else STOP)

    async def request_next_stop(self, id: str) -> bool:
        """As `request_stop`; one that is to end already does so at once. Whether it was."""
        again = (await self.get(id)).asked in ENDINGS
        await self.request_stop(id, now=again)
        return again

    async def pause(self, id: str) -> None:
        """Pause a running session after its present node; it can be resumed."""
        store = await self.context.store()
        await asyncio.to_thread(store.get, id)
        if is_taken(self.context.leases, id):
            await asyncio.to_thread(store.set_columns, id, asked=PAUSE)

    async def approval_requests(self, id: str) -> tuple[ApprovalRow, ...]:
        """The requests that wait for an answer. Raises SessionError for an unknown session."""
        store = await self.context.store()
        return await asyncio.to_thread(lambda: store.approvals.list_waiting(store.get(id).thread))

    async def decide(self, id: str, request: str, *, yes: bool) -> None:
        """Answer the approval request with this id.

        Raises SessionError when it does not wait any more.
        """
        session = await self.get(id)
        store = await self.context.store()
        await asyncio.to_thread(store.approvals.set_answer, session.thread, request, yes=yes)

    async def get(self, id: str) -> Session:
        """The session as stored. Raises SessionError when there is none."""
        return await self.context.get_session(id)

    async def list_rated(self) -> tuple[ListedLine, ...]:
        """All sessions, newest first, with what their answers are shown as.

        Answers that an older Forager wrote are rated when they are first listed, some at a time.
        """
        found = await self.listing.search()
        unrated = [item.line.id for item in found if item.line.unrated][:RATED_AT_ONCE]
        for id in unrated:
            await self._rate(id)
        return await self.listing.search() if unrated else found

    async def _rate(self, id: str) -> None:
        """Store how doubtful the answer of a session is; one that cannot be read has no doubt."""
        doubt, weak = "", False
        with suppress(ForagerError):
            report = await self.show(id)
            doubt, weak = doubt_of(report), is_weak(report)
        lines = (await self.context.store()).lines
        await asyncio.to_thread(partial(lines.rate, id, doubt, uncertain=weak))

    async def show(self, id: str) -> Report:
        """The session's report so far."""
        return (await self.show_session(id))[1]

    async def show_session(self, id: str) -> tuple[Session, Report]:
        """The session as stored, and its report so far.

        A status is never newer than the rest: a run that has just ended has booked all by then.
        """
        store = await self.context.store()

        def read_rows() -> tuple[Session, tuple[Turn, ...], SessionStatus]:
            found = store.get(id)
            status = store.current_status(found, self.context.is_running)
            session = store.get(id) if found.status in UNDER_WAY else found
            return session, store.list_turns(id), status

        session, past, status = await asyncio.to_thread(read_rows)
        checkpoints = await self.context.checkpoints()
        state = await read_state(checkpoints, session.thread, session.question, past)

        def make_report() -> Report:
            spent = state.spend + unreported_spend(store.paid_spend(session.thread), state.spend)
            requests = store.approvals.list_requests(session.thread)
            return build_report(session, status, replace(state, spend=spent), requests)

        return session, await asyncio.to_thread(make_report)

    async def events(self, id: str, after: int = 0) -> tuple[Event, ...]:
        """The session's events after number `after`."""
        store = await self.context.store()
        return await asyncio.to_thread(lambda: store.list_events(store.get(id).id, after))

    async def watch(self, id: str, after: int = 0) -> AsyncIterator[Event]:
        """The session's events as they come, until it no longer runs."""
        while True:
            running = is_taken(self.context.leases, id)
            for event in await self.events(id, after):
                after = event.seq
                yield event
            if not running:
                return
            await asyncio.sleep(WATCH_SECONDS)

    async def export(
        self,
        id: str,
        format: str,
        parts: str = "",
        wording: Wording = ENGLISH,
        *,
        sites: Mapping[str, str] = MappingProxyType({}),
    ) -> bytes:
        """The session as a document in a format of `FORMATS`; or whole, as `zip`.

        `parts` names the parts with commas; without, it has the usual ones of the format. What is
        ours in a document to read is said in `wording`; `sites` are the names of sites that are
        served on this machine, by host. Raises UsageError for another format or part, and for
        references where no page is cited.
        """
        if format != ZIP:
            shown = await self.show_session(id)
            with speak(wording):
                return await export(*shown, self.context.settings, format, parts, sites=sites)
        if parts:
            raise UsageError(
                "A session exported as zip is always whole.", "Leave out its parts, or use json."
            )
        return await self.archive.export_zip(id)

    async def export_name(self, id: str, format: str) -> str:
        """The name of the file of an export, from the session's title. Raises UsageError."""
        ending = ZIP if format == ZIP else find_format(format).ending
        session, report = await self.show_session(id)
        return file_name(session_title(session.title, report), id, ending)

    async def delete(self, id: str) -> None:
        """Delete a session, damaged or not.

        Raises SessionError while it runs, and for another user's.
        """
        await self.context.store_for_owner(id)
        with hold_lease(self.context.leases, id):
            await self.context.delete_session(id)


@asynccontextmanager
async def open_sessions(
    settings: Settings, adapters: OpenAdapters = open_adapters, types: Registry | None = None
) -> AsyncIterator[Sessions]:
    """The sessions in the settings' data folder.

    `types` are the node types; without any, those that the settings name.
    """
    async with AsyncExitStack() as stack:
        yield Sessions(
            SessionContext(settings=settings, open_adapters=adapters, types=types, stack=stack)
        )
