"""Maps the sites, splits the question into what must be looked up, and ranks pages into arms."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import Field

from forager import asks, bandit
from forager.errors import WebError
from forager.frozen import Frozen
from forager.ports import Embedder, Hit, Ports, Ranking, Said, Surveyed, Task, Terms
from forager.ranking import shares
from forager.sections import Section, listed, said
from forager.state import Arm, Part, State, Survey, Update
from forager.together import both, together
from forager.tokens import keywords

PROMPT = """\
You plan how the answer to a question is looked up, before any page is read. You see the question
and, for each site that may be read, its address, title and language.

Split the question into the separate things that must be looked up. Each of the `asks` is one
look-up that a single passage of a page can answer. It is complete by itself: "it", "they" or "the
same year" are replaced by what they stand for. Names, numbers, dates and quoted words stay as
they are. A question that asks one thing gives one ask; a comparison gives one for each thing
compared; a list, one for each member that the question names. A look-up that needs the result of
another comes after it and describes what it needs. Put the asks in the language of the question.

`search` has one line for each ask, in the same order: the words that a page with the answer would
use, synonyms and technical terms among them, in the language of the site, without question words.
`context` says in a few words what all asks share, such as the product, the period or the place.

Never answer the question, and add no fact that it does not state."""

CONTEXT_WEIGHT = 0.5
"""What a word of the question counts for the parts in which it does not stand."""
BARE_ASK = 2
"""An ask of so few words ("which one?") lives on the rest of the question."""
MOST_ASKS = 30
LONGEST_ASK = 400
UBIQUITOUS = 0.6
"""A word on more than this share of one site's pages, and not of the others', names that site."""
ELSEWHERE = 0.25
"""The weight of a part, on a site it does not name."""


class SurveyorParams(Frozen):
    """How much of a site is mapped, and how many arms come of it."""

    pages: int = Field(1000, ge=0, description="pages crawled per site; 0 leaves the root as arm")
    top: int = Field(10, ge=1, description="arms kept per site")
    kappa: float = Field(3.0, ge=0, description="pseudo-counts that the ranking is worth")
    ranking: Ranking = Field("hybrid", description="by parts, words and meaning, or plain BM25")


class Plan(Said):
    """What has to be looked up."""

    asks: list[str] = Field(description="one look-up each, complete by itself")
    search: list[str] = Field(
        default_factory=list, description="for each ask, words of a page that answers it"
    )
    context: str = Field("", description="what all asks share")


class PlanSearch(Task[Plan]):
    """Split a question."""

    ROLE = "surveyor"
    PROMPT = PROMPT
    REPLY = Plan

    question: str
    sites: tuple[Surveyed, ...]

    def sections(self) -> tuple[Section, ...]:
        """The question, and the sites by what they call themselves."""
        sites = [f"{site.site} {site.title} {site.lang}" for site in self.sites]
        return (
            said("Question", self.question),
            Section(title="Sites", items=listed(sites), tokens=200),
        )

    def offline(self, embedder: Embedder) -> Plan:
        """Clauses that ask; the rest is context."""
        found = asks.split(self.question)
        return Plan(asks=list(found.asked), context=found.context)


class Guess(NamedTuple):
    """What the sites know of the words of a question, and its parts and arms by rule."""

    terms: dict[str, Terms]
    parts: tuple[Part, ...]
    arms: tuple[Arm, ...]


async def survey(state: State, ports: Ports, params: SurveyorParams) -> Update:
    """Map, plan, rank."""
    question = state.question
    mapped, notes = await _map(question.sites, ports, params.pages)
    task = PlanSearch(question=question.text, sites=tuple(mapped))
    plan, guess = await both(ports.model.ask(task), _guess(task, ports, params))
    parts = _parts(question.text, plan, guess.terms)
    arms = guess.arms
    if parts != guess.parts:
        arms = await _ranked(question.text, parts, ports, params)
    arms = arms or _roots([found.site for found in mapped])
    known = {found.site: found.pages for found in mapped}
    return {"survey": Survey(parts=parts, pages=known, notes=notes), "arms": arms}


async def _guess(task: PlanSearch, ports: Ports, params: SurveyorParams) -> Guess:
    """Rank by the rule's plan while the model makes its own: most of that work serves both."""
    sites = [found.site for found in task.sites]
    known = await together(ports.web.terms(site, task.question) for site in sites)
    terms = dict(zip(sites, known, strict=True))
    parts = _parts(task.question, task.offline(ports.embedder), terms)
    return Guess(terms, parts, await _ranked(task.question, parts, ports, params))


async def _ranked(
    question: str, parts: Sequence[Part], ports: Ports, params: SurveyorParams
) -> tuple[Arm, ...]:
    if not params.pages:
        return ()
    hits = await ports.web.rank(question, parts, params.top, params.ranking)
    arms = _plain_arms(hits, parts) if params.ranking == "bm25" else _arms(hits, parts, params.top)
    return bandit.priors(arms, params.kappa)


async def _map(
    sites: Sequence[str], ports: Ports, pages: int
) -> tuple[list[Surveyed], tuple[str, ...]]:
    """Survey what answers; with not one site to be had, the first error is the run's."""
    if not pages:
        return [Surveyed(site=site, pages=0) for site in sites], ()
    found = await asyncio.gather(
        *(ports.web.survey(site, pages) for site in sites), return_exceptions=True
    )
    mapped = [one for one in found if isinstance(one, Surveyed)]
    failed = [one for one in found if isinstance(one, BaseException)]
    unexpected = [error for error in failed if not isinstance(error, WebError)]
    if unexpected or (failed and not mapped):
        raise (unexpected or failed)[0]
    notes = [note for one in mapped for note in one.notes]
    return mapped, tuple(str(error) for error in failed) + tuple(notes)


def _parts(question: str, plan: Plan, terms: dict[str, Terms]) -> tuple[Part, ...]:
    """One part per ask and site, with the terms weighed by what that site knows of them."""
    names = _site_names(terms)
    whole = keywords(question)
    parts: list[Part] = []
    for number, (ask, search) in enumerate(_asks(question, plan), start=1):
        named = {names[term] for term in keywords(ask) if term in names}
        for place, (site, known) in enumerate(terms.items(), start=1):
            own = keywords(f"{ask} {search}")
            shared = CONTEXT_WEIGHT if len(own) > BARE_ASK else 1.0
            weights = dict.fromkeys(whole, shared) | dict.fromkeys(own, 1.0)
            others = {term for term, owner in names.items() if owner != site}
            parts.append(
                Part(
                    id=f"p{number}" if len(terms) == 1 else f"p{number}s{place}",
                    text=ask,
                    query=" ".join(f"{plan.context} {ask} {search}".split()),
                    site=site,
                    weight=ELSEWHERE if named and site not in named else 1.0,
                    terms=_weighed(weights, known, others),
                    variants=known.variants,
                    unit_length=known.unit_length,
                    page_length=known.page_length,
                )
            )
    return tuple(parts)


def _asks(question: str, plan: Plan) -> list[tuple[str, str]]:
    """The asks with what to search for, but for those whose words the question has none of."""
    whole = set(keywords(question))
    pairs = zip(plan.asks, [*plan.search, *[""] * len(plan.asks)], strict=False)
    asks = {
        ask[:LONGEST_ASK]: search
        for ask, search in pairs
        if ask.strip() and not (keywords(ask) and whole.isdisjoint(keywords(ask)))
    }
    return list(asks.items())[:MOST_ASKS] or [(question, "")]


def _weighed(weights: dict[str, float], known: Terms, others: set[str]) -> dict[str, float]:
    """Weight times rarity; a word found nowhere counts as the rarest, so that it is missed."""
    rarest = max(known.idf.values(), default=1.0) or 1.0
    return {
        term: weight * (known.idf.get(term, 0.0) or rarest)
        for term, weight in weights.items()
        if term not in others
    }


def _site_names(terms: dict[str, Terms]) -> dict[str, str]:
    """Words that stand all over one of several sites only, and so name it."""
    if len(terms) == 1:
        return {}
    owners: dict[str, list[str]] = {}
    for site, known in terms.items():
        for term, share in known.share.items():
            owners.setdefault(term, [])
            if share > UBIQUITOUS:
                owners[term].append(site)
    return {term: sites[0] for term, sites in owners.items() if len(sites) == 1}


def _plain_arms(hits: Sequence[Hit], parts: Sequence[Part]) -> list[Arm]:
    """Pages with their BM25 score, as Mango has them."""
    sites = {part.id: part.site for part in parts}
    return [
        Arm(url=hit.url, title=hit.title, site=sites[hit.part], part=hit.part, score=hit.score)
        for hit in hits
    ]


def _arms(hits: Sequence[Hit], parts: Sequence[Part], top: int) -> list[Arm]:
    """The pages that hold most of what is asked, a page's score being its share of all parts."""
    weights = {part.id: part for part in parts}
    by_url: dict[str, dict[str, float]] = {}
    for hit in hits:
        by_url.setdefault(hit.url, {})[hit.part] = hit.score
    titles = {hit.url: hit.title for hit in hits}
    held = dict(zip(by_url, shares(list(by_url.values())), strict=True))
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
                    title=titles[url],
                    site=site,
                    part=leading,
                    scores=by_url[url],
                    score=values[url],
                )
            )
    return arms


def _roots(sites: Sequence[str]) -> tuple[Arm, ...]:
    return tuple(Arm(url=site, site=site, score=1.0) for site in sites)
