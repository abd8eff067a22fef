"""Events beside an action: dialogs, tabs that open and close, downloads and file choosers."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakSet

from playwright.async_api import Dialog, Download, Error, FileChooser, Page

from forager.adapters.browser.playwright_calls import close_page

LONGEST_MESSAGE = 300
MOST_TABS = 12
NEW_TAB = "A new tab opened and is shown now: tab {}."


class TabEvents:
    """Handles the events of a trajectory's tabs. Dialogs are dismissed unless the action agrees.

    `answer` is the action's reply to a dialog: empty dismisses it, anything else accepts a
    confirmation or is the text for a prompt.
    """

    def __init__(self, seconds: float, mask: Callable[[str], str]) -> None:
        """`seconds` is the time limit until an element can be acted on.

        `mask` removes secrets from what notes quote.
        """
        self._seconds = seconds
        self._mask = mask
        self.pages: list[Page] = []
        self.active = 0
        self.known: WeakSet[Page] = WeakSet()
        self.answer = ""
        self.notes: list[str] = []
        self.downloads: list[Download] = []
        self.crashed: set[Page] = set()
        self._closing: set[Page] = set()
        self._opened = 0
        self._opening = asyncio.Event()
        self._refused: set[asyncio.Future[None]] = set()

    def adopt_page(self, page: Page) -> None:
        """Handle a page's events and make it the shown tab."""
        page.set_default_timeout(self._seconds * 1000)
        page.on("dialog", self._on_dialog)
        page.on("popup", self._on_popup)
        page.on("download", self._on_download)
        page.on("filechooser", self._on_file_chooser)
        page.on("close", self._on_close)
        page.on("crash", self._on_crash)
        self.known.add(page)
        self.pages.append(page)
        self.active = len(self.pages) - 1

    async def close_tab(self, page: Page) -> None:
        """Close a tab on purpose, without a note."""
        self._closing.add(page)
        await close_page(page)
        self._on_close(page)

    async def withdraw_tab(self, page: Page) -> None:
        """Close a tab that has opened without showing anything, and the note about it."""
        if page in self.pages and (note := NEW_TAB.format(self.pages.index(page))) in self.notes:
            self.notes.remove(note)
        await self.close_tab(page)

    async def close_all(self) -> None:
        """Close all tabs."""
        await asyncio.gather(*map(self.close_tab, self.pages), *self._refused)

    def begin_action(self, answer: str) -> None:
        """Begin an action with its reply to dialogs; count tabs and downloads from here on."""
        self.answer = answer
        self._opened = 0

    def take_notes(self) -> tuple[tuple[str, ...], tuple[Download, ...]]:
        """The notes and downloads since the last call."""
        drained = tuple(self.notes), tuple(self.downloads)
        self.notes.clear()
        self.downloads.clear()
        return drained

    async def _on_dialog(self, dialog: Dialog) -> None:
        accepted = dialog.type in {"alert", "beforeunload"} or bool(self.answer)
        self.notes.append(self._describe_dialog(dialog, accepted=accepted))
        with suppress(Error):  # the page went away with its dialog
            if not accepted:
                await dialog.dismiss()
            elif dialog.type == "prompt":
                await dialog.accept(self.answer)
            else:
                await dialog.accept()

    async def wait_for_openings(self, count: int, seconds: float) -> None:
        """Wait until the action has begun `count` tabs and downloads, or the time is up."""
        try:
            async with asyncio.timeout(seconds):
                while self._opened < count:
                    self._opening.clear()
                    await self._opening.wait()
        except TimeoutError:
            return

    def _count_opening(self) -> None:
        self._opened += 1
        self._opening.set()

    def _on_popup(self, page: Page) -> None:
        self._count_opening()
        if len(self.pages) >= MOST_TABS:
            self.notes.append(f"The page tried to open a tab beside {MOST_TABS} others: refused.")
            self._refused.add(asyncio.ensure_future(close_page(page)))
            return
        self.adopt_page(page)
        self.notes.append(NEW_TAB.format(self.active))

    def _on_download(self, download: Download) -> None:
        self._count_opening()
        self.downloads.append(download)
        name = self._mask(download.suggested_filename)[:LONGEST_MESSAGE]
        self.notes.append(f"The page began a download: {name!r}.")

    def _on_file_chooser(self, _: FileChooser) -> None:
        self.notes.append("The page asked for a file to upload; nothing was chosen.")

    def _on_close(self, page: Page) -> None:
        if page not in self.pages:
            return
        number = self.pages.index(page)
        self.pages.remove(page)
        if number < self.active or self.active >= len(self.pages):
            self.active = max(0, self.active - 1)
        if page not in self._closing:
            self.notes.append(f"Tab {number} closed itself.")
        self._closing.discard(page)
        self.crashed.discard(page)

    def _on_crash(self, page: Page) -> None:
        self.crashed.add(page)
        self.notes.append("The tab crashed.")

    def _describe_dialog(self, dialog: Dialog, *, accepted: bool) -> str:
        """Describe a dialog and how it was answered."""
        message = self._mask(" ".join(dialog.message.split()))[:LONGEST_MESSAGE]
        match dialog.type:
            case "alert":
                return f"The page said: {message!r}."
            case "beforeunload":
                return "The page asked whether to leave it; it was left."
            case "confirm" if not accepted:
                return (
                    f"The page asked: {message!r}. This was declined; to agree, click the same "
                    "element with the value 'ok'."
                )
            case "prompt" if not accepted:
                return (
                    f"The page asked for a text: {message!r}. Nothing was given; to answer, click "
                    "the same element with the text as its value."
                )
            case _:
                return f"The page asked: {message!r}. This was answered with yes."
