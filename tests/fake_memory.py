"""The fake of the memory."""

from collections.abc import Sequence

from forager.domain.experience import Episode, Facets, Moment, Recalled, Snippet
from forager.ports import Remembered


class FakeMemory:
    """Gives back what it was given, in that order, whatever is asked; keeps what it is told."""

    def __init__(
        self,
        episodes: Sequence[Recalled] = (),
        snippets: Sequence[Snippet] = (),
        notes: Sequence[str] = (),
        named: str = "fake",
    ) -> None:
        self.named = named
        self._notes = tuple(notes)
        self._episodes = tuple(episodes)
        self._snippets = tuple(snippets)
        self.kept: list[Episode | Snippet] = []
        self.moments: list[Moment] = []

    async def find_episodes(self, question: str, sites: Sequence[str], url: str = "") -> Remembered:
        found = tuple(each for each in self._episodes if url in ("", each.episode.url))
        return Remembered(episodes=found, notes=self._notes)

    async def find_snippets(self, moment: Moment, facets: Facets, count: int) -> Remembered:
        self.moments.append(moment)
        return Remembered(snippets=self._snippets[:count], notes=self._notes)

    async def keep(
        self, episodes: Sequence[Episode], snippets: Sequence[Snippet]
    ) -> tuple[str, ...]:
        if not self._notes:
            self.kept += [*episodes, *snippets]
        return self._notes

    async def generation(self) -> str:
        return self.named
