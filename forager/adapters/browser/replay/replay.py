"""Walks a way again in tabs of its own; the walk's own tabs are not touched."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NoReturn

from playwright.async_api import BrowserContext, Error

from forager.adapters.browser.guard.read_only_tabs import ReadOnlyTabs
from forager.adapters.browser.look.settle import BUSY, STILL_LOADING
from forager.adapters.browser.replay.replay_plan import (
    REPLAY_MEND,
    Stage,
    is_order_set,
    last_stage_by_tab,
    load_stages,
    possible_starts,
)
from forager.adapters.browser.replay.retarget import ON_ELEMENTS, TO_ELEMENTS, retarget_action
from forager.adapters.browser.tabs import ActionResult, Tabs
from forager.browsing.same_state import state_difference
from forager.browsing.volatile import stable_url
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.errors import ActionError, ReplayError, WebError
from forager.ports import Blobs

REPLAY_SECONDS: Final = 30.0
"""How long a replay may take in all."""
CLOSE_SECONDS: Final = 3.0
REPLAY_PATIENCE: Final = 3.0
"""For an element, or the rest of a view."""
IMPATIENT_SHARE: Final = 0.4
"""Of the patience, where there is another page to begin from."""
LOOK_AGAIN: Final = 0.15
WITHOUT_EFFECT: Final = frozenset({"find", "visit", "search", "aggregate", "stop"})

TakeSnapshot = Callable[[Tabs], Awaitable[Snapshot]]


@dataclass(frozen=True)
class ReplaySetting:
    """Where a way is walked: new `tabs` of a context, looked at as the views of the trail were.

    `seconds` is how long it may take in all, `patience` how long what comes late is waited for.
    """

    context: BrowserContext
    tabs: Callable[[], Tabs]
    look: TakeSnapshot = Tabs.take_snapshot
    seconds: float = REPLAY_SECONDS
    patience: float = REPLAY_PATIENCE


async def replay_trajectory(trail: Sequence[Step], blobs: Blobs, ground: ReplaySetting) -> Tabs:
    """Tabs that stand where the last step of the trail led, from the nearest page to open anew.

    Until its view stands there again nothing but GET and HEAD leaves them. Nothing is done again
    up to the last step that changed something on the server. Raises ReplayError, with all that was
    opened closed.
    """
    try:
        async with asyncio.timeout(ground.seconds):
            way = await load_stages(trail, blobs)
            for start in possible_starts(way):
                if tabs := await _replay_from(way, start, ground):
                    return tabs
    except TimeoutError as error:
        took = f"The way took longer than {ground.seconds:g} s to walk."
        raise ReplayError(took, REPLAY_MEND) from error
    except ReplayError:
        raise
    except WebError as error:
        raise ReplayError(f"The way cannot be walked again: {error.what}", REPLAY_MEND) from error
    except Error as error:
        raise ReplayError(
            f"The way cannot be walked again: {error.message}", REPLAY_MEND
        ) from error
    raise ReplayError(
        "No page of the way shows what it showed when it is opened anew.", REPLAY_MEND
    )


async def _replay_from(way: Sequence[Stage], start: int, ground: ReplaySetting) -> Tabs | None:
    """The way from a stage on, in new tabs; None if that stage cannot be opened anew."""
    walker = _Replayer(ground, way)
    stands = False
    async with ReadOnlyTabs(ground.context, walker.tabs) as quiet:
        try:
            if not await walker.open_start(way[: start + 1]):
                return None
            for before, stage in zip(way[start:], way[start + 1 :], strict=False):
                await walker.redo_step(stage, before, quiet)
            if why := await walker.find_difference(way):
                aborted = f" It needs {_describe_refused(quiet)}, which is not sent again." * bool(
                    quiet.refused
                )
                raise ReplayError(f"The way leads elsewhere now. {why}{aborted}", REPLAY_MEND)
            stands = True
        finally:
            if not stands:
                await _close_quietly(walker.tabs)
    return walker.tabs


async def _close_quietly(tabs: Tabs) -> None:
    with suppress(TimeoutError):  # what hangs goes with its browser
        async with asyncio.timeout(CLOSE_SECONDS):
            await tabs.close()


class _Replayer:
    """Does the steps of a way in tabs."""

    def __init__(self, ground: ReplaySetting, way: Sequence[Stage]) -> None:
        self.tabs = ground.tabs()
        self._look = ground.look
        self._patience = ground.patience
        self._expected = {note for stage in way for note in stage.view.notes}
        self._expected |= {STILL_LOADING, BUSY}

    async def open_start(self, way: Sequence[Stage]) -> bool:
        """Open the page of the last stage; does it show what it showed?

        The first stage of all is where the way begins, whatever it shows.
        """
        stage = way[-1]
        begins = len(way) == 1 and not stage.step.harm and len(stage.view.tabs) <= 1
        if begins and stage.step.action.kind in {"goto", "new_tab"}:
            done = await self.tabs.open_url(stage.step.action.target)
            self._check_notes(done, stage)
            return True
        urls = [tab.url for tab in stage.view.tabs] or [stage.view.url]
        try:
            self._check_notes(await self.tabs.open_url(urls[0]), stage)
            for url in urls[1:]:
                self._check_notes(
                    await self.tabs.do_action(Action(kind="new_tab", target=url)), stage
                )
        except WebError:
            return False
        if len(self.tabs.pages) > 1:
            await self._focus_tab(stage.view.active)
        return not await self.find_difference(way, IMPATIENT_SHARE)

    async def redo_step(self, stage: Stage, before: Stage, quiet: ReadOnlyTabs) -> None:
        """Do a step's action again. Raises ReplayError."""
        action = stage.step.action
        if action.kind in WITHOUT_EFFECT:
            return
        if action.kind in ON_ELEMENTS | TO_ELEMENTS:
            action = await self._retarget_action(stage, before)
        try:
            done = await self.tabs.do_action(action)
        except WebError as error:
            _fail_step(stage, error.what)
        self._check_notes(done, stage)
        if any(sent.resource == "document" for sent in quiet.refused):
            _fail_step(stage, f"It needs {_describe_refused(quiet)}, which is not sent again.")

    async def find_difference(self, way: Sequence[Stage], share: float = 1.0) -> str:
        """Why the tabs do not show what they last showed, once what comes late had its time."""
        view, in_order = way[-1].view, is_order_set(way)

        def judged(shown: Snapshot) -> str:
            listed = [stable_url(page.url) for page in self.tabs.pages]
            if view.tabs and listed != [stable_url(tab.url) for tab in view.tabs]:
                return "Other tabs are open."
            if view.tabs and self.tabs.active != view.active:
                return "Another tab is shown."
            return state_difference(way[-1].shown, shown, ordered=in_order)

        if why := await self._look_until(judged, share):
            return why
        return await self._hidden_difference(way)

    async def _hidden_difference(self, way: Sequence[Stage]) -> str:
        """Why a tab that is not shown differs from what it last showed."""
        active, why = way[-1].view.active, ""
        for number, index in enumerate(last_stage_by_tab(way)):
            if number == active or index is None or why:
                continue
            await self._focus_tab(number)
            stage, in_order = way[index], is_order_set(way[: index + 1])
            why = state_difference(stage.shown, await self._look(self.tabs), ordered=in_order)
        if self.tabs.active != active:
            await self._focus_tab(active)
        return why

    async def _focus_tab(self, number: int) -> None:
        await self.tabs.do_action(Action(kind="focus_tab", target=str(number)))

    async def _retarget_action(self, stage: Stage, before: Stage) -> Action:
        """The action with the refs of the page as it is now."""
        action = stage.step.action

        def sought(shown: Snapshot) -> str:
            nonlocal action
            try:
                action = retarget_action(stage.step.action, before.shown, shown)
            except ActionError as error:
                return error.what
            return ""

        if why := await self._look_until(sought):
            _fail_step(stage, why)
        return action

    async def _look_until(self, judge: Callable[[Snapshot], str], share: float = 1.0) -> str:
        """Look until nothing is said against what is seen, or the patience is over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience * share
        while why := judge(await self._look(self.tabs)):
            if loop.time() > end:
                return why
            await asyncio.sleep(LOOK_AGAIN)
        return ""

    def _check_notes(self, done: ActionResult, stage: Stage) -> None:
        """Raises ReplayError if something happened beside that did not happen then."""
        for note in done.notes:
            if note not in self._expected:
                _fail_step(stage, note)


def _fail_step(stage: Stage, why: str) -> NoReturn:
    action = stage.step.action
    name = f" {action.element.name!r}" if action.element else f" {action.target}".rstrip()
    what = f"Step {stage.step.id} ({action.kind}{name}) cannot be done again. {why}"
    raise ReplayError(what, REPLAY_MEND)


def _describe_refused(quiet: ReadOnlyTabs) -> str:
    """The requests that were kept from leaving, in words."""
    return ", ".join(dict.fromkeys(f"{sent.method} {sent.url}" for sent in quiet.refused[:3]))
