"""Finds words in a whole page, including lines that its observation left out."""

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
"""The most lines that one search returns."""
HIT_WIDTH, BEFORE_WIDTH, AFTER_WIDTH = 420, 60, 160
"""Widths in characters: of a hit, of the line before it, and of the line after it."""
EXACT_BONUS = 1.0
"""Score added to a line that contains the exact words; all stems together count 1."""


def find_lines(snapshot: Snapshot, words: str, skip: int = 0) -> tuple[str, ...]:
    """Find the lines of a page with these words or their stems, best first, after the first `skip`.

    Each hit shows its refs, its section, and the lines before and after it.
    """
    lines_found = page_lines(parse_aria(snapshot.tree))
    terms = [terms_in(line) for line in lines_found]
    asked = dict.fromkeys(keywords(words) or tokenize(words), 1.0)
    weights = weigh_by_rarity(terms, asked)
    relevance = line_relevances(lines_found, terms, weights)
    phrase = " ".join(words.split()).casefold()
    exact = (
        [phrase in line.text().casefold() for line in lines_found]
        if phrase
        else [False] * len(lines_found)
    )
    has_term = [not line_terms.isdisjoint(weights) for line_terms in terms]
    order = [at for at in range(len(lines_found)) if exact[at] or has_term[at]]
    order.sort(key=lambda at: -relevance[at] - EXACT_BONUS * exact[at])
    hits = [_render_hit(lines_found, at, weights) for at in order[skip : skip + MAX_HITS]]
    more = len(order) - skip - len(hits)
    return (
        (*hits, f"{ELLIPSIS} {more} more: say it in more or other words")
        if more > 0
        else tuple(hits)
    )


def _render_hit(lines_found: Sequence[Line], at: int, weights: TermWeights) -> str:
    line = lines_found[at]
    header = [render_header(line.section, weights)] if line.section else []
    text = render_line(line, weights, HIT_WIDTH, texts=True).text
    words = [f"- {text}"] if line.kind != "heading" else []
    before, after = (
        _adjacent_text(lines_found, at - 1, line, BEFORE_WIDTH),
        _adjacent_text(lines_found, at + 1, line, AFTER_WIDTH),
    )
    context = [f"before: {before}"] * bool(before) + [f"after: {after}"] * bool(after)
    return "\n".join([*header, *words]) + (f" ({'; '.join(context)})" if context else "")


def _adjacent_text(lines_found: Sequence[Line], at: int, line: Line, width: int) -> str:
    """The text of an adjacent line in the same section, shortened to `width`; else empty."""
    if not 0 <= at < len(lines_found) or lines_found[at].section is not line.section:
        return ""
    text = plain_text(lines_found[at].text())
    return text if len(text) <= width else f"{text[: width - 1]}{ELLIPSIS}"
