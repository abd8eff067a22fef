"""Which passages of a page answer the parts of a question, without a model."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forager.domain.state import SubQuestion
from forager.ports import Embedder
from forager.ranking import scoring
from forager.ranking.index import Index

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
    `embedded` is how many units are compared by embeddings (see `ranking.scoring`).
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
        for span in scoring.choose_spans(index, masses, passages)
        for piece in GAP.split(index.span_text(span.first, span.last))
        if piece.strip()
        for part, held in odds.items()
    ]
