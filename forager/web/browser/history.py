"""Where a tab can go back and forward to."""

from typing import NamedTuple, Self, TypedDict

from playwright.async_api import Page

NOWHERE = ("about:blank", "chrome-error:", "chrome:")


class _Entry(TypedDict):
    url: str


class History(NamedTuple):
    """Are there pages behind and before the one that is shown?"""

    back: bool
    forward: bool

    @classmethod
    async def of(cls, page: Page) -> Self:
        """Ask the browser. Raises Playwright's Error."""
        session = await page.context.new_cdp_session(page)
        told = await session.send("Page.getNavigationHistory")
        await session.detach()
        entries: list[_Entry] = told["entries"]
        at = int(told["currentIndex"])
        return cls(
            back=at > 0 and not entries[at - 1]["url"].startswith(NOWHERE),
            forward=at + 1 < len(entries),
        )
