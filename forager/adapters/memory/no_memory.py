"""No memory: for what is recorded, played back, or asked to go without."""

from collections.abc import Sequence

from forager.domain.experience import Episode, Facets, Moment, Snippet
from forager.ports import Remembered


class NoMemory:
    """Knows nothing, keeps nothing, and has nothing to say about it."""

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        """Nothing."""
        return Remembered()

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        """Nothing."""
        return Remembered()

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        """Nothing is kept."""
        return ()

    async def generation(self) -> str:
        """Nobody."""
        return ""
