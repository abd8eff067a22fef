"""Warm start: what earlier questions teach a new one about its arms, and which pages to read again.

Results of similar questions are pseudo-counts of the arms' priors: a page that served one is drawn
sooner; one that was opened in vain is drawn later. Only the identity of pages counts. Their words,
and those of lessons, never move a prior. Of earlier turns of a conversation, the arms themselves
and what was learned about them are carried over.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.bandit.hints import favour_hinted_arms
from forager.domain.experience import Recalled
from forager.domain.state import Arm, Page, Turn
from forager.domain.survey import Hit
from forager.domain.urls import page_identity, same_site
from forager.text.tokens import keywords, tokenize

MEMORY_STRENGTH = 5.0
"""Pseudo-counts of a page that served the same question, per pseudo-count of the ranking."""
LEAST_WORTH = 0.3
"""The least worth at which a page that the ranking left out becomes an arm."""
SAME_QUESTION = 0.95
"""The similarity (or its worth) from which two questions count as the same."""


class PageRecord(NamedTuple):
    """How likely a page is to serve, and how likely a visit is to be in vain; both 0 to 1."""

    served: float = 0.0
    vain: float = 0.0


def similarity_worth(weight: float) -> float:
    """Discount a similarity in [0, 1], so that slightly similar questions count for little.

    Most questions about one site are slightly similar, and the site's ranking knows more.
    """
    return weight**3


def served_urls(episodes: Iterable[Recalled]) -> tuple[str, ...]:
    """The URLs of pages that may serve again, those of the most similar question first."""
    close = [each for each in episodes if similarity_worth(each.weight) >= LEAST_WORTH]
    best = sorted(close, key=lambda each: -each.weight)
    return tuple(dict.fromkeys(url for each in best for url in each.episode.served))


def pages_for_same_question(episodes: Iterable[Recalled]) -> tuple[Page, ...]:
    """The pages that served the same question, in their stored version and original order.

    Pages of the newest session come first.
    """
    order = sorted(
        episodes,
        key=lambda each: (-each.fresh, each.episode.session, each.episode.order_in_session),
    )
    return tuple(
        Page(url=url, site=each.episode.site, blob=each.episode.blobs[url])
        for each in order
        if each.likeness >= SAME_QUESTION
        for url in each.episode.served
        if url in each.episode.blobs
    )


def page_records(
    episodes: Sequence[Recalled], blobs: Mapping[str, str], model: str
) -> dict[str, PageRecord]:
    """What episodes say about pages, by page identity.

    `blobs` maps URLs to the current versions of pages, as far as the site map has them. A fruitless
    visit no longer counts if the page has changed, and does not age if it has not. It counts half
    if another model made it.
    """
    now = {page_identity(url): blob for url, blob in blobs.items()}
    found: dict[str, PageRecord] = {}
    for each in episodes:
        for url in each.episode.served:
            have = found.get(page_identity(url), PageRecord())
            found[page_identity(url)] = have._replace(
                served=max(have.served, similarity_worth(each.weight))
            )
        for url in each.episode.barren:
            have = found.get(page_identity(url), PageRecord())
            vain = _vain_weight(each, url, now.get(page_identity(url), ""), model)
            found[page_identity(url)] = have._replace(vain=max(have.vain, vain))
    return {page: _settle_record(each) for page, each in found.items()}


def _vain_weight(recalled: Recalled, url: str, blob: str, model: str) -> float:
    episode = recalled.episode
    then = episode.blobs.get(url, "")
    weight = similarity_worth(recalled.weight)
    if blob and then:
        weight = similarity_worth(recalled.likeness) if blob == then else 0.0
    return weight if episode.model == model else weight / 2


def _settle_record(page: PageRecord) -> PageRecord:
    """If a page served one question and failed another, only the more similar question counts."""
    if page.served > page.vain:
        return PageRecord(served=page.served)
    return PageRecord(vain=page.vain) if page.vain > page.served else PageRecord()


def warm_start_arms(  # noqa: PLR0913
    arms: Sequence[Arm],
    episodes: Sequence[Recalled],
    hits: Sequence[Hit],
    sites: Sequence[str],
    *,
    model: str,
    kappa: float,
) -> tuple[Arm, ...]:
    """Add arms for pages that served before, and add what memory knows to all priors.

    For the same question, memory replaces the evidence of the ranking that contradicts it.
    """
    if not episodes:
        return tuple(arms)
    pages = page_records(episodes, {hit.url: hit.blob for hit in hits}, model)
    ranked = {page_identity(arm.url) for arm in arms}
    more = [
        _remembered_arm(url, hits, sites, kappa)
        for url in served_urls(episodes)
        if page_identity(url) not in ranked and any(same_site(site, url) for site in sites)
    ]
    return tuple(
        _warm_start_arm(arm, pages.get(page_identity(arm.url), PageRecord()), kappa)
        for arm in [*arms, *more]
    )


def _warm_start_arm(arm: Arm, page: PageRecord, kappa: float) -> Arm:
    """The arm with the ranking's counts that memory does not contradict, plus memory's counts."""
    strength = MEMORY_STRENGTH * kappa
    update = {
        "alpha": 1 + (arm.alpha - 1) * (1 - page.vain) + strength * page.served,
        "beta": 1 + (arm.beta - 1) * (1 - page.served) + strength * page.vain,
        "vain": page.vain,
    }
    return arm.model_copy(update=update) if page != PageRecord() else arm


def _remembered_arm(url: str, hits: Sequence[Hit], sites: Sequence[str], kappa: float) -> Arm:
    """An arm for a page that the ranking left out, with the lowest prior."""
    own = {hit.part: hit for hit in hits if page_identity(hit.url) == page_identity(url)}
    scores = {part: hit.score for part, hit in own.items()}
    leading = max(scores, key=lambda part: scores[part], default="")
    return Arm(
        url=own[leading].url if leading else url,
        title=own[leading].title if leading else "",
        site=next(site for site in sites if same_site(site, url)),
        part=leading,
        scores=scores,
        beta=1 + kappa,
        blob=own[leading].blob if leading else "",
    )


def fruitless_pages(arms: Iterable[Arm]) -> set[str]:
    """The identities of unchanged pages on which the same question found nothing."""
    return {page_identity(arm.url) for arm in arms if arm.vain >= SAME_QUESTION}


SATURATION = 1.2
LENGTH_WEIGHT = 0.75
"""The constants k1 and b of Okapi BM25 (Robertson & Zaragoza 2009)."""
CARRY_OVER_SHARE = 0.25
"""Pseudo-counts that an arm's belief keeps in the next turn, per pseudo-count of its ranking."""
CITED_BONUS = 0.1
"""Bonus of a page that an earlier answer cites, as a share of the best score."""


def pages_of_turns(past: Sequence[Turn]) -> tuple[Page, ...]:
    """The pages of all turns, newest turn first; each page once, in its latest version."""
    found: dict[str, Page] = {}
    for turn in reversed(past):
        for page in reversed(turn.pages):
            if page.blob:
                found.setdefault(page_identity(page.url), page)
    return tuple(found.values())


def carry_over_arms(
    arms: Sequence[Arm], past: Sequence[Turn], kappa: float, hints: Sequence[str] = ()
) -> tuple[Arm, ...]:
    """Add the arms of earlier turns, carry over what was learned about them, and apply hints.

    A posterior from an earlier turn counts little, since it is about another question. An arm that
    the new ranking left out gets the lowest prior and no scores.
    """
    learned = {page_identity(arm.url): arm for turn in past for arm in turn.arms}
    ranked = {page_identity(arm.url) for arm in arms}
    rest = [
        arm.model_copy(
            update={"scores": {}, "part": "", "score": 0.0, "alpha": 1.0, "beta": 1 + kappa}
        )
        for page, arm in learned.items()
        if page not in ranked
    ]
    believed = [
        _carry_over_belief(arm, learned.get(page_identity(arm.url)), kappa)
        for arm in [*arms, *rest]
    ]
    return favour_hinted_arms(believed, hints, kappa)


def _carry_over_belief(arm: Arm, before: Arm | None, kappa: float) -> Arm:
    if before is None:
        return arm
    mean = before.alpha / (before.alpha + before.beta)
    strength = CARRY_OVER_SHARE * kappa
    update = {
        "alpha": arm.alpha + strength * mean,
        "beta": arm.beta + strength * (1 - mean),
    }
    return arm.model_copy(update=update)


def cited_pages(past: Sequence[Turn]) -> set[str]:
    """The identities of the pages cited by the answers of earlier turns."""
    return {
        page_identity(item.url) for turn in past if turn.answer for item in turn.answer.citations
    }


def select_relevant_texts(
    question: str, texts: Mapping[str, str], favoured: set[str], count: int
) -> tuple[str, ...]:
    """The names of the `count` texts that match a question best by BM25, best first.

    Names in `favoured` get a small bonus. Ties keep the order of the texts.
    """
    held = {name: Counter(tokenize(text)) for name, text in texts.items()}
    lengths = {name: sum(counts.values()) for name, counts in held.items()}
    mean = sum(lengths.values()) / (len(lengths) or 1) or 1.0
    scores = dict.fromkeys(texts, 0.0)
    for term in keywords(question):
        having = sum(term in counts for counts in held.values())
        weight = math.log(1 + (len(held) - having + 0.5) / (having + 0.5))
        for name, counts in held.items():
            long = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * lengths[name] / mean
            said = counts[term]
            scores[name] += weight * said * (SATURATION + 1) / (said + SATURATION * long)
    top = max(scores.values(), default=0.0) or 1.0
    order = sorted(
        scores, key=lambda name: -(scores[name] / top + CITED_BONUS * (name in favoured))
    )
    return tuple(order[:count])
