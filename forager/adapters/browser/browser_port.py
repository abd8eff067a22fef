"""The Browser port: one Chromium process, a context per session, tabs per walk."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

from playwright.async_api import BrowserContext, Error, Page

from forager.adapters.browser.actions import live_validity
from forager.adapters.browser.actions.examiner import Examiner
from forager.adapters.browser.guard.permitted_urls import Permits
from forager.adapters.browser.look import marked_screenshot
from forager.adapters.browser.look.screenshots import Shots
from forager.adapters.browser.look.views import Shown
from forager.adapters.browser.playwright_errors import translated
from forager.adapters.browser.process.cookie_jar import Jar
from forager.adapters.browser.process.downloads import Downloads
from forager.adapters.browser.process.engine import Engine
from forager.adapters.browser.process.session_context import PROBE_SECONDS, Session, answers
from forager.adapters.browser.replay.replay import SECONDS, Ground, replay
from forager.adapters.browser.replay.retarget import ON_ELEMENTS, TO_ELEMENTS, aimed
from forager.adapters.browser.secrets import read
from forager.adapters.browser.tabs import Done, Tabs
from forager.browsing.safety import judge
from forager.budget import running
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.documents import Opened
from forager.domain.state import Step
from forager.errors import ActionError, BrowserError, ConnectError, ReplayError, WebError
from forager.ports import Blobs, Examined, Performed
from forager.settings import Settings


@dataclass(slots=True)
class Walk:
    """Its tabs, the step it stands at, and what was held against the action examined last.

    `gated` is an action that a gate stood before, `then` the view that was walked to again: what
    was proposed there has other refs in these tabs.
    """

    tabs: Tabs
    at: str = ""
    judged: tuple[Action, str] | None = None
    gated: Action | None = None
    then: Snapshot | None = None

    async def aimed(self, action: Action, shown: Shown) -> Action:
        """The action with the refs of these tabs. Raises ActionError."""
        if self.then is None or action.kind not in ON_ELEMENTS | TO_ELEMENTS:
            return action
        return aimed(action, self.then, shown.masked(await self.tabs.snapshot()))


async def seen(trail: Sequence[Step], blobs: Blobs) -> Snapshot | None:
    """The view that a trail leads to."""
    view = trail[-1].view if trail else None
    if view is None or not view.blob:
        return None
    return Snapshot.model_validate_json(await asyncio.to_thread(blobs.get, view.blob))


LOST = "?"
"""A walk stands at no step that could be named."""
PATIENT = 0.8
"""Of the time limit of an action, what a replay may take: it gives up by itself."""
AGAIN = "It was replaced; the walk is brought back to where it stood."


class BrowserDoor:
    """Starts no process before it is asked."""

    def __init__(
        self, settings: Settings, blobs: Blobs, engine: Engine | None = None, session: str = ""
    ) -> None:
        """With an engine of its own unless one is shared. Raises UsageError.

        What sites keep in the browser outlives the process if the session has an id.
        """
        self._settings = settings
        self._blobs = blobs
        self._session = Session(engine or Engine(settings), Jar(settings, session))
        self._shared = engine is not None
        self._secrets = read(settings.secrets)
        self._permits = Permits(settings)
        self._examiner = Examiner(self._permits)
        self._shown = Shown(settings, blobs, self._secrets)
        self._shots = Shots(settings, blobs, self._secrets)
        self._downloads = Downloads(settings, uuid4().hex[:12], self._secrets.mask)
        self._walks: dict[str, Walk] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def stand(self, walk: str, trail: Sequence[Step]) -> None:
        """Be where the trail led. Raises ReplayError and BrowserError."""
        at = trail[-1].id if trail else ""
        async with self._watched(walk) as context:
            before = self._walks.get(walk)
            if before and before.at == at:
                if await self._runs(before.tabs):
                    return
                await self._give_up(walk)
                before = None
            ground = context if self._session.alive else await self._ready()
            then = await seen(trail, self._blobs)
            tabs = await self._again(ground, trail) if trail else self._tabs(ground)
            self._walks[walk] = Walk(tabs, at, then=then)
            if before:
                await before.tabs.close()

    async def examine(self, walk: str, action: Action) -> Examined:
        """Hold an action against the page. Raises BrowserError."""
        async with self._watched(walk) as context:
            standing = self._standing(walk, context)
            standing.judged = None
            try:
                action = await standing.aimed(action, self._shown)
            except ActionError as error:
                return Examined(fault=self._secrets.mask(str(error)))
            if fault := await self._examiner.fault(_page(standing.tabs), action):
                return Examined(fault=self._secrets.mask(fault))
            why = await self._judged(standing, action)
            live = await live_validity.examine(standing.tabs, action, harmful=bool(why))
            passed = not live.gate and standing.gated == action
            standing.gated = action if live.gate else None
            mask = self._secrets.mask
            return Examined(fault=mask(live.fault), harm=why, gate=mask(live.gate), passed=passed)

    async def perform(self, walk: str, action: Action, step: str = "") -> Performed:
        """Do it, settle, look. Raises WebError."""
        async with self._watched(walk) as context:
            standing = self._standing(walk, context)
            action = await standing.aimed(action, self._shown)
            await self._examiner.demand(action)
            stood, standing.at = standing.at, LOST
            try:
                performed = await self._perform(standing, action)
            except ActionError:
                standing.at = stood
                raise
            standing.at, standing.then = step, None
            await self._session.remember(_page(standing.tabs))
            return performed

    async def render(self, url: str) -> Opened:
        """A page as a browser shows it. Raises WebError."""
        await self._permits.demand(url)
        walk = f"render {uuid4().hex}"
        try:
            async with self._watched(walk) as context:
                tabs = self._standing(walk, context).tabs
                await self._do(tabs, Action(kind="goto", target=url))
                return await self._document(tabs)
        finally:
            await self.leave(walk)

    async def picture(self, walk: str) -> bytes:
        """A screenshot with refs. Raises BrowserError."""
        async with self._watched(walk) as context:
            standing = self._standing(walk, context)
            return await marked_screenshot.picture(standing.tabs.page)

    async def leave(self, walk: str) -> None:
        """Close the walk's tabs."""
        async with self._locks[walk]:
            await self._close(walk)
        self._locks.pop(walk, None)

    async def aclose(self) -> None:
        """Close the context, and the browser unless others share it."""
        self._walks.clear()
        await self._session.close()
        await self._permits.aclose()
        if not self._shared:
            await self._session.engine.aclose()

    async def _perform(self, standing: Walk, action: Action) -> Performed:
        tabs = standing.tabs
        left = tabs.page.url if tabs.pages else ""
        why = await self._judged(standing, action)
        picture = await self._shots.before(tabs, action)
        done = await self._do(tabs, action)
        notes, opened = await self._kept(tabs, done)
        view, snapshot = await self._shown.view(tabs, (*done.notes, *notes))
        picture = picture or await self._shots.after(tabs, action)
        view = view.model_copy(update=picture)
        if opened is None:
            opened = await self._document(tabs)
        if tabs.page.url.partition("#")[0] != left.partition("#")[0]:
            running().pages_fetched += 1
        sent = self._shown.sent(done.sent)
        changed = judge.after(sent, action, why, snapshot.tree)
        return Performed(view=view, opened=opened, sent=sent, harm=changed)

    async def _judged(self, standing: Walk, action: Action) -> str:
        """Why the action may change something on the server, or empty."""
        if standing.judged is None or standing.judged[0] != action:
            why = await self._examiner.harm(_page(standing.tabs), action)
            standing.judged = action, self._secrets.mask(why)
        return standing.judged[1]

    async def _do(self, tabs: Tabs, action: Action) -> Done:
        """Raises WebError: of the guard in the network, where that was the reason."""
        proxy = self._session.engine.proxy
        before = proxy.last_refusal
        try:
            done = await tabs.do(action)
            if tabs.pages and tabs.page.url.startswith("chrome-error:"):
                raise ConnectError("The action led to a page that cannot be had.")
        except ConnectError as error:
            if tabs.crashed:
                raise BrowserError("The tab crashed.", AGAIN) from error
            last = proxy.last_refusal if proxy.last_refusal is not before else None
            raise proxy.refusal(action.target) or last or error from error
        return done

    async def _document(self, tabs: Tabs) -> Opened:
        """The page shown. Raises WebError where it is none that may be read."""
        url = tabs.page.url
        opened = await self._shown.document(tabs.page)
        refusal = self._session.engine.proxy.refusal(url)
        if refusal and refusal.what in opened.document.text:
            raise refusal
        if url.startswith("http"):
            await self._permits.demand(url)
        return opened

    async def _kept(self, tabs: Tabs, done: Done) -> tuple[tuple[str, ...], Opened | None]:
        """What became of the downloads, and the last of them that is a document."""
        notes, opened = [], None
        for download in done.downloads:
            url = download.url if download.url.startswith("http") else tabs.page.url
            kept = await self._downloads.keep(download, url, self._session.engine.arrivals)
            notes.append(kept.note)
            if kept.document is not None:
                opened = await self._shown.opened(kept.document)
        return tuple(notes), opened

    async def _again(self, context: BrowserContext, trail: Sequence[Step]) -> Tabs:
        """The way walked again in other tabs. Raises ReplayError."""

        async def look(tabs: Tabs) -> Snapshot:
            return self._shown.masked(await tabs.snapshot())

        seconds = min(SECONDS, self._settings.browser_seconds * PATIENT)
        ground = Ground(context, lambda: self._tabs(context), look, seconds)
        return await replay(trail, self._blobs, ground)

    def _standing(self, walk: str, context: BrowserContext) -> Walk:
        """The walk, which begins with no tab where it is not known."""
        return self._walks.setdefault(walk, Walk(self._tabs(context)))

    def _tabs(self, context: BrowserContext) -> Tabs:
        return Tabs(context, self._secrets.reveal, mask=self._secrets.mask)

    async def _close(self, walk: str) -> None:
        standing = self._walks.pop(walk, None)
        if standing is not None:
            await standing.tabs.close()

    @asynccontextmanager
    async def _watched(self, walk: str) -> AsyncIterator[BrowserContext]:
        """One call at a time for a walk, within its time; what fails becomes a WebError."""
        async with self._locks[walk]:
            try:
                context = await self._ready()
                async with asyncio.timeout(self._settings.browser_seconds):
                    yield context
            except TimeoutError as error:
                await self._give_up(walk)
                seconds = self._settings.browser_seconds
                raise BrowserError(f"The page hung for {seconds:g} s.", AGAIN) from error
            except Error as error:
                await self._give_up(walk)
                raise self._masked(translated(error, "The action")) from None
            except BrowserError as error:
                if not isinstance(error, ActionError | ReplayError):
                    await self._give_up(walk)
                raise self._masked(error) from None
            except WebError as error:
                raise self._masked(error) from None

    async def _runs(self, tabs: Tabs) -> bool:
        """Does the tab that is shown still run?"""
        return not tabs.crashed and (not tabs.pages or await answers(tabs.page))

    async def _ready(self) -> BrowserContext:
        """The context; a new one knows no walks. Raises BrowserError."""
        if not self._session.alive:
            self._walks.clear()
        return await self._session.context()

    async def _give_up(self, walk: str) -> None:
        """Close a walk's tabs; where they or the browser do not answer, the browser is ended."""
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._close(walk)
        except (Error, TimeoutError):
            await self._session.kill()
        await self._session.probe()

    def _masked(self, error: WebError) -> WebError:
        """The error without secrets."""
        error.what, error.mend = self._secrets.mask(error.what), self._secrets.mask(error.mend)
        error.args = (f"{error.what} {error.mend}".strip(),)
        return error


def _page(tabs: Tabs) -> Page | None:
    return tabs.page if tabs.pages else None
