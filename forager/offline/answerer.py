"""Writes an answer by quoting the ledger: a table, the best entries, or a sum of their values."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forager.answers import answer_table, conflicts
from forager.answers.answer_table import WrittenTable
from forager.answers.arithmetic import Sum
from forager.domain.state import Evidence, SubQuestion
from forager.evidence.quote_ratings import rate_quotes
from forager.offline.sums import answer_with_sum
from forager.ports import Embedder
from forager.prompts.escaping import escape_citations
from forager.questions.required_terms import MIN_ADDED_SHARE, added_share, keep_mentioning
from forager.ranking.scoring import odds_shares
from forager.text.answer_types import expected_types, find_candidates
from forager.text.blocks import BLOCK_MARK

LIKENESS_WEIGHT = 1.0
LIKENESS_SPREAD = 0.1
RATING_SPREAD = 0.05
"""What a nat of a rating counts in likeness."""
REPEATED_WORTH = 0.4
"""What an entry keeps of its worth if those chosen before have all that it has of what is asked."""
BETWEEN_BLOCKS = " · "
SPACE = re.compile(r"\s+")


class OfflineAnswer(NamedTuple):
    """The text, empty if the ledger does not say; what stayed open; sums and table, if any."""

    text: str
    open: list[str]
    sums: list[Sum]
    table: WrittenTable


def write_answer(  # noqa: PLR0913
    question: str,
    parts: Sequence[SubQuestion],
    ledger: Sequence[Evidence],
    embedder: Embedder,
    *,
    citations: int,
    least: float,
) -> OfflineAnswer:
    """Quote the best entry for each part, and those that together hold most of the odds.

    At most `citations` entries are quoted. A part is open if no entry scores `least` for it.
    """
    open = _open_questions(parts, ledger, least)
    made = answer_table.table_by_rule(question, parts, ledger, least)
    if made and made.text:
        return OfflineAnswer(made.text, made.open, [], made.table)
    if len(open) == len({part.text for part in parts}):
        return OfflineAnswer("", open, [], WrittenTable())
    chosen = choose_entries(question, parts, keep_mentioning(ledger, parts), citations, embedder)
    lines = [quote_entry(item) for item in conflicts.newest_first(chosen)]
    if made:
        return OfflineAnswer("\n".join(lines), made.open, [], made.table)
    worked = answer_with_sum(question, parts, ledger, embedder)
    if worked is None:
        return OfflineAnswer("\n".join(lines), open, [], WrittenTable())
    return OfflineAnswer("\n".join([worked.text, *lines]), open, [worked.sum], WrittenTable())


def _open_questions(
    parts: Sequence[SubQuestion], ledger: Sequence[Evidence], least: float
) -> list[str]:
    """The texts of the parts for which no entry that has their required terms scores `least`."""
    best = {part.text: 0.0 for part in parts}
    for part in parts:
        bearing = (item for item in ledger if added_share(item, part) >= MIN_ADDED_SHARE)
        scores = [item.passage.scores.get(part.id, 0.0) for item in bearing]
        best[part.text] = max([best[part.text], *scores])
    return [text for text, score in best.items() if score < least]


def choose_entries(
    question: str,
    parts: Sequence[SubQuestion],
    ledger: Sequence[Evidence],
    count: int,
    embedder: Embedder,
) -> list[Evidence]:
    """At most `count` entries, best first: the best one for each part, then those that add most."""
    weights = {part.id: part.weight for part in parts}
    held = odds_shares([item.passage.scores for item in ledger])
    values = [sum(weights.get(part, 0) * share for part, share in of.items()) for of in held]
    near = _question_likeness(question, ledger, embedder)
    values = [value + likeness for value, likeness in zip(values, near, strict=True)]
    holds = [_things_named(item, question, parts) for item in ledger]
    order = sorted(range(len(ledger)), key=lambda place: -values[place])
    best = [
        max(order, key=lambda place: held[place].get(part.id, 0.0))
        for part in parts
        if part.weight >= 1
    ]
    taken = list(dict.fromkeys(best))[:count]
    while len(taken) < min(count, len(order)):
        told = frozenset().union(*(holds[place] for place in taken))
        rest = [place for place in order if place not in taken]
        taken.append(max(rest, key=lambda place: values[place] * _worth_beside(holds[place], told)))
    return [ledger[place] for place in sorted(taken, key=lambda place: -values[place])]


def quote_entry(item: Evidence) -> str:
    """The entry in one line: its page and section, its words, its id."""
    passage = item.passage
    blocks = (SPACE.sub(" ", block) for block in BLOCK_MARK.sub("", passage.text).split("\n"))
    words = BETWEEN_BLOCKS.join(block.strip() for block in blocks if block.strip())
    place = dict.fromkeys(name for name in (passage.title, passage.section) if name)
    said = escape_citations(f"{', '.join(place)}: “{words}”")
    return f"{said} [{item.id}]"


def _question_likeness(
    question: str, ledger: Sequence[Evidence], embedder: Embedder
) -> list[float]:
    """How similar each entry is to the whole question, as shares of `LIKENESS_WEIGHT`."""
    if not embedder.available:
        return [0.0] * len(ledger)
    if embedder.rater and ledger:
        rated = rate_quotes(question, ledger, embedder.rater)
        near = np.float32(RATING_SPREAD) * np.array(rated, np.float32)
    else:
        texts = [f"{item.passage.section} {item.passage.text}" for item in ledger]
        near = (embedder.embed(texts) @ embedder.embed([question]).T)[:, 0]
    likeness = np.exp((near - near.max()) / LIKENESS_SPREAD)
    return [float(share) for share in LIKENESS_WEIGHT * likeness / likeness.sum()]


def _worth_beside(things: frozenset[str], told: frozenset[str]) -> float:
    """A factor: less than 1 if the things an entry names are all told already."""
    return REPEATED_WORTH if things and things <= told else 1.0


def _things_named(item: Evidence, question: str, parts: Sequence[SubQuestion]) -> frozenset[str]:
    kinds = tuple(
        {kind.name: kind for part in parts for kind in expected_types(part.text)}.values()
    )
    return find_candidates(item.passage.text, kinds, question.lower())
