"""How long the page layer waits for what does not come at once."""

from dataclasses import dataclass
from typing import Final

LOOK_SECONDS: Final = 15.0
"""How long it may take to look at a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """In seconds: how long each may take before it is given up or gone on without."""

    act: float = 4.0
    """An element, until it lets itself be acted on."""
    answer: float = 20.0
    """A server, until it begins its answer."""
    load: float = 10.0
    """A page that was gone to, until it has loaded."""
    still: float = 5.0
    """Requests that a page makes without being left."""
    empty: float = 3.0
    """A page that shows nothing, until it is filled."""
    hung: float = 5.0
    """A script of the page that keeps us from looking."""
    opening: float = 3.0
    """A tab, until it is there that the page has opened."""
    most: float = 60.0
    """An action and all that it sets off."""
