"""Where a tab can go back and forward to."""

from typing import Final, NamedTuple, Self, TypedDict
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Error, Page

NOWHERE: Final = ("about:blank", "chrome-error:", "chrome:")
SESSIONS: Final[WeakKeyDictionary[Page, CDPSession]] = WeakKeyDictionary()
"""A session for each tab that was asked, so that it need not be opened at every look."""


class _Entry(TypedDict):
    url: str


class TabHistory(NamedTuple):
    """Are there pages behind and before the one that is shown?"""

    back: bool
    forward: bool

    @classmethod
    async def read_from(cls, page: Page) -> Self:
        """Ask the browser. Raises Playwright's Error."""
        try:
            if page not in SESSIONS:
                SESSIONS[page] = await page.context.new_cdp_session(page)
            told = await SESSIONS[page].send("Page.getNavigationHistory")
        except Error:
            SESSIONS.pop(page, None)
            raise
        entries: list[_Entry] = told["entries"]
        at = int(told["currentIndex"])
        return cls(
            back=at > 0 and not entries[at - 1]["url"].startswith(NOWHERE),
            forward=at + 1 < len(entries),
        )
