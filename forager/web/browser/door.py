"""The Browser port: one Chromium process, a context per session, tabs per walk."""

from collections.abc import Sequence

from forager.action import Action
from forager.errors import BrowserError
from forager.ports import Blobs, Examined, Opened, Performed
from forager.settings import Settings
from forager.state import Step


class BrowserDoor:
    """Starts no process before it is asked."""

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._settings = settings
        self._blobs = blobs

    async def stand(self, walk: str, trail: Sequence[Step]) -> None:
        """Be where the trail led. Raises ReplayError and BrowserError."""
        raise self._away()

    async def examine(self, walk: str, action: Action) -> Examined:
        """Hold an action against the page. Raises BrowserError."""
        raise self._away()

    async def perform(self, walk: str, action: Action, step: str = "") -> Performed:
        """Do it, settle, look. Raises WebError."""
        raise self._away()

    async def render(self, url: str) -> Opened:
        """A page as a browser shows it. Raises WebError."""
        raise self._away()

    async def picture(self, walk: str) -> bytes:
        """A screenshot with refs. Raises BrowserError."""
        raise self._away()

    async def leave(self, walk: str) -> None:
        """Close the walk's tabs."""

    async def aclose(self) -> None:
        """Close the context."""

    def _away(self) -> BrowserError:
        return BrowserError("The browser cannot be driven yet.")
