"""Near duplicates among search results: mirrors, copies, and generated series of pages."""

from collections import Counter
from collections.abc import Iterable

from forager.domain.survey import SearchResult
from forager.text.tokens import tokenize

COPY_SHARE = 0.9
"""The share of common words from which two results count as copies."""
MIN_WORDS = 6
"""Results with fewer words cannot be judged."""
MAX_COPIES = 3
"""The most copies kept that differ in their numbers; one of these may be what is asked for."""


class ResultFamily:
    """Results with nearly the same words; of those with equal numbers too, one is enough."""

    def __init__(self, words: Counter[str]) -> None:
        self.words = words
        self.numbers: set[frozenset[str]] = set()

    def takes_in(self, words: Counter[str]) -> bool:
        """Are these words nearly the same as those of the family?"""
        sizes = sorted((words.total(), self.words.total()))
        if sizes[0] < COPY_SHARE * sizes[1]:
            return False
        return (words & self.words).total() >= COPY_SHARE * (words | self.words).total()


class SeenResults:
    """Remembers which results were seen, starting with those given."""

    def __init__(self, results: Iterable[SearchResult] = ()) -> None:
        self._families: list[ResultFamily] = []
        for result in results:
            self.is_new(result)

    def is_new(self, result: SearchResult) -> bool:
        """Is a result new, no near duplicate of a seen one? Marks it as seen."""
        terms = Counter(tokenize(f"{result.title} {result.snippet}"))
        words = Counter({term: count for term, count in terms.items() if not term[0].isdigit()})
        if words.total() < MIN_WORDS:
            return True
        numbers = frozenset(term for term in tokenize(result.snippet) if term[0].isdigit())
        family = next((each for each in self._families if each.takes_in(words)), None)
        if family is None:
            family = ResultFamily(words)
            self._families.append(family)
        if numbers in family.numbers or len(family.numbers) >= MAX_COPIES:
            return False
        family.numbers.add(numbers)
        return True
