"""The Browser port: one Chromium process, a context per session, tabs per walk."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

from playwright.async_api import BrowserContext, Error, Page

from forager.adapters.browser.actions import live_validity
from forager.adapters.browser.actions.examiner import ActionExaminer
from forager.adapters.browser.guard.permitted_urls import PermittedUrls
from forager.adapters.browser.look import marked_screenshot
from forager.adapters.browser.look.screenshots import ActionScreenshots
from forager.adapters.browser.look.views import PageViews
from forager.adapters.browser.playwright_errors import translate_error
from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.adapters.browser.process.downloads import Downloads
from forager.adapters.browser.process.engine import Engine
from forager.adapters.browser.process.session_context import (
    PROBE_SECONDS,
    SessionContext,
    tab_answers,
)
from forager.adapters.browser.replay.replay import REPLAY_SECONDS, ReplaySetting, replay_trajectory
from forager.adapters.browser.replay.retarget import ON_ELEMENTS, TO_ELEMENTS, retarget_action
from forager.adapters.browser.secrets import read_secrets
from forager.adapters.browser.tabs import ActionResult, Tabs
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
class OpenTrajectory:
    """Its tabs, the step it stands at, and what was held against the action examined last.

    `gated` is an action that a gate stood before, `then` the view that was walked to again: what
    was proposed there has other refs in these tabs.
    """

    tabs: Tabs
    at: str = ""
    judged: tuple[Action, str] | None = None
    gated: Action | None = None
    then: Snapshot | None = None

    async def retarget(self, action: Action, shown: PageViews) -> Action:
        """The action with the refs of these tabs. Raises ActionError."""
        if self.then is None or action.kind not in ON_ELEMENTS | TO_ELEMENTS:
            return action
        return retarget_action(
            action, self.then, shown.mask_snapshot(await self.tabs.take_snapshot())
        )


async def load_last_view(trail: Sequence[Step], blobs: Blobs) -> Snapshot | None:
    """The view that a trail leads to."""
    view = trail[-1].view if trail else None
    if view is None or not view.blob:
        return None
    return Snapshot.model_validate_json(await asyncio.to_thread(blobs.get, view.blob))


NO_STEP = "?"
"""A walk stands at no step that could be named."""
REPLAY_SHARE = 0.8
"""Of the time limit of an action, what a replay may take: it gives up by itself."""
REPLACED = "It was replaced; the walk is brought back to where it stood."


class PlaywrightBrowser:
    """Starts no process before it is asked."""

    def __init__(
        self, settings: Settings, blobs: Blobs, engine: Engine | None = None, session: str = ""
    ) -> None:
        """With an engine of its own unless one is shared. Raises UsageError.

        What sites keep in the browser outlives the process if the session has an id.
        """
        self._settings = settings
        self._blobs = blobs
        self._session = SessionContext(engine or Engine(settings), CookieJar(settings, session))
        self._shared = engine is not None
        self._secrets = read_secrets(settings.secrets)
        self._permits = PermittedUrls(settings)
        self._examiner = ActionExaminer(self._permits)
        self._shown = PageViews(settings, blobs, self._secrets)
        self._shots = ActionScreenshots(settings, blobs, self._secrets)
        self._downloads = Downloads(settings, uuid4().hex[:12], self._secrets.mask)
        self._walks: dict[str, OpenTrajectory] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def stand(self, walk: str, trail: Sequence[Step]) -> None:
        """Be where the trail led. Raises ReplayError and BrowserError."""
        at = trail[-1].id if trail else ""
        async with self._guarded_call(walk) as context:
            before = self._walks.get(walk)
            if before and before.at == at:
                if await self._shown_tab_runs(before.tabs):
                    return
                await self._give_up(walk)
                before = None
            ground = context if self._session.is_alive else await self._ready_context()
            then = await load_last_view(trail, self._blobs)
            tabs = await self._replay_trajectory(ground, trail) if trail else self._new_tabs(ground)
            self._walks[walk] = OpenTrajectory(tabs, at, then=then)
            if before:
                await before.tabs.close()

    async def examine(self, walk: str, action: Action) -> Examined:
        """Hold an action against the page. Raises BrowserError."""
        async with self._guarded_call(walk) as context:
            standing = self._open_trajectory(walk, context)
            standing.judged = None
            try:
                action = await standing.retarget(action, self._shown)
            except ActionError as error:
                return Examined(fault=self._secrets.mask(str(error)))
            if fault := await self._examiner.address_fault(_shown_page(standing.tabs), action):
                return Examined(fault=self._secrets.mask(fault))
            why = await self._side_effect_of(standing, action)
            live = await live_validity.examine_action(standing.tabs, action, harmful=bool(why))
            passed = not live.gate and standing.gated == action
            standing.gated = action if live.gate else None
            mask = self._secrets.mask
            return Examined(fault=mask(live.fault), harm=why, gate=mask(live.gate), passed=passed)

    async def perform(self, walk: str, action: Action, step: str = "") -> Performed:
        """Do it, settle, look. Raises WebError."""
        async with self._guarded_call(walk) as context:
            standing = self._open_trajectory(walk, context)
            action = await standing.retarget(action, self._shown)
            await self._examiner.require_permitted(action)
            stood, standing.at = standing.at, NO_STEP
            try:
                performed = await self._do_and_look(standing, action)
            except ActionError:
                standing.at = stood
                raise
            standing.at, standing.then = step, None
            await self._session.remember_storage(_shown_page(standing.tabs))
            return performed

    async def render(self, url: str) -> Opened:
        """A page as a browser shows it. Raises WebError."""
        await self._permits.require_permitted(url)
        walk = f"render {uuid4().hex}"
        try:
            async with self._guarded_call(walk) as context:
                tabs = self._open_trajectory(walk, context).tabs
                await self._do_action(tabs, Action(kind="goto", target=url))
                return await self._read_document(tabs)
        finally:
            await self.leave(walk)

    async def picture(self, walk: str) -> bytes:
        """A screenshot with refs. Raises BrowserError."""
        async with self._guarded_call(walk) as context:
            standing = self._open_trajectory(walk, context)
            return await marked_screenshot.take_marked_screenshot(standing.tabs.page)

    async def leave(self, walk: str) -> None:
        """Close the walk's tabs."""
        async with self._locks[walk]:
            await self._close_tabs(walk)
        self._locks.pop(walk, None)

    async def aclose(self) -> None:
        """Close the context, and the browser unless others share it."""
        self._walks.clear()
        await self._session.close()
        await self._permits.aclose()
        if not self._shared:
            await self._session.engine.aclose()

    async def _do_and_look(self, standing: OpenTrajectory, action: Action) -> Performed:
        tabs = standing.tabs
        left = tabs.page.url if tabs.pages else ""
        why = await self._side_effect_of(standing, action)
        picture = await self._shots.take_before(tabs, action)
        done = await self._do_action(tabs, action)
        notes, opened = await self._keep_downloads(tabs, done)
        view, snapshot = await self._shown.take_view(tabs, (*done.notes, *notes))
        picture = picture or await self._shots.take_after(tabs, action)
        view = view.model_copy(update=picture)
        if opened is None:
            opened = await self._read_document(tabs)
        if tabs.page.url.partition("#")[0] != left.partition("#")[0]:
            running().pages_fetched += 1
        sent = self._shown.mask_sent(done.sent)
        changed = judge.after(sent, action, why, snapshot.tree)
        return Performed(view=view, opened=opened, sent=sent, harm=changed)

    async def _side_effect_of(self, standing: OpenTrajectory, action: Action) -> str:
        """Why the action may change something on the server, or empty."""
        if standing.judged is None or standing.judged[0] != action:
            why = await self._examiner.side_effect(_shown_page(standing.tabs), action)
            standing.judged = action, self._secrets.mask(why)
        return standing.judged[1]

    async def _do_action(self, tabs: Tabs, action: Action) -> ActionResult:
        """Raises WebError: of the guard in the network, where that was the reason."""
        proxy = self._session.engine.proxy
        before = proxy.last_refusal
        try:
            done = await tabs.do_action(action)
            if tabs.pages and tabs.page.url.startswith("chrome-error:"):
                raise ConnectError("The action led to a page that cannot be had.")
        except ConnectError as error:
            if tabs.crashed:
                raise BrowserError("The tab crashed.", REPLACED) from error
            last = proxy.last_refusal if proxy.last_refusal is not before else None
            raise proxy.refusal_for(action.target) or last or error from error
        return done

    async def _read_document(self, tabs: Tabs) -> Opened:
        """The page shown. Raises WebError where it is none that may be read."""
        url = tabs.page.url
        opened = await self._shown.read_document(tabs.page)
        refusal = self._session.engine.proxy.refusal_for(url)
        if refusal and refusal.what in opened.document.text:
            raise refusal
        if url.startswith("http"):
            await self._permits.require_permitted(url)
        return opened

    async def _keep_downloads(
        self, tabs: Tabs, done: ActionResult
    ) -> tuple[tuple[str, ...], Opened | None]:
        """What became of the downloads, and the last of them that is a document."""
        notes, opened = [], None
        for download in done.downloads:
            url = download.url if download.url.startswith("http") else tabs.page.url
            kept = await self._downloads.keep_download(
                download, url, self._session.engine.download_progress
            )
            notes.append(kept.note)
            if kept.document is not None:
                opened = await self._shown.store_document(kept.document)
        return tuple(notes), opened

    async def _replay_trajectory(self, context: BrowserContext, trail: Sequence[Step]) -> Tabs:
        """The way walked again in other tabs. Raises ReplayError."""

        async def look(tabs: Tabs) -> Snapshot:
            return self._shown.mask_snapshot(await tabs.take_snapshot())

        seconds = min(REPLAY_SECONDS, self._settings.browser_seconds * REPLAY_SHARE)
        ground = ReplaySetting(context, lambda: self._new_tabs(context), look, seconds)
        return await replay_trajectory(trail, self._blobs, ground)

    def _open_trajectory(self, walk: str, context: BrowserContext) -> OpenTrajectory:
        """The walk, which begins with no tab where it is not known."""
        return self._walks.setdefault(walk, OpenTrajectory(self._new_tabs(context)))

    def _new_tabs(self, context: BrowserContext) -> Tabs:
        return Tabs(context, self._secrets.reveal, mask=self._secrets.mask)

    async def _close_tabs(self, walk: str) -> None:
        standing = self._walks.pop(walk, None)
        if standing is not None:
            await standing.tabs.close()

    @asynccontextmanager
    async def _guarded_call(self, walk: str) -> AsyncIterator[BrowserContext]:
        """One call at a time for a walk, within its time; what fails becomes a WebError."""
        async with self._locks[walk]:
            try:
                context = await self._ready_context()
                async with asyncio.timeout(self._settings.browser_seconds):
                    yield context
            except TimeoutError as error:
                await self._give_up(walk)
                seconds = self._settings.browser_seconds
                raise BrowserError(f"The page hung for {seconds:g} s.", REPLACED) from error
            except Error as error:
                await self._give_up(walk)
                raise self._mask_error(translate_error(error, "The action")) from None
            except BrowserError as error:
                if not isinstance(error, ActionError | ReplayError):
                    await self._give_up(walk)
                raise self._mask_error(error) from None
            except WebError as error:
                raise self._mask_error(error) from None

    async def _shown_tab_runs(self, tabs: Tabs) -> bool:
        """Does the tab that is shown still run?"""
        return not tabs.crashed and (not tabs.pages or await tab_answers(tabs.page))

    async def _ready_context(self) -> BrowserContext:
        """The context; a new one knows no walks. Raises BrowserError."""
        if not self._session.is_alive:
            self._walks.clear()
        return await self._session.open_context()

    async def _give_up(self, walk: str) -> None:
        """Close a walk's tabs; where they or the browser do not answer, the browser is ended."""
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._close_tabs(walk)
        except (Error, TimeoutError):
            await self._session.kill_browser()
        await self._session.probe_browser()

    def _mask_error(self, error: WebError) -> WebError:
        """The error without secrets."""
        error.what, error.mend = self._secrets.mask(error.what), self._secrets.mask(error.mend)
        error.args = (f"{error.what} {error.mend}".strip(),)
        return error


def _shown_page(tabs: Tabs) -> Page | None:
    return tabs.page if tabs.pages else None
