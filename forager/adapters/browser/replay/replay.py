"""Replays a trajectory in new tabs; its existing tabs are not touched."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NoReturn

from playwright.async_api import BrowserContext, Error

from forager.adapters.browser.guard.read_only_tabs import ReadOnlyTabs
from forager.adapters.browser.look.settle import BUSY, STILL_LOADING
from forager.adapters.browser.replay.replay_plan import (
    ON_ELEMENTS,
    REPLAY_MEND,
    TO_ELEMENTS,
    Stage,
    is_order_set,
    last_stage_by_tab,
    load_stages,
    possible_starts,
    retarget_action,
)
from forager.adapters.browser.tabs import ActionEffects, Tabs
from forager.browsing.same_state import state_difference
from forager.browsing.volatile import stable_url
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.errors import ActionError, ReplayError, WebError
from forager.ports import Blobs

REPLAY_SECONDS: Final = 30.0
"""Time limit for a whole replay."""
CLOSE_SECONDS: Final = 3.0
REPLAY_PATIENCE: Final = 3.0
"""How long to wait for an element, or for a view to become complete."""
IMPATIENT_SHARE: Final = 0.4
"""The share of the patience to use if there is another page to start from."""
LOOK_AGAIN: Final = 0.15
WITHOUT_EFFECT: Final = frozenset({"find", "visit", "search", "aggregate", "stop"})

TakeSnapshot = Callable[[Tabs], Awaitable[Snapshot]]


@dataclass(frozen=True)
class ReplaySetting:
    """How to replay: `tabs` makes new tabs in `context`, and `look` takes snapshots of them.

    `seconds` limits the whole replay, and `patience` the wait for late content.
    """

    context: BrowserContext
    tabs: Callable[[], Tabs]
    look: TakeSnapshot = Tabs.take_snapshot
    seconds: float = REPLAY_SECONDS
    patience: float = REPLAY_PATIENCE


async def replay_trajectory(steps: Sequence[Step], blobs: Blobs, setting: ReplaySetting) -> Tabs:
    """New tabs that show the view of the last step, replayed from the nearest page to reopen.

    Until that view is reached, the tabs send only GET and HEAD. Steps up to the last one with a
    side effect are not repeated. Raises ReplayError, after closing all tabs it opened.
    """
    try:
        async with asyncio.timeout(setting.seconds):
            stages = await load_stages(steps, blobs)
            for start in possible_starts(stages):
                if tabs := await _replay_from(stages, start, setting):
                    return tabs
    except TimeoutError as error:
        took = f"The replay took longer than {setting.seconds:g} s."
        raise ReplayError(took, REPLAY_MEND) from error
    except ReplayError:
        raise
    except WebError as error:
        raise ReplayError(f"The steps cannot be replayed: {error.what}", REPLAY_MEND) from error
    except Error as error:
        raise ReplayError(f"The steps cannot be replayed: {error.message}", REPLAY_MEND) from error
    raise ReplayError(
        "No page of the trajectory shows what it showed before when it is reopened.", REPLAY_MEND
    )


async def _replay_from(stages: Sequence[Stage], start: int, setting: ReplaySetting) -> Tabs | None:
    """Replay from a stage on in new tabs; None if that stage cannot be reopened."""
    replayer = _Replayer(setting, stages)
    stands = False
    async with ReadOnlyTabs(setting.context, replayer.tabs) as read_only:
        try:
            if not await replayer.open_start(stages[: start + 1]):
                return None
            for before, stage in zip(stages[start:], stages[start + 1 :], strict=False):
                await replayer.redo_step(stage, before, read_only)
            if why := await replayer.find_difference(stages):
                aborted = (
                    f" It needs {_describe_refused(read_only)}, which is not sent again."
                    * bool(read_only.refused)
                )
                raise ReplayError(
                    f"The steps lead to another view now. {why}{aborted}", REPLAY_MEND
                )
            stands = True
        finally:
            if not stands:
                await _close_quietly(replayer.tabs)
    return replayer.tabs


async def _close_quietly(tabs: Tabs) -> None:
    with suppress(TimeoutError):  # tabs that hang are closed with their browser
        async with asyncio.timeout(CLOSE_SECONDS):
            await tabs.close()


class _Replayer:
    """Repeats the steps of a trajectory in new tabs."""

    def __init__(self, setting: ReplaySetting, stages: Sequence[Stage]) -> None:
        self.tabs = setting.tabs()
        self._look = setting.look
        self._patience = setting.patience
        self._expected = {note for stage in stages for note in stage.view.notes}
        self._expected |= {STILL_LOADING, BUSY}

    async def open_start(self, stages: Sequence[Stage]) -> bool:
        """Open the page of the last stage; returns whether it shows what it showed before.

        The very first stage may show anything, as the trajectory starts there.
        """
        stage = stages[-1]
        begins = len(stages) == 1 and not stage.step.harm and len(stage.view.tabs) <= 1
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
        return not await self.find_difference(stages, IMPATIENT_SHARE)

    async def redo_step(self, stage: Stage, before: Stage, read_only: ReadOnlyTabs) -> None:
        """Repeat a step's action. Raises ReplayError."""
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
        if any(sent.resource == "document" for sent in read_only.refused):
            _fail_step(stage, f"It needs {_describe_refused(read_only)}, which is not sent again.")

    async def find_difference(self, stages: Sequence[Stage], share: float = 1.0) -> str:
        """Why the tabs do not show what they showed before, after waiting for late content."""
        view, in_order = stages[-1].view, is_order_set(stages)

        def judged(shown: Snapshot) -> str:
            listed = [stable_url(page.url) for page in self.tabs.pages]
            if view.tabs and listed != [stable_url(tab.url) for tab in view.tabs]:
                return "Other tabs are open."
            if view.tabs and self.tabs.active != view.active:
                return "Another tab is shown."
            return state_difference(stages[-1].shown, shown, ordered=in_order)

        if why := await self._look_until(judged, share):
            return why
        return await self._hidden_difference(stages)

    async def _hidden_difference(self, stages: Sequence[Stage]) -> str:
        """Why a background tab differs from what it showed last."""
        active, why = stages[-1].view.active, ""
        for number, index in enumerate(last_stage_by_tab(stages)):
            if number == active or index is None or why:
                continue
            await self._focus_tab(number)
            stage, in_order = stages[index], is_order_set(stages[: index + 1])
            why = state_difference(stage.shown, await self._look(self.tabs), ordered=in_order)
        if self.tabs.active != active:
            await self._focus_tab(active)
        return why

    async def _focus_tab(self, number: int) -> None:
        await self.tabs.do_action(Action(kind="focus_tab", target=str(number)))

    async def _retarget_action(self, stage: Stage, before: Stage) -> Action:
        """Replace the refs of a step's action by those of the page as it is now."""
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
        """Take snapshots until `judge` finds no fault, or until the patience is over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience * share
        while why := judge(await self._look(self.tabs)):
            if loop.time() > end:
                return why
            await asyncio.sleep(LOOK_AGAIN)
        return ""

    def _check_notes(self, done: ActionEffects, stage: Stage) -> None:
        """Raises ReplayError if there is a note that the original steps did not have."""
        for note in done.notes:
            if note not in self._expected:
                _fail_step(stage, note)


def _fail_step(stage: Stage, why: str) -> NoReturn:
    action = stage.step.action
    name = f" {action.element.name!r}" if action.element else f" {action.target}".rstrip()
    what = f"Step {stage.step.id} ({action.kind}{name}) cannot be repeated. {why}"
    raise ReplayError(what, REPLAY_MEND)


def _describe_refused(read_only: ReadOnlyTabs) -> str:
    """Describe the blocked requests."""
    return ", ".join(dict.fromkeys(f"{sent.method} {sent.url}" for sent in read_only.refused[:3]))
