"""Search over a whole page: what its observation leaves out is found by words."""

from collections.abc import Sequence
from typing import Final

from forager.browsing.page.aria import parse
from forager.browsing.page.line_text import GAP, Weights, header, plain, worded
from forager.browsing.page.lines import Line, lines
from forager.browsing.page.relevance import relevances, terms_in, weights_on
from forager.domain.browser import Snapshot
from forager.text.tokens import keywords, tokenize

HITS: Final = 8
"""Lines that a search gives at the most."""
WIDTH, BEFORE, AFTER = 420, 60, 160
"""Characters of a hit, and of the lines before and after it."""
EXACT = 1.0
"""What the very words are worth beside all of their stems."""


def find(snapshot: Snapshot, words: str, skip: int = 0) -> tuple[str, ...]:
    """The lines of a page that say the words or their stems, the best first, after some of them.

    Each stands with its refs, the section it is in, and what is before and after it.
    """
    found = lines(parse(snapshot.tree))
    terms = [terms_in(line) for line in found]
    wanted = dict.fromkeys(keywords(words) or tokenize(words), 1.0)
    weights = weights_on(terms, wanted)
    relevance = relevances(found, terms, weights)
    sought = " ".join(words.split()).casefold()
    exact = [sought in line.text().casefold() for line in found] if sought else [False] * len(found)
    said = [not own.isdisjoint(weights) for own in terms]
    order = [at for at in range(len(found)) if exact[at] or said[at]]
    order.sort(key=lambda at: -relevance[at] - EXACT * exact[at])
    told = [_hit(found, at, weights) for at in order[skip : skip + HITS]]
    more = len(order) - skip - len(told)
    return (*told, f"{GAP} {more} more: say it in more or other words") if more > 0 else tuple(told)


def _hit(found: Sequence[Line], at: int, weights: Weights) -> str:
    line = found[at]
    place = [header(line.place, weights)] if line.place else []
    said = worded(line, weights, WIDTH, texts=True).text
    words = [f"- {said}"] if line.kind != "heading" else []
    before, after = _beside(found, at - 1, line, BEFORE), _beside(found, at + 1, line, AFTER)
    around = [f"before: {before}"] * bool(before) + [f"after: {after}"] * bool(after)
    return "\n".join([*place, *words]) + (f" ({'; '.join(around)})" if around else "")


def _beside(found: Sequence[Line], at: int, line: Line, width: int) -> str:
    """What a line beside says, if it is of the same section."""
    if not 0 <= at < len(found) or found[at].place is not line.place:
        return ""
    said = plain(found[at].text())
    return said if len(said) <= width else f"{said[: width - 1]}{GAP}"
