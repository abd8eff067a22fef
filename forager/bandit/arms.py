"""Turns ranked pages and search results into arms, scored by how much of the question they hold."""

from collections.abc import Iterable, Sequence

from forager.domain.state import Arm, SubQuestion
from forager.domain.survey import Hit, SearchResult
from forager.domain.urls import page_identity, same_site
from forager.ranking.scoring import odds_shares

UNREAD_RANK_WEIGHT = 0.5
"""Bonus of a search's first result, as a share of the best page's score; the n-th: 2/(n + 1)."""
READ_RANK_WEIGHT = 0.1
"""The same for a page that was also read and ranked, since its ranking is better evidence."""


def arms_by_score(hits: Sequence[Hit], parts: Sequence[SubQuestion]) -> list[Arm]:
    """One arm per hit with its BM25 score, as in Mango (arXiv 2604.18779)."""
    sites = {part.id: part.site for part in parts}
    return [
        Arm(
            url=hit.url,
            title=hit.title,
            site=sites[hit.part],
            part=hit.part,
            score=hit.score,
            blob=hit.blob,
        )
        for hit in hits
    ]


def arms_by_share(hits: Sequence[Hit], parts: Sequence[SubQuestion], top: int) -> list[Arm]:
    """Arms for the `top` pages of each site, scored by their share of all sub-questions.

    Pages whose hits score nothing come last, without a score.
    """
    weights = {part.id: part for part in parts}
    by_url: dict[str, dict[str, float]] = {}
    for hit in hits:
        if hit.score > 0:
            by_url.setdefault(hit.url, {})[hit.part] = hit.score
    of_url = {hit.url: hit for hit in hits}
    held = dict(zip(by_url, odds_shares(list(by_url.values())), strict=True))
    arms: list[Arm] = []
    for site in dict.fromkeys(part.site for part in parts):
        values = {
            url: sum(weights[part].weight * share for part, share in of.items())
            for url, of in held.items()
            if any(weights[part].site == site for part in of)
        }
        best = sorted(values, key=lambda url: -values[url])[:top]
        for url in best:
            leading = max(held[url], key=lambda part: held[url][part])
            arms.append(
                Arm(
                    url=url,
                    title=of_url[url].title,
                    site=site,
                    part=leading,
                    scores=by_url[url],
                    score=values[url],
                    blob=of_url[url].blob,
                )
            )
        rest = [hit for hit in hits if hit.url not in by_url and weights[hit.part].site == site]
        arms += arms_by_score(
            list({hit.url: hit for hit in rest}.values())[: top - len(best)], parts
        )
    return arms


def add_search_results(
    arms: Sequence[Arm], results: Iterable[SearchResult], sites: Sequence[str]
) -> list[Arm]:
    """Raise the scores of arms found by searches, and add arms for results that were not ranked.

    Mango scores a result by its download, even by a failed one; here an unread page is worth only
    its rank.
    """
    best = max((arm.score for arm in arms), default=0.0) or 1.0
    known = {page_identity(arm.url): arm for arm in arms}
    ranked = {page_identity(arm.url): arm.score for arm in arms}
    for result in sorted(results, key=lambda result: -result.rank):
        key = page_identity(result.url)
        weight = READ_RANK_WEIGHT if key in ranked else UNREAD_RANK_WEIGHT
        score = ranked.get(key, 0.0) + best * weight * 2 / (result.rank + 1)
        arm = known.get(key) or _arm_from_result(result, sites)
        known[key] = arm.model_copy(update={"score": score, "says": result.snippet})
    return list(known.values())


def without_weak_pages(
    results: Iterable[SearchResult], hits: Sequence[Hit], arms: Sequence[Arm]
) -> list[SearchResult]:
    """The results without pages that were read and ranked too low to become arms."""
    poor = {page_identity(hit.url) for hit in hits} - {page_identity(arm.url) for arm in arms}
    return [result for result in results if page_identity(result.url) not in poor]


def merge_arms(known: Arm | None, arm: Arm) -> Arm:
    """Merge two arms of one page: all scores, the larger α, the newer leading sub-question."""
    if known is None:
        return arm
    best = max(known, arm, key=lambda one: one.alpha)
    return best.model_copy(update={"scores": known.scores | arm.scores, "part": arm.part})


def merge_all(known: Iterable[Arm], ranked: Iterable[Arm]) -> tuple[Arm, ...]:
    """The known arms, merged with those of a later ranking."""
    merged = {arm.url: arm for arm in known}
    for arm in ranked:
        merged[arm.url] = merge_arms(merged.get(arm.url), arm)
    return tuple(merged.values())


def _arm_from_result(result: SearchResult, sites: Sequence[str]) -> Arm:
    site = next((site for site in sites if same_site(site, result.url)), result.url)
    return Arm(url=result.url, title=result.title, site=site)


def front_page_arms(sites: Iterable[str]) -> tuple[Arm, ...]:
    """One arm per site, its front page, for use when nothing was ranked."""
    return tuple(Arm(url=site, site=site, score=1.0) for site in sites)
