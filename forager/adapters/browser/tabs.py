"""The tabs of a walk: what they show, and what is done in them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Download, Error, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.perform import Reveal, perform
from forager.adapters.browser.actions.side_events import Beside
from forager.adapters.browser.look import snapshot
from forager.adapters.browser.look.page_traffic import Traffic
from forager.adapters.browser.look.settle import arm, settle
from forager.adapters.browser.look.tab_history import History
from forager.adapters.browser.playwright_errors import translated
from forager.adapters.browser.timeouts import Patience
from forager.domain.actions import Action
from forager.domain.browser import Sent, Snapshot, Tab
from forager.errors import ActionError, AddressError, BrowserError, ConnectError

BLANK: Final = "about:blank"
PATIENT: Final = Patience()


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an action beside the view: what is to be told, what it sent and downloaded."""

    notes: tuple[str, ...] = ()
    sent: tuple[Sent, ...] = ()
    downloads: tuple[Download, ...] = ()


def as_it_is(text: str, url: str = "") -> str:
    """Reveals nothing, and hides nothing."""
    return text


class Tabs:
    """Tabs of a context that belong to one walk; those that they open join them.

    `reveal` gives what is really typed for a text, into a frame with an address; `mask` is what may
    be told of a text.
    """

    def __init__(
        self,
        context: BrowserContext,
        reveal: Reveal = as_it_is,
        patience: Patience = PATIENT,
        mask: Callable[[str], str] = as_it_is,
    ) -> None:
        self.patience = patience
        self._context = context
        self._reveal = reveal
        self._beside = Beside(patience.act, mask)

    @property
    def pages(self) -> list[Page]:
        """The open tabs."""
        return self._beside.pages

    @property
    def active(self) -> int:
        """The number of the tab that is shown."""
        return self._beside.active

    @property
    def crashed(self) -> bool:
        """Has one of the tabs crashed?"""
        return bool(self._beside.crashed)

    @property
    def page(self) -> Page:
        """The tab that is shown. Raises BrowserError if there is none or it crashed."""
        if not self.pages:
            raise BrowserError("No tab is open.", "Go to an address first.")
        page = self.pages[self.active]
        if page in self._beside.crashed:
            raise BrowserError(f"The tab with {page.url} crashed.")
        return page

    async def snapshot(self) -> Snapshot:
        """What the active tab shows. Raises BrowserError."""
        return await snapshot.take(self.page) if self.pages else Snapshot(url=BLANK)

    async def listed(self) -> tuple[Tab, ...]:
        """The tabs with their titles."""
        return tuple([Tab(url=page.url, title=await _title(page)) for page in self.pages])

    async def open(self, url: str) -> Done:
        """Go to an address in the active tab. Raises WebError."""
        return await self.do(Action(kind="goto", target=url))

    async def do(self, action: Action) -> Done:
        """Do it and wait until the page has settled. Raises ActionError and other WebErrors."""
        if not self.pages:
            await self._add()
        beside = self._beside
        beside.begin(action.value if action.kind == "click" else "")
        with Traffic(self._context) as traffic:
            try:
                async with asyncio.timeout(self.patience.most):
                    await self._do(action)
                    notes = await self._settled(traffic)
            except TimeoutError as error:
                raise BrowserError(f"The page hung on {action.kind} {action.target}.") from error
            finally:
                beside.answer = ""
            told, downloads = beside.drain()
            sent = traffic.sent(beside.known)
        return Done(notes=(*told, *notes), sent=sent, downloads=downloads)

    async def close(self) -> None:
        """Close all tabs."""
        await self._beside.aclose()

    async def _do(self, action: Action) -> None:
        match action.kind:
            case "goto":
                await self._go(action.target)
            case "new_tab":
                await self._add()
                if action.target:
                    await self._go(action.target)
            case "focus_tab":
                self._beside.active = self._number(action.target)
                await self.page.bring_to_front()
            case "close_tab":
                await self._close(action.target)
            case "back" | "forward":
                await self._turn(action.kind)
            case _:
                await self._act(action)

    async def _act(self, action: Action) -> None:
        """Act on the page, which is armed while the element is looked for."""
        arming = asyncio.ensure_future(arm(self.page, self.patience))
        try:
            if not action.target or action.kind == "scroll":
                await arming
            await perform(self.page, action, self._reveal)
        finally:
            await arming

    async def _settled(self, traffic: Traffic) -> tuple[str, ...]:
        """Wait for the tab that is shown, and for one that it opens, which is then shown."""
        if not self.pages:
            return ()
        page = self.page
        rest = await settle(page, traffic, self.patience)
        if rest.openings:
            await self._beside.opened(rest.openings, self.patience.opening)
        if self.pages and self.page != page:
            rest = await settle(self.page, traffic, self.patience)
        return rest.notes

    async def _add(self) -> None:
        try:
            page = await self._context.new_page()
        except Error as error:
            raise BrowserError("No tab can be opened.") from error
        self._beside.adopt(page)

    async def _go(self, url: str) -> None:
        if url != BLANK and urlsplit(url).scheme not in {"http", "https"}:
            mend = "Give one that begins with http:// or https://."
            raise AddressError(f"{url} is not an address of the web.", mend)
        try:
            answer = await self.page.goto(
                url, wait_until="commit", timeout=self.patience.answer * 1000
            )
        except PlaywrightTimeout as error:
            raise ConnectError(f"{url} did not answer in {self.patience.answer:g} s.") from error
        except Error as error:
            if "Download is starting" in error.message:
                return
            raise translated(error, f"Going to {url}") from error
        if answer and answer.status >= 400:  # noqa: PLR2004
            self._beside.notes.append(f"The server answered with the error {answer.status}.")

    async def _turn(self, way: str) -> None:
        history = await History.of(self.page)
        if not (history.back if way == "back" else history.forward):
            raise ActionError(f"There is no page to go {way} to.")
        turn = self.page.go_back if way == "back" else self.page.go_forward
        try:
            await turn(wait_until="commit", timeout=self.patience.answer * 1000)
        except Error as error:
            raise translated(error, f"Going {way}") from error

    async def _close(self, target: str) -> None:
        number = self._number(target) if target else self.active
        if len(self.pages) == 1:
            raise ActionError("The last tab is not closed.")
        await self._beside.close(self.pages[number])

    def _number(self, said: str) -> int:
        if not said.isdecimal() or int(said) >= len(self.pages):
            mend = f"There are {len(self.pages)} tabs, counted from 0."
            raise ActionError(f"There is no tab {said!r}.", mend)
        return int(said)


async def _title(page: Page) -> str:
    try:
        return await page.title()
    except Error:  # it is on its way elsewhere
        return ""
