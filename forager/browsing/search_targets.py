"""What to search the web for, what a round's searches found, and which results to read."""

from collections.abc import Iterable, Sequence

from forager.browsing.trajectory import steps_of_round
from forager.domain.base import Frozen
from forager.domain.state import State, Step, SubQuestion
from forager.domain.survey import NOTHING_FOUND, SearchResult
from forager.domain.urls import (
    forbidding_entry,
    page_identity,
    same_site,
    tried_or_at_hand,
    tried_pages,
)
from forager.questions.search_queries import build_queries, same_query
from forager.questions.subquestions import (
    ELSEWHERE_WEIGHT,
    open_texts,
    ready_sub_questions,
    weighted_share,
)
from forager.ranking.near_duplicates import SeenResults
from forager.text.tokens import keywords, tokenize

MAX_FAILED_SEARCHES = 2
"""After this many failed searches in a row, no more are tried."""


class SearchTarget(Frozen):
    """Something open, on one site or on the web: its queries, and what they led to so far.

    `found` identifies the pages that its own searches found; `effort` counts visits and searches.
    """

    text: str
    site: str = ""
    weight: float = 1.0
    terms: dict[str, float]
    queries: tuple[str, ...]
    found: tuple[str, ...] = ()
    effort: float = 0.0

    @property
    def relative_effort(self) -> float:
        """Effort by weight: the target with the least is next."""
        return (self.effort + 1) / max(self.weight, 0.01)

    def rate_result(self, result: SearchResult) -> float:
        """The share of the terms that a result shows, plus a bonus for its rank in an own search.

        From 0 to 1.5; 0 on another site.
        """
        if self.site and not same_site(self.site, result.url):
            return 0.0
        file = result.url.partition("?")[0].rstrip("/").rpartition("/")[2]
        shown = set(tokenize(f"{result.title} {file} {result.snippet}"))
        own = page_identity(result.url) in self.found
        return weighted_share(self.terms, shown) + (1 / (1 + result.rank) if own else 0.0)


class PastSearch(Frozen):
    """A search that was made; `away` if no provider could be asked."""

    query: str
    site: str
    found: int
    reason: str
    away: bool


def past_searches(state: State) -> tuple[PastSearch, ...]:
    """The searches of this round, in order."""
    return tuple(
        PastSearch(
            query=step.action.target,
            site=step.action.site,
            found=len(step.found),
            reason=step.reason,
            away=step.outcome == "failed" and not step.reason.startswith(NOTHING_FOUND),
        )
        for step in _search_steps(steps_of_round(state))
    )


def is_search_down(searches: Sequence[PastSearch]) -> bool:
    """Did the last searches fail, so that another one would too?"""
    last = searches[-MAX_FAILED_SEARCHES:]
    return len(last) == MAX_FAILED_SEARCHES and all(each.away for each in last)


def search_targets(state: State) -> tuple[SearchTarget, ...]:
    """What is open as search targets, the one with the least effort first.

    A part that needs the answer to another open part is left for later.
    """
    texts = open_texts(state) or (state.asked,)
    parts = state.survey.parts
    asked = {part.text for part in parts}
    targets = [
        _sub_question_target(part)
        for part in ready_sub_questions([each for each in parts if each.text in texts])
    ]
    for text in texts:
        if text not in asked:
            targets += _feedback_targets(text, parts)
    steps = steps_of_round(state)
    targets = [_with_effort(each, steps) for each in targets]
    return tuple(sorted(targets, key=lambda each: each.relative_effort))


def unread_results(
    state: State, targets: Sequence[SearchTarget], shown: int
) -> tuple[SearchResult, ...]:
    """The results of this round that were not opened, best rated first.

    At most `shown` of each search; near duplicates and addresses off limits are left out.
    """
    searches = _search_steps(steps_of_round(state))
    known = tried_or_at_hand(state)
    every = [result for step in searches for result in step.found]
    seen = SeenResults(result for result in every if page_identity(result.url) in known)
    fresh: dict[str, SearchResult] = {}
    for step in searches:
        left = shown
        for result in step.found:
            key = page_identity(result.url)
            if key in fresh:
                fresh[key] = min(fresh[key], result, key=lambda each: each.rank)
            elif left and key not in known and _may_open(state, result.url) and seen.is_new(result):
                fresh[key] = result
                left -= 1
    return tuple(
        sorted(
            fresh.values(), key=lambda result: -max(each.rate_result(result) for each in targets)
        )
    )


def _search_steps(steps: Iterable[Step]) -> list[Step]:
    return [step for step in steps if step.action.kind == "search"]


def _may_open(state: State, url: str) -> bool:
    """Is the URL on one of the question's sites (if it names any), and not forbidden?"""
    sites = state.question.sites
    inside = not sites or any(same_site(site, url) for site in sites)
    return inside and not forbidding_entry(state.question.forbidden, url)


def _sub_question_target(part: SubQuestion) -> SearchTarget:
    return SearchTarget(
        text=part.text,
        site=part.site,
        weight=part.weight,
        terms=part.terms or dict.fromkeys(keywords(part.text), 1.0),
        queries=build_queries(part.text, part.query),
    )


def _feedback_targets(text: str, parts: Sequence[SubQuestion]) -> list[SearchTarget]:
    """Targets for a note of the aggregator, on every site; the most fitting site weighs most."""
    terms = dict.fromkeys(keywords(text), 1.0)
    near = dict.fromkeys((part.site for part in parts), 0.0) or {"": 0.0}
    for part in parts:
        share = weighted_share(part.terms, terms.keys())
        near[part.site] = max(near[part.site], share * part.weight)
    best = max(near.values())
    return [
        SearchTarget(
            text=text,
            site=site,
            weight=1.0 if value == best else ELSEWHERE_WEIGHT,
            terms=terms,
            queries=build_queries(text),
        )
        for site, value in near.items()
    ]


def _with_effort(target: SearchTarget, steps: Sequence[Step]) -> SearchTarget:
    """Add to a target what its searches found, and its effort.

    A visit to one of these pages counts 1, a search after the first one 0.5.
    """
    own = [
        step
        for step in _search_steps(steps)
        if step.action.site == target.site
        and any(same_query(step.action.target, query) for query in target.queries)
    ]
    found = tuple(dict.fromkeys(page_identity(result.url) for step in own for result in step.found))
    visits = sum(not tried_pages([step]).isdisjoint(found) for step in steps)
    effort = visits + max(0, len(own) - 1) / 2
    return target.model_copy(update={"found": found, "effort": effort})
