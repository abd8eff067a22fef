"""What is open, as things to search for; and what the searches so far have found for it."""

from collections.abc import Iterable, Mapping, Sequence, Set

from forager.domain.base import Frozen
from forager.domain.state import Part, State, Step
from forager.domain.survey import NOTHING, Result
from forager.domain.url_rules import forbidden
from forager.domain.urls import identity, opened, same_site, tried
from forager.questions.search_queries import same, variations
from forager.questions.subquestions import ELSEWHERE, ready
from forager.ranking.near_duplicates import Seen
from forager.text.tokens import keywords, tokenize
from nodes.navigator.open_work import open_texts, steps_of_round

MAX_FAILED_SEARCHES = 2
"""So many searches in a row that could not be made, and no more are tried."""


class SearchTarget(Frozen):
    """Something open, on one site or on the web: how to search for it, and what that came to.

    `found` are the pages that its own searches found, `effort` what was spent on it so far.
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
        """The least comes next: effort is spread over what is open, by weight."""
        return (self.effort + 1) / max(self.weight, 0.01)

    def rate_result(self, result: Result) -> float:
        """The share of the terms that a result shows, and its rank among its own; 0 to 1.5."""
        if self.site and not same_site(self.site, result.url):
            return 0.0
        file = result.url.partition("?")[0].rstrip("/").rpartition("/")[2]
        shown = set(tokenize(f"{result.title} {file} {result.snippet}"))
        own = identity(result.url) in self.found
        return share(self.terms, shown) + (1 / (1 + result.rank) if own else 0.0)


class PastSearch(Frozen):
    """A search that was made: what came of it, and whether anybody could be asked at all."""

    query: str
    site: str
    found: int
    reason: str
    away: bool


def share(terms: Mapping[str, float], words: Set[str]) -> float:
    """The weighted share of the terms that are among the words."""
    total = sum(terms.values()) or 1.0
    return sum(weight for term, weight in terms.items() if term in words) / total


def past_searches(state: State) -> tuple[PastSearch, ...]:
    """The searches of this round, in order."""
    return tuple(
        PastSearch(
            query=step.action.target,
            site=step.action.site,
            found=len(step.found),
            reason=step.reason,
            away=step.outcome == "failed" and not step.reason.startswith(NOTHING),
        )
        for step in _search_steps(steps_of_round(state))
    )


def is_search_down(searches: Sequence[PastSearch]) -> bool:
    """Did the last searches fail, so that another would too?"""
    return len(searches) >= MAX_FAILED_SEARCHES and all(
        each.away for each in searches[-MAX_FAILED_SEARCHES:]
    )


def search_targets(state: State) -> tuple[SearchTarget, ...]:
    """What is open; what waits for the answer to something else that is open comes later."""
    texts = open_texts(state) or (state.asked,)
    parts = state.survey.parts
    asked = {part.text for part in parts}
    found = [
        _target_of_part(part) for part in ready([part for part in parts if part.text in texts])
    ]
    found += [each for text in texts if text not in asked for each in _targets_of_note(text, parts)]
    return tuple(
        sorted((_with_effort(state, each) for each in found), key=lambda each: each.relative_effort)
    )


def unread_results(state: State, open: Sequence[SearchTarget], shown: int) -> tuple[Result, ...]:
    """What was found and not tried yet, up to `shown` of each search; the most promising first."""
    searches = _search_steps(steps_of_round(state))
    known = opened(state)
    every = [result for step in searches for result in step.found]
    seen = Seen(result for result in every if identity(result.url) in known)
    fresh: dict[str, Result] = {}
    for step in searches:
        left = shown
        for result in step.found:
            key = identity(result.url)
            if key in fresh:
                fresh[key] = min(fresh[key], result, key=lambda each: each.rank)
            elif left and key not in known and _may_open(state, result.url) and seen.new(result):
                fresh[key] = result
                left -= 1
    return tuple(
        sorted(fresh.values(), key=lambda result: -max(each.rate_result(result) for each in open))
    )


def _search_steps(steps: Iterable[Step]) -> list[Step]:
    return [step for step in steps if step.action.kind == "search"]


def _may_open(state: State, url: str) -> bool:
    """Does the address belong to a site that was asked, if any was, and is it not forbidden?"""
    sites = state.question.sites
    inside = not sites or any(same_site(site, url) for site in sites)
    return inside and not forbidden(state.question.forbidden, url)


def _target_of_part(part: Part) -> SearchTarget:
    terms = part.terms or dict.fromkeys(keywords(part.text), 1.0)
    queries = variations(part.text, part.query)
    return SearchTarget(
        text=part.text, site=part.site, weight=part.weight, terms=terms, queries=queries
    )


def _targets_of_note(text: str, parts: Sequence[Part]) -> list[SearchTarget]:
    """What the aggregator put in words of its own, on the site of the parts that are nearest."""
    terms = dict.fromkeys(keywords(text), 1.0)
    near = dict.fromkeys((part.site for part in parts), 0.0) or {"": 0.0}
    for part in parts:
        near[part.site] = max(near[part.site], share(part.terms, terms.keys()) * part.weight)
    best = max(near.values())
    return [
        SearchTarget(
            text=text,
            site=site,
            weight=1.0 if value == best else ELSEWHERE,
            terms=terms,
            queries=variations(text),
        )
        for site, value in near.items()
    ]


def _with_effort(state: State, lookup: SearchTarget) -> SearchTarget:
    """With the effort so far: the visits that its searches led to, and half for a search anew."""
    steps = steps_of_round(state)
    own = [
        step
        for step in _search_steps(steps)
        if step.action.site == lookup.site
        and any(same(step.action.target, query) for query in lookup.queries)
    ]
    found = tuple(dict.fromkeys(identity(result.url) for step in own for result in step.found))
    visits = sum(not tried([step]).isdisjoint(found) for step in steps)
    effort = visits + max(0, len(own) - 1) / 2
    return lookup.model_copy(update={"found": found, "effort": effort})
