"""How likely quotes answer what is asked, by logistic regressions whose weights are data.

`answer_log_odds` uses the rating of a cross-encoder and the share of the terms that a quote has
(fitted by `bench.ranker.fit_likelihood`).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, Protocol

import numpy as np
from pydantic import BaseModel

from forager.data.word_lists import FOLDER
from forager.domain.answers import Doubt, Lead
from forager.domain.state import Evidence, SubQuestion
from forager.ports import RatedPassage, Rater
from forager.questions.required_terms import term_share
from forager.ranking.index import place_line, split_units
from forager.ranking.scoring import rate_for_part


def rate_quotes(part: SubQuestion, ledger: Sequence[Evidence], rater: Rater) -> list[float]:
    """The log-odds that each quote answers a part: those of its best unit."""
    units = [(place, unit) for place, item in enumerate(ledger) for unit in _quote_units(item)]
    rated = rate_for_part(part, [unit for _, unit in units], rater)
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


class SignWeights(BaseModel, allow_inf_nan=False):
    """What each sign adds to the log-odds, and from which log-odds something is taken."""

    least: float = 0.0
    signs: dict[str, float]

    def log_odds(self, sizes: Mapping[str, float]) -> float:
        """The sum of what signs of these sizes add; unknown ones add nothing."""
        return sum(self.signs.get(name, 0.0) * size for name, size in sizes.items())


def read_sign_weights(name: str) -> SignWeights:
    """The weights of the file `NAME.json`."""
    return SignWeights.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))


LEAST: Final = -0.3
"""The log-odds from which a sub-question counts as answered; 0.92 of the right ones have them."""
LEAST_BESIDE: Final = -2.0
"""The same for one whose question is answered in another part: its text leans on the others."""


SURE: Final = 0.6
"""The probability of a lead from which an answer is told without a doubt: from this on three of
four were right, just below it one of two (509 questions, `bench/ranker/README.md`)."""
LIKELY: Final = 0.5
"""The probability below which a lead is more likely wrong than right."""
DoubtKind = Literal["", "uncertain", "unlikely"]
"""What an answer is shown as where that is less than its status says."""


class Weighed(Protocol):
    """An answer, or the report of one, with what can be weak about it."""

    @property
    def status(self) -> str:
        """Its status."""

    @property
    def open(self) -> Sequence[str]:
        """The sub-questions that it leaves open."""

    @property
    def leads(self) -> Sequence[Lead]:
        """What answers each sub-question."""

    @property
    def doubts(self) -> Sequence[Doubt]:
        """Its statements that the quotes do not support."""


def doubtful_parts(leads: Iterable[Lead]) -> frozenset[str]:
    """The sub-questions that count as answered, but whose lead is not likely enough to be sure."""
    return _parts_below(SURE, leads)


def unlikely_parts(leads: Iterable[Lead]) -> frozenset[str]:
    """The sub-questions whose lead is more likely wrong than right."""
    return _parts_below(LIKELY, leads)


def _parts_below(least: float, leads: Iterable[Lead]) -> frozenset[str]:
    rated = ((lead.part, lead.confidence) for lead in leads)
    return frozenset(part for part, likely in rated if likely is not None and likely < least)


def doubt_of(answer: Weighed) -> DoubtKind:
    """What an answer is to be shown as; empty if its status says it.

    It is `unlikely` if every lead is more likely wrong than right; the further quotes then hold the
    answer more often than the leads.
    """
    if not is_uncertain(answer):
        return ""
    unlikely = unlikely_parts(answer.leads)
    all_weak = unlikely.issuperset(lead.part for lead in answer.leads)
    return "unlikely" if unlikely and all_weak else "uncertain"


def is_uncertain(answer: Weighed) -> bool:
    """Whether an answer that counts as `answered` has a part that is doubtful."""
    weak = answer.open or answer.doubts or doubtful_parts(answer.leads)
    return answer.status == "answered" and bool(weak)


class Weights(BaseModel, allow_inf_nan=False):
    """What a nat of the rating and the whole share of the terms add to the log-odds."""

    rating: float
    terms: float
    bias: float


WEIGHTS: Final = Weights.model_validate_json((FOLDER / "likelihood.json").read_text("utf-8"))


def is_likely_answered(
    part: SubQuestion,
    bearing: Sequence[Evidence],
    parts: Sequence[SubQuestion],
    ledger: Sequence[Evidence],
    rater: Rater,
) -> bool:
    """Is one of the quotes that bear on a part likely to answer it?

    It need not be as likely if the ledger is likely to answer another one of the `parts`.
    """
    own = answer_log_odds(part, bearing, rater)
    if own >= LEAST or own < LEAST_BESIDE:
        return own >= LEAST
    others = (each for each in parts if each.text != part.text)
    return any(answer_log_odds(each, ledger, rater) >= LEAST for each in others)


def answer_log_odds(part: SubQuestion, ledger: Sequence[Evidence], rater: Rater) -> float:
    """The log-odds that the most likely of some quotes answers a part."""
    rated = rate_quotes(part, ledger, rater)
    return max(
        WEIGHTS.rating * rating + WEIGHTS.terms * _quoted_share(item, part) + WEIGHTS.bias
        for item, rating in zip(ledger, rated, strict=True)
    )


def answer_probability(part: SubQuestion, ledger: Sequence[Evidence], rater: Rater) -> float:
    """The probability that the most likely of some quotes answers a part, 0 to 1."""
    return to_probability(answer_log_odds(part, ledger, rater))


def to_probability(log_odds: float) -> float:
    """The probability with these log-odds."""
    return 1 / (1 + math.exp(-log_odds))


def _quoted_share(item: Evidence, part: SubQuestion) -> float:
    passage = item.passage
    return term_share((passage.title, passage.section, passage.text), part)
