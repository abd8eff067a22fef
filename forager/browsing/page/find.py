"""Search over a whole page: what its observation leaves out is found by words."""

from collections.abc import Sequence
from typing import Final

from forager.browsing.page.aria import parse_aria
from forager.browsing.page.line_text import (
    ELLIPSIS,
    TermWeights,
    plain_text,
    render_header,
    render_line,
)
from forager.browsing.page.lines import Line, page_lines
from forager.browsing.page.relevance import line_relevances, terms_in, weigh_by_rarity
from forager.domain.browser import Snapshot
from forager.text.tokens import keywords, tokenize

MAX_HITS: Final = 8
"""Lines that a search gives at the most."""
HIT_WIDTH, BEFORE_WIDTH, AFTER_WIDTH = 420, 60, 160
"""Characters of a hit, and of the lines before and after it."""
EXACT_BONUS = 1.0
"""What the very words are worth beside all of their stems."""


def find_lines(snapshot: Snapshot, words: str, skip: int = 0) -> tuple[str, ...]:
    """The lines of a page that say the words or their stems, the best first, after some of them.

    Each stands with its refs, the section it is in, and what is before and after it.
    """
    found = page_lines(parse_aria(snapshot.tree))
    terms = [terms_in(line) for line in found]
    wanted = dict.fromkeys(keywords(words) or tokenize(words), 1.0)
    weights = weigh_by_rarity(terms, wanted)
    relevance = line_relevances(found, terms, weights)
    sought = " ".join(words.split()).casefold()
    exact = [sought in line.text().casefold() for line in found] if sought else [False] * len(found)
    said = [not own.isdisjoint(weights) for own in terms]
    order = [at for at in range(len(found)) if exact[at] or said[at]]
    order.sort(key=lambda at: -relevance[at] - EXACT_BONUS * exact[at])
    told = [_render_hit(found, at, weights) for at in order[skip : skip + MAX_HITS]]
    more = len(order) - skip - len(told)
    return (
        (*told, f"{ELLIPSIS} {more} more: say it in more or other words")
        if more > 0
        else tuple(told)
    )


def _render_hit(found: Sequence[Line], at: int, weights: TermWeights) -> str:
    line = found[at]
    place = [render_header(line.section, weights)] if line.section else []
    said = render_line(line, weights, HIT_WIDTH, texts=True).text
    words = [f"- {said}"] if line.kind != "heading" else []
    before, after = (
        _adjacent_text(found, at - 1, line, BEFORE_WIDTH),
        _adjacent_text(found, at + 1, line, AFTER_WIDTH),
    )
    around = [f"before: {before}"] * bool(before) + [f"after: {after}"] * bool(after)
    return "\n".join([*place, *words]) + (f" ({'; '.join(around)})" if around else "")


def _adjacent_text(found: Sequence[Line], at: int, line: Line, width: int) -> str:
    """What a line beside says, if it is of the same section."""
    if not 0 <= at < len(found) or found[at].section is not line.section:
        return ""
    said = plain_text(found[at].text())
    return said if len(said) <= width else f"{said[: width - 1]}{ELLIPSIS}"
