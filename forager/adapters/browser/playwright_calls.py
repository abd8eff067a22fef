"""What every call to Playwright needs: time limits, translated errors, and quiet closing."""

import asyncio
import re
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import CDPSession, Error, Page

from forager.errors import ActionError, BrowserError, ConnectError, WebError

LOOK_SECONDS: Final = 15.0
"""Time limit for a snapshot or a screenshot of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Time limits in seconds, after which a wait is given up."""

    act: float = 4.0
    """Until an element can be acted on."""
    answer: float = 20.0
    """Until a server begins its response."""
    load: float = 10.0
    """Until a page has loaded after a navigation."""
    still: float = 5.0
    """Until the requests of a page end, without a navigation."""
    empty: float = 3.0
    """Until an empty page shows something."""
    hung: float = 5.0
    """Until a script of the page stops blocking it."""
    opening: float = 3.0
    """Until a tab that the page opens is there."""
    most: float = 60.0
    """For an action and everything it triggers."""


NETWORK: Final = re.compile(r"net::(ERR_[A-Z_]+)")
COVERING: Final = re.compile(r"(<[^\n]{1,200}>).{0,80} intercepts pointer events")
CLOSED_SIGNS: Final = ("Target closed", "has been closed", "Target crashed", "Connection closed")
LOOK_AGAIN_MEND: Final = "Look at the page again and use a ref from there."


def stale_ref_error(ref: str) -> ActionError:
    """The error for a ref that is no longer on the page."""
    return ActionError(f"There is no element {ref} here: the page has changed.", LOOK_AGAIN_MEND)


def translate_error(error: Error, doing: str) -> WebError:
    """Translate an error of Playwright; `doing` names the action in its message."""
    said = error.message
    if found := NETWORK.search(said):
        return ConnectError(f"{doing} failed: the browser reported {found[1]}.")
    if any(sign in said for sign in CLOSED_SIGNS):
        return BrowserError(f"{doing} failed: the tab was closed or crashed.")
    if found := COVERING.search(said):
        mend = "Close or dismiss what covers it first."
        return ActionError(f"{doing} failed: {found[1]} covers the element.", mend)
    if "not attached" in said or "Execution context was destroyed" in said:
        return ActionError(f"{doing} failed: the page has changed meanwhile.", LOOK_AGAIN_MEND)
    reason = said.splitlines()[0] if said else "no reason was given"
    return ActionError(f"{doing} failed: {_waiting_reason(said) or reason}.")


def _waiting_reason(said: str) -> str:
    """Why Playwright's wait timed out, according to its log."""
    signs = {
        "element is not visible": "the element is not visible",
        "element is not enabled": "the element is disabled",
        "element is not editable": "the field cannot be edited",
        "element is not stable": "the element keeps moving",
        "outside of the viewport": "the element cannot be brought into view",
    }
    return next((words for sign, words in signs.items() if sign in said), "")


async def send_command(
    session: CDPSession, method: str, parameters: dict[str, object]
) -> dict[str, Any]:
    """The browser's answer to a command; empty if what it is about is gone."""
    try:
        return await session.send(method, parameters)
    except Error:
        return {}


async def read_context_id(page: Page) -> str:
    """The browser's own id of the context of a page. Raises Error."""
    session = await page.context.new_cdp_session(page)
    told = await session.send("Target.getTargetInfo")
    await session.detach()
    return str(told["targetInfo"]["browserContextId"])


ANSWER_SECONDS: Final = 1.0
CLOSING_SECONDS: Final = 3.0


async def close_page(page: Page) -> None:
    """Close a tab; one that hangs is closed with its browser.

    Chromium may never report that a tab is closed if its page has only begun to load, unless the
    page has answered a call before.
    """
    await await_quietly(page.evaluate("1"), ANSWER_SECONDS)
    await await_quietly(page.close())


async def await_quietly(work: Awaitable[object], seconds: float = CLOSING_SECONDS) -> None:
    """Wait until `work` ends, whether it succeeds or fails, or until the time is up."""
    with suppress(Error, OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            await work
