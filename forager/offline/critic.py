"""Whether the ledger covers a look-up, without a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forager.answers.answer_table import mentions_thing
from forager.answers.likelihood import is_likely_answered
from forager.domain.state import Evidence, Passage, State, SubQuestion
from forager.domain.urls import page_identity, tried_or_at_hand
from forager.ports import Rater
from forager.questions.required_terms import added_share, mentions_required, names_another
from forager.ranking.scoring import score_to_odds
from forager.text.needed_kinds import lacks_needed

UNOPENED_WEIGHT = 0.15
"""What an unopened page counts if the pages read before answer what a follow-up adds."""
ANSWERED_SHARE = 0.5
"""The share of what a follow-up adds that one of their quotes must say for that."""


@dataclass(frozen=True, kw_only=True)
class CoverageRule:
    """Judges the parts of one look-up, one for each site, by the quotes that bear on them.

    `every` are the parts of all look-ups; the `rater` reads each beside the quotes.
    `least` is the score that covers a part, `most_elsewhere` the share of its odds that unopened
    pages may still hold, given in `elsewhere` by part. `whole` says whether all rows of a list are
    there, if that is known. `before` are the ids of the parts that the look-up needs, `about` is
    the thing of a comparison that it asks about.
    """

    parts: Sequence[SubQuestion]
    ledger: Sequence[Evidence]
    before: Sequence[str]
    elsewhere: Mapping[str, float]
    whole: bool | None
    least: float
    most_elsewhere: float
    about: str = ""
    every: Sequence[SubQuestion] = ()
    rater: Rater | None = None

    def covering(self) -> dict[str, str]:
        """The ids of the parts that are covered, each with the id of its best quote.

        A part on a site that the look-up does not name is covered along with another one.
        """
        done = {part.id: best.id for part in self.parts if (best := self._covering_quote(part))}
        first = next(iter(done.values()), "")
        return {
            part.id: done.get(part.id, first)
            for part in self.parts
            if part.id in done or (part.weight < 1 and done)
        }

    def _covering_quote(self, part: SubQuestion) -> Evidence | None:
        """The best quote, if it is strong, little is left elsewhere, and what it needs is known."""
        bearing = [
            item
            for item in self.ledger
            if item.passage.scores.get(part.id, 0.0) >= self.least
            and mentions_thing(item, self.about)
            and mentions_required(item, part)
            and not lacks_needed(part.text, item.passage.text, item.passage.section)
            and not _is_about_another(part, item.passage)
        ]
        best = max(bearing, key=lambda item: item.passage.scores.get(part.id, 0.0), default=None)
        if best is None or not self._nothing_elsewhere(part):
            return None
        if part.needs and not self._need_is_known(best):
            return None
        return best if self._is_likely(part, bearing) else None

    def _is_likely(self, part: SubQuestion, bearing: Sequence[Evidence]) -> bool:
        """Is one likely to answer? Rows of a list and sides of a comparison answer together."""
        if self.rater is None or self.whole is not None or self.about:
            return True
        return is_likely_answered(part, bearing, self.every, self.ledger, self.rater)

    def _need_is_known(self, item: Evidence) -> bool:
        """Does a quote of the same page answer what the look-up needs?"""
        beside = [
            each.passage.scores.get(id, 0.0)
            for each in self.ledger
            for id in self.before
            if each.passage.url == item.passage.url
        ]
        return max(beside, default=0.0) >= self.least

    def _nothing_elsewhere(self, part: SubQuestion) -> bool:
        if self.whole is not None:
            return self.whole
        return self.elsewhere.get(part.id, 0.0) <= self.most_elsewhere


def _is_about_another(part: SubQuestion, quote: Passage) -> bool:
    return names_another(part.text, f"{quote.title}\n{quote.section}", quote.text)


def odds_elsewhere(state: State) -> dict[str, float]:
    """For each part, the share of its odds that unopened arms hold, 0 to 1.

    Quotes of pages that are no arms hold odds too. An arm where a similar question found nothing
    counts less.
    """
    read = tried_or_at_hand(state)
    ranked = {page_identity(arm.url): 1 - arm.vain for arm in state.arms if arm.scores or arm.score}
    beyond = [each for each in state.evidence if page_identity(each.passage.url) not in ranked]
    found: dict[str, float] = {}
    for part in state.survey.parts:
        scores = {arm.url: arm.scores[part.id] for arm in state.arms if part.id in arm.scores}
        for item in beyond:
            known = max(scores.get(item.passage.url, 0.0), item.passage.scores.get(part.id, 0.0))
            scores[item.passage.url] = known
        top = max(scores.values(), default=0.0)
        held = {url: score_to_odds(score - top) for url, score in scores.items()}
        weight = UNOPENED_WEIGHT if _answered_before(state, part) else 1.0
        unread = [url for url in held if page_identity(url) in ranked.keys() - read]
        held |= {url: held[url] * weight for url in unread}
        left = sum(held[url] * ranked[page_identity(url)] for url in unread)
        found[part.id] = left / (sum(held.values()) or 1.0)
    return found


def _answered_before(state: State, part: SubQuestion) -> bool:
    """Does a quote say most of what a follow-up adds, so that few pages need to be opened?"""
    if not state.meaning.context or not state.recall.pages:
        return False
    ledger = [item for item in state.evidence if not item.dropped]
    best = max(ledger, key=lambda item: item.passage.scores.get(part.id, 0.0), default=None)
    return best is not None and added_share(best, part) >= ANSWERED_SHARE
