"""The Memory port without a memory: for recordings, replays, and runs that switch it off."""

from collections.abc import Sequence

from forager.domain.experience import Episode, Facets, Moment, Snippet
from forager.ports import Remembered


class NoMemory:
    """Finds nothing, stores nothing, and returns no notes."""

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Nothing."""
        return Remembered()

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """Nothing."""
        return Remembered()

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Store nothing."""
        return ()

    async def generation(self) -> str:
        """Empty, because there is no memory."""
        return ""
