"""Playwright's errors in our words."""

import re
from typing import Final

from playwright.async_api import Error

from forager.errors import ActionError, BrowserError, ConnectError, WebError

NETWORK: Final = re.compile(r"net::(ERR_[A-Z_]+)")
COVERING: Final = re.compile(r"(<[^\n]{1,200}>).{0,80} intercepts pointer events")
CLOSED_SIGNS: Final = ("Target closed", "has been closed", "Target crashed", "Connection closed")
LOOK_AGAIN_MEND: Final = "Look at the page anew and take the ref from there."


def stale_ref_error(ref: str) -> ActionError:
    """A ref that is not on the page any more."""
    return ActionError(f"There is no element {ref} here: the page has changed.", LOOK_AGAIN_MEND)


def translate_error(error: Error, doing: str) -> WebError:
    """What Playwright could not do, in words; `doing` names the action."""
    said = error.message
    if found := NETWORK.search(said):
        return ConnectError(f"{doing} led nowhere: the browser said {found[1]}.")
    if any(sign in said for sign in CLOSED_SIGNS):
        return BrowserError(f"{doing} was not done: the tab was closed or crashed.")
    if found := COVERING.search(said):
        mend = "Close or pass what lies over it first."
        return ActionError(f"{doing} was not done: {found[1]} lies over the element.", mend)
    if "not attached" in said or "Execution context was destroyed" in said:
        return ActionError(
            f"{doing} was not done: the page has changed meanwhile.", LOOK_AGAIN_MEND
        )
    reason = said.splitlines()[0] if said else "no reason was given"
    return ActionError(f"{doing} was not done: {_waiting_reason(said) or reason}.")


def _waiting_reason(said: str) -> str:
    """Why Playwright waited in vain, from its log."""
    signs = {
        "element is not visible": "the element is not visible",
        "element is not enabled": "the element is disabled",
        "element is not editable": "the field cannot be edited",
        "element is not stable": "the element keeps moving",
        "outside of the viewport": "the element cannot be brought into view",
    }
    return next((words for sign, words in signs.items() if sign in said), "")
