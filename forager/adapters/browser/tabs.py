"""The tabs of a trajectory: what they show, and actions in them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Download, Error, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.perform import Reveal, perform_action
from forager.adapters.browser.actions.side_events import TabEvents
from forager.adapters.browser.look import snapshot
from forager.adapters.browser.look.settle import PageTraffic, arm_page, owner_of, settle_page
from forager.adapters.browser.look.snapshot import TabHistory
from forager.adapters.browser.playwright_calls import Timeouts, translate_error
from forager.domain.actions import Action
from forager.domain.browser import SentRequest, Snapshot, Tab
from forager.errors import ActionError, AddressError, BrowserError, ConnectError

BLANK: Final = "about:blank"
DEFAULT_TIMEOUTS: Final = Timeouts()
MOST_REFUSALS: Final = 3
ASK_MEND: Final = "To have a person asked, do the same again."


@dataclass(frozen=True, slots=True)
class ActionEffects:
    """What an action led to besides the view: notes, sent requests and downloads.

    A replay compares notes with stored ones, so their wording must not change.
    """

    notes: tuple[str, ...] = ()
    sent: tuple[SentRequest, ...] = ()
    downloads: tuple[Download, ...] = ()


def unchanged_text(text: str, url: str = "") -> str:
    """The text itself; reveals and masks nothing."""
    return text


class Tabs:
    """The tabs of one trajectory in a context; tabs that they open join them.

    `reveal(text, url)` gives the text to type into a frame at `url`; `mask(text)` gives the text
    that notes may quote; `refusal_of(url)` is why a request was refused.
    """

    def __init__(
        self,
        context: BrowserContext,
        reveal: Reveal = unchanged_text,
        patience: Timeouts = DEFAULT_TIMEOUTS,
        mask: Callable[[str], str] = unchanged_text,
        refusal_of: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.patience = patience
        self._refusal_of = refusal_of
        self._refused: tuple[Action, str] | None = None
        self._context = context
        self._reveal = reveal
        self._mask = mask
        self._beside = TabEvents(patience.act, mask)

    @property
    def pages(self) -> list[Page]:
        """The open tabs."""
        return self._beside.pages

    @property
    def active(self) -> int:
        """The number of the shown tab."""
        return self._beside.active

    @property
    def crashed(self) -> bool:
        """Has one of the tabs crashed?"""
        return bool(self._beside.crashed)

    @property
    def page(self) -> Page:
        """The shown tab. Raises BrowserError if there is none or it crashed."""
        if not self.pages:
            raise BrowserError("No tab is open.", "Go to an address first.")
        page = self.pages[self.active]
        if page in self._beside.crashed:
            raise BrowserError(f"The tab with {page.url} crashed.")
        return page

    async def take_snapshot(self) -> Snapshot:
        """A snapshot of the shown tab. Raises BrowserError."""
        return await snapshot.take_snapshot(self.page) if self.pages else Snapshot(url=BLANK)

    async def list_tabs(self) -> tuple[Tab, ...]:
        """The URLs and titles of the open tabs."""
        return tuple([Tab(url=page.url, title=await _title_of(page)) for page in self.pages])

    async def open_url(self, url: str) -> ActionEffects:
        """Go to a URL in the shown tab. Raises WebError."""
        return await self.do_action(Action(kind="goto", target=url))

    async def do_action(self, action: Action) -> ActionEffects:
        """Perform an action and wait until the page has settled.

        Raises ActionError if the page does not allow it, and other WebErrors.
        """
        if not self.pages:
            await self._add_tab()
        beside = self._beside
        beside.begin_action(action.value if action.kind == "click" else "")
        with PageTraffic(self._context, self._refusal_of) as traffic:
            try:
                async with asyncio.timeout(self.patience.most):
                    await self._dispatch_action(action)
                    notes = await self._wait_until_settled(traffic)
            except TimeoutError as error:
                raise BrowserError(
                    f"The page stopped responding on {action.kind} {action.target}."
                ) from error
            except ConnectError as error:
                if refused := self._describe_refusals(action, traffic):
                    raise ActionError(refused, ASK_MEND) from error
                raise
            finally:
                beside.answer = ""
            refused = self._describe_refusals(action, traffic)
            await asyncio.gather(*map(self._beside.withdraw_tab, self._empty_tabs(traffic)))
            told, downloads = beside.take_notes()
            sent = traffic.sent_from(beside.known)
        if refused:
            notes = (*notes, f"{refused} {ASK_MEND}")
        return ActionEffects(notes=(*told, *notes), sent=sent, downloads=downloads)

    def refusal_before(self, action: Action) -> str:
        """The requests that were refused if this was the last action; empty otherwise."""
        if self._refused is None:
            return ""
        last, requests = self._refused
        same = (last.kind, last.target, last.value) == (action.kind, action.target, action.value)
        return requests if same else ""

    def _empty_tabs(self, traffic: PageTraffic) -> list[Page]:
        """The tabs that were opened for a refused request alone."""
        refused = {owner_of(request)[0] for request, _ in traffic.refused_from(self.pages)}
        return [page for page in self.pages if page in refused and not page.url]

    def _describe_refusals(self, action: Action, traffic: PageTraffic) -> str:
        """What was refused; empty if nothing was."""
        refused = [
            f"{request.method} {self._mask(request.url.partition('?')[0])} ({why})"
            for request, why in traffic.refused_from(self._beside.known)
        ]
        requests = ", ".join(list(dict.fromkeys(refused))[:MOST_REFUSALS])
        self._refused = (action, requests) if requests else None
        return f"Not sent: {requests}. It may change something on the server." if requests else ""

    async def close(self) -> None:
        """Close all tabs."""
        await self._beside.close_all()

    async def _dispatch_action(self, action: Action) -> None:
        match action.kind:
            case "goto":
                await self._go_to_url(action.target)
            case "new_tab":
                await self._add_tab()
                if action.target:
                    await self._go_to_url(action.target)
            case "focus_tab":
                self._beside.active = self._tab_number(action.target)
                await self.page.bring_to_front()
            case "close_tab":
                await self._close_tab(action.target)
            case "back" | "forward":
                await self._go_in_history(action.kind)
            case _:
                await self._act_on_page(action)

    async def _act_on_page(self, action: Action) -> None:
        """Act on the page; the page is armed while the element is looked up."""
        arming = asyncio.ensure_future(arm_page(self.page, self.patience))
        try:
            if not action.target or action.kind == "scroll":
                await arming
            await perform_action(self.page, action, self._reveal)
        finally:
            await arming

    async def _wait_until_settled(self, traffic: PageTraffic) -> tuple[str, ...]:
        """Wait for the shown tab, and for a tab that it opens, which is then shown; gives notes."""
        if not self.pages:
            return ()
        page = self.page
        rest = await settle_page(page, traffic, self.patience)
        if rest.openings:
            await self._beside.wait_for_openings(rest.openings, self.patience.opening)
        if self.pages and self.page != page:
            rest = await settle_page(self.page, traffic, self.patience)
        return rest.notes

    async def _add_tab(self) -> None:
        """Open a tab; one that opens when nobody waits any more is closed with the rest."""
        opening = asyncio.ensure_future(self._context.new_page())
        try:
            page = await asyncio.shield(opening)
        except Error as error:
            raise BrowserError("A new tab could not be opened.") from error
        except asyncio.CancelledError:
            await asyncio.wait((opening,), timeout=self.patience.opening)
            if opening.done() and not opening.cancelled() and not opening.exception():
                self._beside.adopt_page(opening.result())
            raise
        self._beside.adopt_page(page)

    async def _go_to_url(self, url: str) -> None:
        if url != BLANK and urlsplit(url).scheme not in {"http", "https"}:
            mend = "Use one that begins with http:// or https://."
            raise AddressError(f"{url} is not a web address.", mend)
        try:
            answer = await self.page.goto(
                url, wait_until="commit", timeout=self.patience.answer * 1000
            )
        except PlaywrightTimeout as error:
            raise ConnectError(f"{url} did not answer in {self.patience.answer:g} s.") from error
        except Error as error:
            if "Download is starting" in error.message:
                return
            raise translate_error(error, f"Going to {url}") from error
        if answer and answer.status >= 400:  # noqa: PLR2004
            self._beside.notes.append(f"The server answered with the error {answer.status}.")

    async def _go_in_history(self, direction: str) -> None:
        history = await TabHistory.read_from(self.page)
        if not (history.back if direction == "back" else history.forward):
            raise ActionError(f"There is no page to go {direction} to.")
        turn = self.page.go_back if direction == "back" else self.page.go_forward
        try:
            await turn(wait_until="commit", timeout=self.patience.answer * 1000)
        except Error as error:
            raise translate_error(error, f"Going {direction}") from error

    async def _close_tab(self, target: str) -> None:
        number = self._tab_number(target) if target else self.active
        if len(self.pages) == 1:
            raise ActionError("The last tab cannot be closed.")
        await self._beside.close_tab(self.pages[number])

    def _tab_number(self, said: str) -> int:
        if not said.isdecimal() or int(said) >= len(self.pages):
            mend = f"There are {len(self.pages)} tabs, counted from 0."
            raise ActionError(f"There is no tab {said!r}.", mend)
        return int(said)


async def _title_of(page: Page) -> str:
    try:
        return await page.title()
    except Error:  # the page is navigating
        return ""
