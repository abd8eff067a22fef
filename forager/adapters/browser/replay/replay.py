"""Walks a way again in tabs of its own; the walk's own tabs are not touched."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NoReturn

from playwright.async_api import BrowserContext, Error

from forager.adapters.browser.guard.read_only_tabs import Quiet
from forager.adapters.browser.look.settle import BUSY, STILL_LOADING
from forager.adapters.browser.replay.replay_plan import (
    MEND,
    Stage,
    load,
    ordered,
    shown_last,
    starts,
)
from forager.adapters.browser.replay.retarget import ON_ELEMENTS, TO_ELEMENTS, aimed
from forager.adapters.browser.tabs import Done, Tabs
from forager.browsing.same_state import same
from forager.browsing.volatile import address
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.errors import ActionError, ReplayError, WebError
from forager.ports import Blobs

SECONDS: Final = 30.0
"""How long a replay may take in all."""
CLOSE_SECONDS: Final = 3.0
PATIENCE: Final = 3.0
"""For an element, or the rest of a view."""
IMPATIENT: Final = 0.4
"""Of the patience, where there is another page to begin from."""
LOOK_AGAIN: Final = 0.15
WITHOUT_EFFECT: Final = frozenset({"find", "visit", "search", "aggregate", "stop"})

Look = Callable[[Tabs], Awaitable[Snapshot]]


@dataclass(frozen=True)
class Ground:
    """Where a way is walked: new `tabs` of a context, looked at as the views of the trail were.

    `seconds` is how long it may take in all, `patience` how long what comes late is waited for.
    """

    context: BrowserContext
    tabs: Callable[[], Tabs]
    look: Look = Tabs.snapshot
    seconds: float = SECONDS
    patience: float = PATIENCE


async def replay(trail: Sequence[Step], blobs: Blobs, ground: Ground) -> Tabs:
    """Tabs that stand where the last step of the trail led, from the nearest page to open anew.

    Until its view stands there again nothing but GET and HEAD leaves them. Nothing is done again
    up to the last step that changed something on the server. Raises ReplayError, with all that was
    opened closed.
    """
    try:
        async with asyncio.timeout(ground.seconds):
            way = await load(trail, blobs)
            for start in starts(way):
                if tabs := await _attempt(way, start, ground):
                    return tabs
    except TimeoutError as error:
        took = f"The way took longer than {ground.seconds:g} s to walk."
        raise ReplayError(took, MEND) from error
    except ReplayError:
        raise
    except WebError as error:
        raise ReplayError(f"The way cannot be walked again: {error.what}", MEND) from error
    except Error as error:
        raise ReplayError(f"The way cannot be walked again: {error.message}", MEND) from error
    raise ReplayError("No page of the way shows what it showed when it is opened anew.", MEND)


async def _attempt(way: Sequence[Stage], start: int, ground: Ground) -> Tabs | None:
    """The way from a stage on, in new tabs; None if that stage cannot be opened anew."""
    walker = _Walker(ground, way)
    stands = False
    async with Quiet(ground.context, walker.tabs) as quiet:
        try:
            if not await walker.opened(way[: start + 1]):
                return None
            for before, stage in zip(way[start:], way[start + 1 :], strict=False):
                await walker.done(stage, before, quiet)
            if why := await walker.differs(way):
                aborted = f" It needs {_told(quiet)}, which is not sent again." * bool(
                    quiet.refused
                )
                raise ReplayError(f"The way leads elsewhere now. {why}{aborted}", MEND)
            stands = True
        finally:
            if not stands:
                await _close(walker.tabs)
    return walker.tabs


async def _close(tabs: Tabs) -> None:
    with suppress(TimeoutError):  # what hangs goes with its browser
        async with asyncio.timeout(CLOSE_SECONDS):
            await tabs.close()


class _Walker:
    """Does the steps of a way in tabs."""

    def __init__(self, ground: Ground, way: Sequence[Stage]) -> None:
        self.tabs = ground.tabs()
        self._look = ground.look
        self._patience = ground.patience
        self._expected = {note for stage in way for note in stage.view.notes}
        self._expected |= {STILL_LOADING, BUSY}

    async def opened(self, way: Sequence[Stage]) -> bool:
        """Open the page of the last stage; does it show what it showed?

        The first stage of all is where the way begins, whatever it shows.
        """
        stage = way[-1]
        begins = len(way) == 1 and not stage.step.harm and len(stage.view.tabs) <= 1
        if begins and stage.step.action.kind in {"goto", "new_tab"}:
            done = await self.tabs.open(stage.step.action.target)
            self._noted(done, stage)
            return True
        urls = [tab.url for tab in stage.view.tabs] or [stage.view.url]
        try:
            self._noted(await self.tabs.open(urls[0]), stage)
            for url in urls[1:]:
                self._noted(await self.tabs.do(Action(kind="new_tab", target=url)), stage)
        except WebError:
            return False
        if len(self.tabs.pages) > 1:
            await self._focus(stage.view.active)
        return not await self.differs(way, IMPATIENT)

    async def done(self, stage: Stage, before: Stage, quiet: Quiet) -> None:
        """Do a step's action again. Raises ReplayError."""
        action = stage.step.action
        if action.kind in WITHOUT_EFFECT:
            return
        if action.kind in ON_ELEMENTS | TO_ELEMENTS:
            action = await self._aimed(stage, before)
        try:
            done = await self.tabs.do(action)
        except WebError as error:
            _fail(stage, error.what)
        self._noted(done, stage)
        if any(sent.resource == "document" for sent in quiet.refused):
            _fail(stage, f"It needs {_told(quiet)}, which is not sent again.")

    async def differs(self, way: Sequence[Stage], share: float = 1.0) -> str:
        """Why the tabs do not show what they last showed, once what comes late had its time."""
        view, in_order = way[-1].view, ordered(way)

        def judged(shown: Snapshot) -> str:
            listed = [address(page.url) for page in self.tabs.pages]
            if view.tabs and listed != [address(tab.url) for tab in view.tabs]:
                return "Other tabs are open."
            if view.tabs and self.tabs.active != view.active:
                return "Another tab is shown."
            return same(way[-1].shown, shown, ordered=in_order)

        if why := await self._until(judged, share):
            return why
        return await self._hidden_differ(way)

    async def _hidden_differ(self, way: Sequence[Stage]) -> str:
        """Why a tab that is not shown differs from what it last showed."""
        active, why = way[-1].view.active, ""
        for number, index in enumerate(shown_last(way)):
            if number == active or index is None or why:
                continue
            await self._focus(number)
            stage, in_order = way[index], ordered(way[: index + 1])
            why = same(stage.shown, await self._look(self.tabs), ordered=in_order)
        if self.tabs.active != active:
            await self._focus(active)
        return why

    async def _focus(self, number: int) -> None:
        await self.tabs.do(Action(kind="focus_tab", target=str(number)))

    async def _aimed(self, stage: Stage, before: Stage) -> Action:
        """The action with the refs of the page as it is now."""
        action = stage.step.action

        def sought(shown: Snapshot) -> str:
            nonlocal action
            try:
                action = aimed(stage.step.action, before.shown, shown)
            except ActionError as error:
                return error.what
            return ""

        if why := await self._until(sought):
            _fail(stage, why)
        return action

    async def _until(self, judge: Callable[[Snapshot], str], share: float = 1.0) -> str:
        """Look until nothing is said against what is seen, or the patience is over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience * share
        while why := judge(await self._look(self.tabs)):
            if loop.time() > end:
                return why
            await asyncio.sleep(LOOK_AGAIN)
        return ""

    def _noted(self, done: Done, stage: Stage) -> None:
        """Raises ReplayError if something happened beside that did not happen then."""
        for note in done.notes:
            if note not in self._expected:
                _fail(stage, note)


def _fail(stage: Stage, why: str) -> NoReturn:
    action = stage.step.action
    name = f" {action.element.name!r}" if action.element else f" {action.target}".rstrip()
    what = f"Step {stage.step.id} ({action.kind}{name}) cannot be done again. {why}"
    raise ReplayError(what, MEND)


def _told(quiet: Quiet) -> str:
    """The requests that were kept from leaving, in words."""
    return ", ".join(dict.fromkeys(f"{sent.method} {sent.url}" for sent in quiet.refused[:3]))
