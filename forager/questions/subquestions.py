"""A question's look-ups as parts: one for each site, with terms weighed by what the site knows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from pydantic import BaseModel, Field

from forager.domain.state import State, SubQuestion, Survey, Verdict
from forager.domain.survey import TermStatistics
from forager.questions import followups
from forager.questions.required_terms import find_required_terms
from forager.questions.search_queries import distinctive_words, shorten_query
from forager.text.languages import detect_language
from forager.text.tokens import CJK, keywords, search_terms

CONTEXT_WEIGHT = 0.5
"""What a word of the question counts for the parts in which it does not stand."""
EARLIER_WEIGHTS = 0.5, 0.2
"""The same for the first and the last word of the questions before it, the latest first."""
REPLACED_WEIGHT = 0.5
"""How much of that is left where another thing is asked about: some words are of the first one."""
MAX_QUERY_WORDS = 16
BARE_WORDS = 2
"""An ask of so few words ("which one?") lives on the rest of the question."""
SPOKEN_SHARE = 0.5
"""The share of a question's words that stand on a site in its language."""
UBIQUITOUS_SHARE = 0.6
"""A word on more than this share of one site's pages, and not of the others', names that site."""
ELSEWHERE_WEIGHT = 0.25
"""The weight of a part, on a site it does not name."""

ID_NUMBER = re.compile(r"p(\d+)")


class PlannedLookup(BaseModel):
    """One thing to look up."""

    ask: str = Field(description="one look-up, complete by itself")
    search: str = Field("", description="words of a page that answers it")
    needs: int = Field(0, description="the number of the look-up whose result it needs, or 0")
    row: str = Field("", description="in a table, the row that it fills; else empty")
    column: str = Field("", description="in a table, the column that it fills; else empty")


def search_query(look_up: PlannedLookup, context: str) -> str:
    """What to type into a search engine: the words planned for that, or those of the look-up.

    If the look-up has few content words ("which one?"), those of the context are added.
    """
    own = distinctive_words(look_up.ask)
    words = (
        own if len(own) > BARE_WORDS else list(dict.fromkeys((*own, *distinctive_words(context))))
    )
    return shorten_query(look_up.search) or shorten_query(
        " ".join(words[:MAX_QUERY_WORDS]) or look_up.ask
    )


class SubQuestionBuilder:
    """Makes the parts of one question."""

    def __init__(
        self,
        question: str,
        context: str,
        terms: Mapping[str, TermStatistics],
        best: Mapping[str, str] | None = None,
        *,
        leans: bool = False,
    ) -> None:
        """`terms` by site; `best` names for asks the site where a search found them best.

        A question that `leans` on others has their words in it.
        """
        self._leans = leans
        self._language = detect_language(question)
        self._whole = search_terms(question)
        self._context = context
        self._terms = terms
        self._best = dict(best or {})
        self._names = _site_names(terms)

    def build(
        self, asks: Sequence[PlannedLookup], first: int = 1, since: int = 0
    ) -> tuple[SubQuestion, ...]:
        """One part per ask and site, numbered from `first`."""
        named = [self._named_sites(each) for each in asks]
        # Whoever names several sites wants something of each.
        unnamed = set(self._terms) - set().union(*named) or set(self._terms)
        return tuple(
            self._build_one(number, place, each, asks, sites or unnamed, since)
            for number, (each, sites) in enumerate(zip(asks, named, strict=True), start=first)
            for place in range(len(self._terms))
        )

    def _build_one(  # noqa: PLR0913, PLR0917
        self,
        number: int,
        place: int,
        each: PlannedLookup,
        asks: Sequence[PlannedLookup],
        sites: AbstractSet[str],
        since: int,
    ) -> SubQuestion:
        site, known = list(self._terms.items())[place]
        asked = followups.own_clause(each.ask)
        own = keywords(f"{asked} {each.search}", self._language)
        shared = CONTEXT_WEIGHT if len(own) > BARE_WORDS else 1.0
        weights = dict.fromkeys(self._whole, shared)
        if self._leans:
            scale = REPLACED_WEIGHT if followups.asks_of_another(each.ask) else 1.0
            weights = _fading_weights((term for term in self._whole if term not in own), scale)
        weights |= dict.fromkeys(own, 1.0)
        others = {term for term, owner in self._names.items() if owner != site}
        return SubQuestion(
            id=f"p{number}" if len(self._terms) == 1 else f"p{number}s{place + 1}",
            text=each.ask,
            query=" ".join(f"{self._context} {each.ask} {each.search}".split()),
            site=site,
            weight=1.0 if site in sites else ELSEWHERE_WEIGHT,
            terms=_term_weights(weights, known, others),
            variants=known.variants,
            unit_length=known.unit_length,
            page_length=known.page_length,
            needs=tuple(asks[needed - 1].ask for needed in _earlier_needs(each, asks)),
            since=since,
            unknown=find_required_terms(each.ask, known, self._language),
            own=keywords(asked, self._language)
            if self._leans and self._in_site_language(known)
            else (),
            row=each.row,
            column=each.column,
        )

    def _in_site_language(self, known: TermStatistics) -> bool:
        """Is the question in the language of a site, as far as its words say?"""
        there = sum(bool(known.idf.get(term)) for term in self._whole)
        return there >= SPOKEN_SHARE * len(self._whole)

    def _named_sites(self, each: PlannedLookup) -> set[str]:
        """The sites that an ask names, or the one where a search found it best."""
        if best := self._best.get(each.ask):
            return {best}
        own = keywords(each.ask, self._language)
        return {self._names[term] for term in own if term in self._names}


def open_sub_questions(survey: Survey, verdict: Verdict | None) -> tuple[SubQuestion, ...]:
    """The parts that a verdict leaves open, and those written anew that it has not seen."""
    if verdict is None:
        return survey.parts
    return tuple(
        part
        for part in survey.parts
        if part.id in verdict.open or (part.since and part.id not in verdict.covered)
    )


def next_number(parts: Iterable[SubQuestion]) -> int:
    """The number behind those of all parts that there are: none is given out twice."""
    return (
        max((int(found[1]) for part in parts if (found := ID_NUMBER.match(part.id))), default=0) + 1
    )


def ready_sub_questions(open: Sequence[SubQuestion]) -> tuple[SubQuestion, ...]:
    """Of the parts that are open, those that wait for none of them; all, where each one waits."""
    asks = distinct_texts(open)
    return tuple(part for part in open if not set(part.needs) & set(asks)) or tuple(open)


def distinct_texts(parts: Sequence[SubQuestion]) -> tuple[str, ...]:
    """What the parts ask, each once."""
    return tuple(dict.fromkeys(part.text for part in parts))


def parts_to_pursue(state: State) -> tuple[SubQuestion, ...]:
    """The parts that the critic left open, or else the aggregator; all if neither named any."""
    parts = state.survey.parts
    if state.verdict:
        return open_sub_questions(state.survey, state.verdict) or parts
    return tuple(part for part in parts if part.text in state.feedback.open) or parts


def open_texts(state: State) -> tuple[str, ...]:
    """What is still to be looked up, in words."""
    return state.feedback.open or distinct_texts(parts_to_pursue(state))


def has_notes(texts: Iterable[str], parts: Sequence[SubQuestion]) -> bool:
    """Is one of these texts no part's, so that a model wrote it after it had read pages?"""
    return not {part.text for part in parts}.issuperset(texts)


def _fading_weights(terms: Iterable[str], scale: float) -> dict[str, float]:
    """Words of a conversation: those said long ago count less."""
    once = list(dict.fromkeys(terms))
    first, last = EARLIER_WEIGHTS
    step = (first - last) / max(1, len(once) - 1)
    return {term: scale * (first - step * place) for place, term in enumerate(once)}


def _earlier_needs(each: PlannedLookup, asks: Sequence[PlannedLookup]) -> tuple[int, ...]:
    return (each.needs,) if 0 < each.needs <= len(asks) and asks[each.needs - 1] != each else ()


def _term_weights(
    weights: Mapping[str, float], known: TermStatistics, others: AbstractSet[str]
) -> dict[str, float]:
    """Weight times rarity; a word found nowhere counts as the rarest, so that it is missed."""
    rarest = max(known.idf.values(), default=1.0) or 1.0
    written = _in_scripts_of_site(weights, known)
    return {
        term: weight * (known.idf.get(term, 0.0) or rarest)
        for term, weight in written.items()
        if term not in others
    }


def _in_scripts_of_site(weights: Mapping[str, float], known: TermStatistics) -> Mapping[str, float]:
    """The terms but for Chinese and Japanese ones, where the site has none of these.

    A question in another script than the site's is about its names, numbers and foreign words.
    """
    latin = {term: weight for term, weight in weights.items() if not CJK.search(term)}
    foreign = any(known.idf.get(term) for term in weights if term not in latin)
    return weights if foreign or not any(known.idf.get(term) for term in latin) else latin


def _site_names(terms: Mapping[str, TermStatistics]) -> dict[str, str]:
    """Words that stand all over one of several sites only, and so name it."""
    if len(terms) == 1:
        return {}
    owners: dict[str, list[str]] = {}
    for site, known in terms.items():
        for term, share in known.share.items():
            owners.setdefault(term, [])
            if share > UBIQUITOUS_SHARE:
                owners[term].append(site)
    return {term: sites[0] for term, sites in owners.items() if len(sites) == 1}


def merge_weights(parts: Iterable[SubQuestion]) -> dict[str, float]:
    """The index terms of parts, each with the greatest weight that one gives it."""
    weights: dict[str, float] = {}
    for part in parts:
        for term, weight in part.terms.items():
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def weighted_share(
    weights: Mapping[str, float],
    words: AbstractSet[str],
    nearby: AbstractSet[str] = frozenset(),
    nearby_weight: float = 0.5,
) -> float:
    """The share (0 to 1) of the weights whose terms are in `words`; in `nearby` they count less."""
    held = sum(
        weight * (1.0 if term in words else nearby_weight if term in nearby else 0.0)
        for term, weight in weights.items()
    )
    return held / (sum(weights.values()) or 1.0)


def open_terms(state: State) -> dict[str, float]:
    """The index terms of what is open, each with the greatest weight of any part, or 1.

    Their order is that of the parts: a task that holds them is the same in every process.
    """
    weights = merge_weights(state.survey.parts)
    own = dict.fromkeys(term for part in parts_to_pursue(state) for term in part.terms)
    noted = (term for text in open_texts(state) for term in keywords(text))
    return {term: weights.get(term, 1.0) for term in (*own, *noted)}
