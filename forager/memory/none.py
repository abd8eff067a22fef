"""No memory: for what is recorded, played back, or asked to go without."""

from collections.abc import Sequence

from forager.episode import Episode
from forager.ports import Remembered
from forager.snippet import Facets, Moment, Snippet


class NoMemory:
    """Knows nothing, keeps nothing, and has nothing to say about it."""

    async def episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Nothing."""
        return Remembered()

    async def snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """Nothing."""
        return Remembered()

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Nothing is kept."""
        return ()

    async def identity(self) -> str:
        """Nobody."""
        return ""
