"""The Browser port: one Chromium process, a context per session, tabs per trajectory."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from uuid import uuid4

from playwright.async_api import BrowserContext, Error, Page

from forager.adapters.browser.actions.action_check import ActionExaminer, examine_action
from forager.adapters.browser.guard.permitted_urls import PermittedUrls
from forager.adapters.browser.look.screenshots import ActionScreenshots, take_marked_screenshot
from forager.adapters.browser.look.views import PageViews
from forager.adapters.browser.playwright_calls import translate_error
from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.adapters.browser.process.downloads import Downloads
from forager.adapters.browser.process.engine import Engine
from forager.adapters.browser.process.session_context import (
    PROBE_SECONDS,
    SessionContext,
    tab_answers,
)
from forager.adapters.browser.replay.replay import REPLAY_SECONDS, ReplaySetting, replay_trajectory
from forager.adapters.browser.replay.replay_plan import ON_ELEMENTS, TO_ELEMENTS, retarget_action
from forager.adapters.browser.tabs import ActionEffects, Tabs
from forager.adapters.web.secrets import read_secrets
from forager.browsing.safety import address_verbs, judge
from forager.budget import current_meter
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.documents import OpenedPage
from forager.domain.state import Step
from forager.errors import (
    ActionError,
    AddressError,
    BrowserError,
    ConnectError,
    ReplayError,
    WebError,
)
from forager.ports import ActionCheck, ActionResult, Blobs
from forager.settings import Settings
from forager.util import telemetry


@dataclass(slots=True)
class OpenTrajectory:
    """A trajectory's tabs, the step whose view they show, and the last examined action.

    `judged` is that action with the reason why it may have a side effect. `gated` is an action that
    was stopped by a gate. While `person_acts` is entered, a person passes it in the visible
    browser, who may send anything. `then` is the original view after a replay: actions proposed for
    it have other refs in these tabs.
    """

    tabs: Tabs
    at: str = ""
    judged: tuple[Action, str] | None = None
    gated: Action | None = None
    then: Snapshot | None = None
    person_acts: ExitStack = field(default_factory=ExitStack)

    async def retarget(self, action: Action, shown: PageViews) -> Action:
        """Replace the refs of an action by those of these tabs. Raises ActionError."""
        if self.then is None or action.kind not in ON_ELEMENTS | TO_ELEMENTS:
            return action
        return retarget_action(
            action, self.then, shown.mask_snapshot(await self.tabs.take_snapshot())
        )


async def load_last_view(steps: Sequence[Step], blobs: Blobs) -> Snapshot | None:
    """The view after the last step, or None if it was not stored."""
    view = steps[-1].view if steps else None
    if view is None or not view.blob:
        return None
    return Snapshot.model_validate_json(await asyncio.to_thread(blobs.get, view.blob))


NO_STEP = "?"
"""The step of tabs that show no known view."""
REPLAY_SHARE = 0.8
"""The share of an action's time limit that a replay may take before it gives up."""
REPLACED = "It was replaced; the next action returns to the last view."


class PlaywrightBrowser:
    """The Browser port on Playwright. Starts no process before its first call."""

    def __init__(
        self, settings: Settings, blobs: Blobs, engine: Engine | None = None, session: str = ""
    ) -> None:
        """Use a shared engine, or start one of its own. Raises UsageError.

        Cookies and local storage outlive the process if the session has an id.
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
        self._trajectories: dict[str, OpenTrajectory] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def restore(self, trajectory: str, steps: Sequence[Step]) -> None:
        """Show the view that the steps led to, by a replay if needed.

        Raises ReplayError and BrowserError.
        """
        at = steps[-1].id if steps else ""
        async with self._guarded_call(trajectory) as context:
            before = self._trajectories.get(trajectory)
            if before and before.at == at:
                if await self._shown_tab_runs(before.tabs):
                    return
                await self._give_up(trajectory)
                before = None
            ground = context if self._session.is_alive else await self._ready_context()
            then = await load_last_view(steps, self._blobs)
            tabs = await self._replay_trajectory(ground, steps) if steps else self._new_tabs(ground)
            self._trajectories[trajectory] = OpenTrajectory(tabs, at, then=then)
            if before:
                await before.tabs.close()

    async def examine(self, trajectory: str, action: Action) -> ActionCheck:
        """Check an action against the page without performing it. Raises BrowserError."""
        async with self._guarded_call(trajectory) as context:
            current = self._open_trajectory(trajectory, context)
            current.person_acts.close()
            current.judged = None
            try:
                action = await current.retarget(action, self._shown)
            except ActionError as error:
                return ActionCheck(fault=self._secrets.mask(str(error)))
            if fault := await self._examiner.address_fault(_shown_page(current.tabs), action):
                return ActionCheck(fault=self._secrets.mask(fault))
            why = await self._side_effect_of(current, action)
            live = await examine_action(current.tabs, action, harmful=bool(why))
            passed = not live.gate and current.gated == action
            current.gated = action if live.gate else None
            if live.gate and self._settings.headed:
                current.person_acts.enter_context(self._session.approve_requests())
            mask = self._secrets.mask
            return ActionCheck(
                fault=mask(live.fault), harm=why, gate=mask(live.gate), passed=passed
            )

    async def perform(self, trajectory: str, action: Action, step: str = "") -> ActionResult:
        """Perform an action, wait until the page has settled, and read it. Raises WebError."""
        with telemetry.span("action", forager__action=action.kind):
            return await self._perform(trajectory, action, step)

    async def _perform(self, trajectory: str, action: Action, step: str) -> ActionResult:
        async with self._guarded_call(trajectory) as context:
            current = self._open_trajectory(trajectory, context)
            current.person_acts.close()
            action = await current.retarget(action, self._shown)
            await self._examiner.require_permitted(action)
            stood, current.at = current.at, NO_STEP
            try:
                performed = await self._do_and_look(current, action)
            except ActionError:
                current.at = stood
                raise
            current.at, current.then = step, None
            await self._session.remember_storage(_shown_page(current.tabs))
            return performed

    async def render(self, url: str) -> OpenedPage:
        """Read a page as a browser renders it, in a tab of its own. Raises WebError.

        Who asks for a page whose URL says that it changes something has approved that.
        """
        await self._permits.require_permitted(url)
        trajectory = f"render {uuid4().hex}"
        try:
            async with self._guarded_call(trajectory) as context:
                tabs = self._open_trajectory(trajectory, context).tabs
                action = Action(kind="goto", target=url)
                asked = judge.expected_side_effect(None, action)
                done = await self._do_action(tabs, action, approved=bool(asked))
                _, downloaded = await self._keep_downloads(tabs, done)
                return downloaded or await self._read_document(tabs)
        finally:
            await self.close_tabs(trajectory)

    async def screenshot(self, trajectory: str) -> bytes:
        """A screenshot (PNG) marked with the refs of elements. Raises BrowserError."""
        async with self._guarded_call(trajectory) as context:
            current = self._open_trajectory(trajectory, context)
            return await take_marked_screenshot(current.tabs.page)

    async def close_tabs(self, trajectory: str) -> None:
        """Close the trajectory's tabs."""
        async with self._locks[trajectory]:
            await self._close_tabs(trajectory)
        self._locks.pop(trajectory, None)

    async def aclose(self) -> None:
        """Close the context, and the browser too unless it is shared."""
        self._trajectories.clear()
        await self._session.close()
        await self._permits.aclose()
        if not self._shared:
            await self._session.engine.aclose()

    async def _do_and_look(self, current: OpenTrajectory, action: Action) -> ActionResult:
        tabs = current.tabs
        left = tabs.page.url if tabs.pages else ""
        why = await self._side_effect_of(current, action)
        picture = await self._shots.take_before(tabs, action)
        done = await self._do_action(tabs, action, approved=bool(why))
        notes, opened = await self._keep_downloads(tabs, done)
        view, snapshot = await self._shown.take_view(tabs, (*done.notes, *notes))
        picture = picture or await self._shots.take_after(tabs, action)
        view = view.model_copy(update=picture)
        if opened is None:
            opened = await self._read_document(tabs)
        if tabs.page.url.partition("#")[0] != left.partition("#")[0]:
            current_meter().pages_fetched += 1
        sent = self._shown.mask_sent(done.sent)
        changed = judge.confirmed_side_effect(sent, action, why, snapshot.tree)
        return ActionResult(view=view, opened=opened, sent=sent, harm=changed)

    async def _side_effect_of(self, current: OpenTrajectory, action: Action) -> str:
        """Why the action may change something on the server; empty if it does not."""
        if current.judged is None or current.judged[0] != action:
            why = await self._examiner.side_effect(_shown_page(current.tabs), action)
            if not why and (refused := current.tabs.refusal_before(action)):
                why = address_verbs.following_reason(f"it leads to {refused}")
            current.judged = action, self._secrets.mask(why)
        return current.judged[1]

    async def _do_action(self, tabs: Tabs, action: Action, *, approved: bool) -> ActionEffects:
        """Perform an action. Raises WebError: the proxy's refusal if that was the cause.

        Without approval, it sends nothing that may change something.
        """
        proxy = self._session.engine.proxy
        before = proxy.last_refusal
        passing = self._session.approve_requests() if approved else nullcontext()
        try:
            with passing:
                done = await tabs.do_action(action)
            if tabs.pages and tabs.page.url.startswith("chrome-error:"):
                raise ConnectError("The action led to a page that could not be loaded.")
        except ConnectError as error:
            if tabs.crashed:
                raise BrowserError("The tab crashed.", REPLACED) from error
            last = proxy.last_refusal if proxy.last_refusal is not before else None
            if isinstance(last, AddressError) and not proxy.refusal_for(action.target):
                last = AddressError(f"The page led to another one: {last.what}", last.mend)
            raise proxy.refusal_for(action.target) or last or error from error
        return done

    async def _read_document(self, tabs: Tabs) -> OpenedPage:
        """Read the page shown. Raises WebError if it must not be read."""
        url = tabs.page.url
        opened = await self._shown.read_document(tabs.page)
        refusal = self._session.engine.proxy.refusal_for(url)
        if refusal and refusal.what in opened.document.text:
            raise refusal
        if url.startswith("http"):
            await self._permits.require_permitted(url)
        return opened

    async def _keep_downloads(
        self, tabs: Tabs, done: ActionEffects
    ) -> tuple[tuple[str, ...], OpenedPage | None]:
        """Keep the downloads; returns notes about them, and the last one that is a document."""
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

    async def _replay_trajectory(self, context: BrowserContext, steps: Sequence[Step]) -> Tabs:
        """Replay the steps in new tabs. Raises ReplayError."""

        async def look(tabs: Tabs) -> Snapshot:
            return self._shown.mask_snapshot(await tabs.take_snapshot())

        seconds = min(REPLAY_SECONDS, self._settings.browser_seconds * REPLAY_SHARE)
        ground = ReplaySetting(context, lambda: self._new_tabs(context), look, seconds)
        return await replay_trajectory(steps, self._blobs, ground)

    def _open_trajectory(self, trajectory: str, context: BrowserContext) -> OpenTrajectory:
        """The open trajectory of that name; a new one has no tabs yet."""
        return self._trajectories.setdefault(trajectory, OpenTrajectory(self._new_tabs(context)))

    def _new_tabs(self, context: BrowserContext) -> Tabs:
        return Tabs(
            context,
            self._secrets.reveal,
            mask=self._secrets.mask,
            refusal_of=self._session.engine.approvals.refusal_for,
        )

    async def _close_tabs(self, trajectory: str) -> None:
        current = self._trajectories.pop(trajectory, None)
        if current is not None:
            current.person_acts.close()
            await current.tabs.close()

    @asynccontextmanager
    async def _guarded_call(self, trajectory: str) -> AsyncIterator[BrowserContext]:
        """Run one call at a time per trajectory, with a time limit; failures become WebErrors."""
        async with self._locks[trajectory]:
            try:
                context = await self._ready_context()
                async with asyncio.timeout(self._settings.browser_seconds):
                    yield context
            except TimeoutError as error:
                await self._give_up(trajectory)
                seconds = self._settings.browser_seconds
                raise BrowserError(
                    f"The page did not respond for {seconds:g} s.", REPLACED
                ) from error
            except Error as error:
                await self._give_up(trajectory)
                raise self._mask_error(translate_error(error, "The action")) from None
            except BrowserError as error:
                if not isinstance(error, ActionError | ReplayError):
                    await self._give_up(trajectory)
                raise self._mask_error(error) from None
            except WebError as error:
                raise self._mask_error(error) from None

    async def _shown_tab_runs(self, tabs: Tabs) -> bool:
        """Does the shown tab still respond?"""
        return not tabs.crashed and (not tabs.pages or await tab_answers(tabs.page))

    async def _ready_context(self) -> BrowserContext:
        """The session's context; a new one has no trajectories. Raises BrowserError."""
        if not self._session.is_alive:
            self._trajectories.clear()
        return await self._session.open_context()

    async def _give_up(self, trajectory: str) -> None:
        """Close a trajectory's tabs; if the browser does not respond, kill it."""
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._close_tabs(trajectory)
        except (Error, TimeoutError):
            await self._session.kill_browser()
        await self._session.probe_browser()

    def _mask_error(self, error: WebError) -> WebError:
        """Mask secrets in the error."""
        error.what, error.mend = self._secrets.mask(error.what), self._secrets.mask(error.mend)
        error.args = (f"{error.what} {error.mend}".strip(),)
        return error


def _shown_page(tabs: Tabs) -> Page | None:
    return tabs.page if tabs.pages else None
