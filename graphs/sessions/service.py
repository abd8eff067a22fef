"""Sessions: the one door for every face. A session pins its graph and can be left and resumed."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from forager.adapters.browser.process.cookie_jar import Jar
from forager.adapters.browser.secrets import read as read_secrets
from forager.adapters.store.leases import held, lease
from forager.adapters.store.sessions.approval_rows import ApprovalRow
from forager.adapters.store.sessions.session_lines import Line
from forager.adapters.store.sessions.session_records import (
    FAILED,
    PAUSE,
    STEER,
    STOP,
    UNDER_WAY,
    UNFINISHED,
)
from forager.adapters.store.sessions.session_store import Event, Session, SessionStore
from forager.budget import untold
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ForagerError, SessionError
from forager.node_type import Registry
from forager.settings import Settings
from graphs.learning.keeper import Keeper
from graphs.reports.exports import export
from graphs.reports.report import Report, build_report
from graphs.reports.site_map import SiteMap
from graphs.reports.turns import finished_turn, next_question
from graphs.runtime.approvals import Decide, leave_to_others, refuse_all, replay_answers
from graphs.runtime.compile import refuse_faults
from graphs.runtime.composition import open_adapters
from graphs.runtime.recordings import recording_folder
from graphs.runtime.run import Run, Watcher
from graphs.runtime.state_reader import read_state
from graphs.runtime.steers import ForkChange, Steer
from graphs.runtime.validation import check_question, refuse_private_sites
from graphs.sessions.archive import ZIP, Archive
from graphs.sessions.context import SESSION_ID, OpenAdapters, SessionContext, new_session_id
from graphs.sessions.figures import Figures, RoundDraw
from graphs.sessions.fork import Forks
from graphs.sessions.history import Change, HistoryPoint
from graphs.sessions.inspect import Inspection
from graphs.sessions.listing import ListedLine, SessionList, session_status
from graphs.sessions.steering import Steering
from graphs.spec.spec import GraphSpec

__all__ = [
    "ApprovalRow",
    "Change",
    "Decide",
    "Event",
    "ForkChange",
    "HistoryPoint",
    "Line",
    "ListedLine",
    "OpenAdapters",
    "Report",
    "RoundDraw",
    "Session",
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


def _ignore_event(event: Event) -> None:
    """A Watcher that looks away."""


@dataclass(kw_only=True)
class Sessions(Figures, Inspection, Forks, Steering, SessionList, Archive, SessionContext):
    """Every verb that a face has. The files are opened when a verb first needs them."""

    async def start(
        self,
        question: Question,
        graph: str | GraphSpec,
        model: str,
        id: str | None = None,
        *,
        since: float = 0.0,
    ) -> str:
        """Lay down a session, to be run; its id. Pages fetched `since` then are as good as its own.

        Raises UsageError for what cannot be run.
        """
        question = check_question(question)
        await asyncio.to_thread(read_secrets, self.settings.secrets)
        refuse_private_sites(question.sites, self.settings, model)
        spec = await self.resolved(graph)
        refuse_faults(spec, self.registry)
        if id is not None and not SESSION_ID.fullmatch(id):
            raise SessionError(
                f"{id!r} cannot name a session.", "Use letters, digits, dots, _ and -, at most 64."
            )
        session = Session(
            id=id or new_session_id(),
            question=question,
            graph=spec.name,
            graph_hash=spec.hash,
            graph_body=spec.canonical(),
            model=model,
            since=since,
        )
        store = await self._sessions()
        await asyncio.to_thread(store.create, session)
        await asyncio.to_thread(store.remembered.claim, session.id, self.settings.user)
        return session.id

    async def follow(self, id: str, text: str, budget: Budget | None = None) -> None:
        """Lay down the next turn of a session that has come to its end, to be run.

        Raises SessionError for one that has not, is run now, or is another user's, and
        QuestionError.
        """
        store = await self._own(id)
        with lease(self._leases, id):
            session = await asyncio.to_thread(store.get, id)
            past = await asyncio.to_thread(store.turns, id)
            question = check_question(next_question(session, past, text, budget))
            state = await read_state(await self._states(), session.thread, session.question, past)
            await asyncio.to_thread(store.follow, id, finished_turn(session, state), question)

    async def run(
        self, id: str, watcher: Watcher = _ignore_event, decide: Decide = refuse_all
    ) -> Report:
        """Go on from the last checkpoint to the end; a finished session is only reported.

        `decide` answers what the run asks a person, unless `Sessions.decide` does so first.
        An expected failure becomes the report's status. Raises SessionError when the session is
        unknown, another user's or being run elsewhere, UsageError for secrets that cannot be used,
        StoreError when the outcome cannot be written down.
        """
        store = await self._sessions()
        session = await asyncio.to_thread(store.get, id)
        if session.status not in UNDER_WAY:
            return await self.show(id)
        await self._own(id)
        await asyncio.to_thread(read_secrets, self.settings.secrets)
        with lease(self._leases, id):
            await asyncio.to_thread(store.change, id, status=UNFINISHED, error="", mend="")
            for spent in (PAUSE, STEER):
                await asyncio.to_thread(store.ask, id, spent, "")
            LOG.info("session %s: running", id)
            outcome = await self._run_outcome(store, session, watcher, decide)
            LOG.info("session %s: %s", id, outcome["status"])
            left = outcome["status"] == UNFINISHED
            done = {} if left else {"asked": ""}
            await asyncio.to_thread(store.change, id, **outcome, **done)
            if outcome["status"] not in UNDER_WAY:
                await asyncio.to_thread(store.steers.drop, session.thread)
                await Jar(self.settings, id).forget()
        if left and await asyncio.to_thread(store.asked, id) == STOP:
            # Asked of a run that was leaving already, which nobody else will end.
            return await self.run(id, watcher, decide)
        report = await self.show(id)
        await asyncio.to_thread(store.sum_up, id, report.answer, len(report.visited), report.spent)
        return report

    resume = run

    async def change_model(self, id: str, model: str) -> None:
        """Let a session that is not at its end go on with another model.

        Raises SessionError while it runs, and for another user's.
        """
        store = await self._own(id)
        with lease(self._leases, id):
            if (await asyncio.to_thread(store.get, id)).status in UNDER_WAY:
                await asyncio.to_thread(store.change, id, model=model)

    async def get(self, id: str) -> Session:
        """The session as kept. Raises SessionError when there is none."""
        return await asyncio.to_thread((await self._sessions()).get, id)

    async def _run_outcome(
        self, store: SessionStore, session: Session, watcher: Watcher, decide: Decide
    ) -> dict[str, str]:
        try:
            doors = await self._ports()
            folder = recording_folder(session.model)
            async with doors(session.model, session.since or session.created, session.id) as ports:
                run = Run(
                    session=session.model_copy(update={"status": UNFINISHED}),
                    ports=ports,
                    registry=self.registry,
                    store=store,
                    checkpoints=await self._states(),
                    watcher=watcher,
                    decide=replay_answers(folder) if folder else decide,
                    past=await asyncio.to_thread(store.turns, session.id),
                    record=None if folder else self.settings.record,
                )
                keeper = Keeper(
                    memory=ports.memory,
                    blobs=ports.blobs,
                    embedder=ports.embedder,
                    store=store,
                    checkpoints=run.checkpoints,
                    leases=self._leases,
                    user=self.settings.user,
                )
                async with keeper.learn_beside(session.id, run.emit):
                    return {"status": await run.run_to_end()}
        except ForagerError as error:
            return {"status": FAILED, "error": error.what, "mend": error.mend}

    async def stop(self, id: str) -> Report:
        """End a session with the best answer so far; one that runs ends after its present node."""
        await self.ask_to_stop(id)
        return await self.show(id) if held(self._leases, id) else await self.run(id)

    async def ask_to_stop(self, id: str) -> None:
        """Let the run of a session, now or when it is next run, end after its present node."""
        store = await self._sessions()
        session = await asyncio.to_thread(store.get, id)
        if session.status in UNDER_WAY:
            await self._own(id)
            await asyncio.to_thread(store.change, id, asked=STOP)

    async def pause(self, id: str) -> None:
        """Leave a running session after its present node, to be resumed."""
        store = await self._sessions()
        await asyncio.to_thread(store.get, id)
        if held(self._leases, id):
            await asyncio.to_thread(store.change, id, asked=PAUSE)

    async def pleas(self, id: str) -> tuple[ApprovalRow, ...]:
        """What the session waits to have answered. Raises SessionError when there is none."""
        store = await self._sessions()
        return await asyncio.to_thread(lambda: store.approvals.waiting(store.get(id).thread))

    async def decide(self, id: str, plea: str, *, yes: bool) -> None:
        """Answer one of them, by its id. Raises SessionError when it does not wait any more."""
        store = await self._sessions()
        thread = (await asyncio.to_thread(store.get, id)).thread
        await asyncio.to_thread(store.approvals.decide, thread, plea, yes=yes)

    async def show(self, id: str) -> Report:
        """The session's report as far as it has come."""
        return (await self.look(id))[1]

    async def look(self, id: str) -> tuple[Session, Report]:
        """The session as kept, and its report as far as it has come."""
        store = await self._sessions()
        session, past = await asyncio.to_thread(lambda: (store.get(id), store.turns(id)))
        state = await read_state(await self._states(), session.thread, session.question, past)

        def told() -> Report:
            spent = state.spend + untold(store.paid(session.thread), state.spend)
            status = session_status(store, self._runs, session)
            asked = store.approvals.all(session.thread)
            return build_report(session, status, replace(state, spend=spent), asked)

        return session, await asyncio.to_thread(told)

    async def list(self) -> tuple[Session, ...]:
        """All sessions, newest first."""
        return await asyncio.to_thread((await self._sessions()).list)

    async def events(self, id: str, after: int = 0) -> tuple[Event, ...]:
        """The session's events behind number `after`."""
        store = await self._sessions()
        return await asyncio.to_thread(lambda: store.events(store.get(id).id, after))

    async def watch(self, id: str, after: int = 0) -> AsyncIterator[Event]:
        """The session's events as they come, until it runs no more."""
        while True:
            running = held(self._leases, id)
            for event in await self.events(id, after):
                after = event.seq
                yield event
            if not running:
                return
            await asyncio.sleep(WATCH_SECONDS)

    async def export(self, id: str, format: str) -> bytes:
        """The session as a document: `md`, `json`, `csv`, `html` or `pdf`; or whole, as `zip`.

        Raises UsageError.
        """
        if format == ZIP:
            return await self.archived(id)
        return await export(*await self.look(id), self.settings, format)

    async def delete(self, id: str) -> None:
        """Forget a session. Raises SessionError while it runs, and for another user's."""
        store = await self._own(id)
        with lease(self._leases, id):
            await self._forget(id, (await asyncio.to_thread(store.get, id)).turn)


@asynccontextmanager
async def open_sessions(
    settings: Settings, doors: OpenAdapters = open_adapters, types: Registry | None = None
) -> AsyncIterator[Sessions]:
    """The sessions in the settings' data folder; its node types, unless others are given."""
    async with AsyncExitStack() as stack:
        yield Sessions(settings=settings, open_doors=doors, types=types, stack=stack)
