"""Copies passages from a page by rule, and gives them their offsets and their headings."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from forager.domain.documents import Document
from forager.domain.state import Page, Passage, SubQuestion
from forager.evidence.near_quotes import find_near_quote
from forager.ports import Embedder
from forager.questions.list_intent import asks_how
from forager.ranking import scoring
from forager.ranking.index import Index
from forager.ranking.scoring import MAX_SPAN, UnitSpan
from forager.text.quotes import Span, find_quote
from forager.text.sentences import HEADING, split_blocks, table_at
from forager.text.tables import read_table

LONGEST_STEPS = 2000
"""Characters of the steps of a list that are copied together."""
SECTION_MARK = " › "
COLUMN_MARK = " | "


def find_passage_span(text: str, quote: str) -> Span | None:
    """The span of a quote in a text; None if it is not there or too long for a passage.

    Longer copies usually mean that a page said “copy it all”. A nearly verbatim quote has the span
    of the sentences that it stands for.
    """
    if len(quote) > MAX_SPAN:
        return None
    span = find_quote(text, quote) or find_near_quote(text, quote)
    return span if span and span[1] - span[0] <= MAX_SPAN else None


def strongest_passages(passages: tuple[Passage, ...], count: int) -> tuple[Passage, ...]:
    """The `count` passages with the best scores, in their original order."""
    order = sorted(passages, key=lambda passage: -max(passage.scores.values()))
    return tuple(passage for passage in passages if passage in order[:count])


def passages_overlap(one: Passage, other: Passage) -> bool:
    """Do two passages of one page overlap?"""
    return one.start < other.end and other.start < one.end


def make_passage(
    page: Page, document: Document, span: Span, scores: dict[str, float], under: str = ""
) -> Passage:
    """A passage with the text of a span, filed under its best sub-question."""
    start, end = span
    return Passage(
        url=page.url,
        title=page.title,
        blob=page.blob,
        start=start,
        end=end,
        text=document.text[start:end],
        part=max(scores, key=lambda part: scores[part]),
        section=under,
        dated=page.dated,
        fetched=page.fetched,
        scores=scores,
    )


def section_at(document: Document, offset: int) -> str:
    """The nearest heading or term at or above an offset, and the header of the table with a row
    there."""
    before = [heading for start, heading in document.sections() if start <= offset]
    columns = COLUMN_MARK.join(_columns_at(document.text, offset))
    return SECTION_MARK.join(filter(None, (*before[-1:], columns)))


def table_columns(section: str) -> tuple[str, ...]:
    """The header of the table that a quote of this section is from; empty for none."""
    heading = section.rpartition(SECTION_MARK)[2]
    return tuple(heading.split(COLUMN_MARK)) if COLUMN_MARK in heading else ()


def _columns_at(text: str, offset: int) -> tuple[str, ...]:
    """The names in the header of the table that has a row at an offset; empty without one."""
    table = table_at(text, offset)
    if table is None or offset < table.lines[0][1]:
        return ()
    return read_table(text, table.lines)[0]


GAP = re.compile(r" {4,}(?=\n|$)")
"""The blanks in place of what was left out to the end of a line."""


class CopiedSpan(NamedTuple):
    """A stretch of a page, the id of the part it serves, and how surely it does."""

    part: str
    quote: str
    confidence: float


def copy_passages(  # noqa: PLR0913
    index: Index,
    parts: Sequence[SubQuestion],
    question: str,
    best: Mapping[str, float],
    embedder: Embedder,
    *,
    passages: int,
    least: float,
    embedded: int,
) -> list[CopiedSpan]:
    """At most `passages` spans that hold most of the odds of all parts, each for every part.

    A part counts whose best unit scores `least`; `best` has the highest score known for it so far,
    `embedded` is how many units are compared by embeddings (see `ranking.scoring`). Headings alone
    are not copied; where a part asks how, a list is copied whole.
    """
    odds = {}
    masses = []
    for part in parts:
        score = scoring.score_units(index, part, question, embedder, embedded)
        if not index.size or score.max() < least:
            continue
        odds[part.id] = scoring.scores_to_odds(score)
        reference = max(best.get(part.id, 0.0), float(score.max()))
        masses.append(part.weight * odds[part.id] / scoring.score_to_odds(reference))
    return [
        CopiedSpan(
            part=part,
            quote=piece.strip(),
            confidence=scoring.odds_to_score(float(held[span.first : span.last + 1].sum())),
        )
        for span in _with_whole_lists(
            index,
            scoring.choose_spans(index, masses, passages),
            steps=any(asks_how(part.asked) for part in parts),
        )
        for piece in GAP.split(_text_with_rows(index, span))
        if any(line.strip() and not HEADING.match(line) for line in piece.split("\n"))
        for part, held in odds.items()
    ]


def _with_whole_lists(index: Index, spans: Sequence[UnitSpan], *, steps: bool) -> list[UnitSpan]:
    """The spans, those in a list of `steps` widened to all of it and told once."""
    found: list[UnitSpan] = []
    for span in spans:
        whole = _whole_list(index, span) if steps else span
        if not any(each.first <= whole.first and whole.last <= each.last for each in found):
            found.append(whole)
    return found


def _whole_list(index: Index, span: UnitSpan) -> UnitSpan:
    """The span with all items of the list that its first or last unit is in, unless it is long."""
    page = index.page[span.first]
    start, end = int(index.start[span.first]), int(index.end[span.last])
    for block in split_blocks(index.texts[page]):
        if block.kind == "items" and block.start < end and start < block.end:
            start, end = min(start, block.start), max(end, block.end)
    if end - start > LONGEST_STEPS:
        return span
    held = np.flatnonzero((index.page == page) & (index.start < end) & (index.end > start))
    return UnitSpan(int(held[0]), int(held[-1]), span.mass)


def _text_with_rows(index: Index, span: UnitSpan) -> str:
    """The text of a span; without the header of a table at its end, which says nothing alone."""
    said, text = index.span_text(span.first, span.last), index.texts[index.page[span.first]]
    table = table_at(text, int(index.end[span.last]) - 1)
    if table is None or table.lines[0][1] < index.end[span.last]:
        return said
    names, rows = read_table(text, table.lines)
    return text[index.start[span.first] : rows[0].start] if names else said
