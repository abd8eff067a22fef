"""How likely quotes answer a question: the ratings of a cross-encoder."""

from collections.abc import Sequence

import numpy as np

from forager.domain.state import Evidence
from forager.ports import RatedPassage, Rater
from forager.ranking.index import place_line, split_units
from forager.ranking.scoring import rate_passages


def rate_quotes(question: str, ledger: Sequence[Evidence], rater: Rater) -> list[float]:
    """The log-odds that each quote answers the question: those of its best unit."""
    units = [(place, unit) for place, item in enumerate(ledger) for unit in _quote_units(item)]
    rated = rate_passages(question, [unit for _, unit in units], rater)
    best = [-np.inf] * len(ledger)
    for (place, _), value in zip(units, rated, strict=True):
        best[place] = max(best[place], float(value))
    return best


def _quote_units(item: Evidence) -> list[RatedPassage]:
    passage = item.passage
    place = place_line(passage.title, passage.section)
    texts = [passage.text[unit.start : unit.end] for unit in split_units(passage.text)]
    return [
        RatedPassage(place, before, text)
        for before, text in zip(["", *texts], texts or [passage.text], strict=False)
    ]
