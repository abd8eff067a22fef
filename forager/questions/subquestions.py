"""Builds the sub-questions (parts) of a question, one for each site, with weighted terms."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from pydantic import BaseModel, Field

from forager.data.word_lists import all_words, match_any
from forager.domain.state import State, SubQuestion, Survey, Verdict
from forager.domain.survey import TermStatistics
from forager.questions import followups
from forager.questions.anaphora import stands_alone
from forager.questions.question_words import WORDS
from forager.questions.required_terms import find_required_terms
from forager.questions.search_queries import distinctive_words, shorten_query
from forager.ranking.gloss import apply_gloss
from forager.text.languages import detect_language
from forager.text.tokens import CJK, keywords, search_terms

CONTEXT_WEIGHT = 0.5
"""Weight of a question's word in parts that do not contain it."""
EARLIER_WEIGHTS = 0.5, 0.2
"""Weights of words from earlier questions: of the most recent word, and of the oldest."""
REPLACED_WEIGHT = 0.5
"""Factor for these weights if another thing is asked about, since some words name the first."""
MAX_QUERY_WORDS = 16
BARE_WORDS = 2
"""An ask of at most this many words ("which one?") depends on the rest of the question."""
SPOKEN_SHARE = 0.5
"""The least share of a question's words found on a site in the same language."""
UBIQUITOUS_SHARE = 0.6
RARE_SHARE = 0.2
"""A word on more than the first share of one site's pages, and on less of all others, names it."""
PHRASE_END = re.compile(
    rf"[,;:.?!]+(?:\s+(?:{match_any(all_words(WORDS.conjunctions))})\b|\s|$)|[，；：。？！]",
    re.IGNORECASE,
)
"""Where a phrase of a question ends, with the word that joins the next one to it."""
ELSEWHERE_WEIGHT = 0.25
"""The weight of a part on a site that it does not name."""

ID_NUMBER = re.compile(r"p(\d+)")


class PlannedLookup(BaseModel):
    """One thing to look up."""

    ask: str = Field(description="one look-up, complete by itself")
    search: str = Field("", description="words of a page that answers it")
    site: int = Field(0, ge=0, description="the number of the site that it is about; 0 for any")
    needs: int = Field(0, description="the number of the look-up whose result it needs, or 0")
    row: str = Field("", description="in a table, the row that it fills; else empty")
    column: str = Field("", description="in a table, the column that it fills; else empty")


def search_query(look_up: PlannedLookup, context: str) -> str:
    """The query for a search engine: the planned search words, or those of the sub-question.

    If that has few content words ("which one?"), those of the context are added.
    """
    own = distinctive_words(look_up.ask)
    words = (
        own if len(own) > BARE_WORDS else list(dict.fromkeys((*own, *distinctive_words(context))))
    )
    return shorten_query(look_up.search) or shorten_query(
        " ".join(words[:MAX_QUERY_WORDS]) or look_up.ask
    )


class SubQuestionBuilder:
    """Builds the parts of one question."""

    def __init__(
        self,
        question: str,
        context: str,
        terms: Mapping[str, TermStatistics],
        best: Mapping[str, str] | None = None,
        *,
        leans: bool = False,
    ) -> None:
        """`terms` are statistics by site; `best` maps asks to the site with the best search result.

        `leans` tells that the question is a follow-up with words of earlier ones in it.
        """
        self._question = question
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
        """Parts numbered from `first`: one for the planned site of an ask, else one per site."""
        asks = asks if since else self._ask_each_site(asks)
        named = [self._named_sites(each) for each in asks]
        # A question that names several sites asks something of each.
        unnamed = set(self._terms) - set().union(*named) or set(self._terms)
        return tuple(
            self._build_one(number, place, each, asks, sites or unnamed, since)
            for number, (each, sites) in enumerate(zip(asks, named, strict=True), start=first)
            for place in self._places(each)
        )

    def _ask_each_site(self, asks: Sequence[PlannedLookup]) -> Sequence[PlannedLookup]:
        """The only ask once for each site, if the question names several of them around it."""
        if len(asks) != 1 or self._named_sites(asks[0]):
            return asks
        around = PHRASE_END.split(self._question.replace(asks[0].ask, ""))
        phrases = {site: phrase.strip() for phrase in around for site in self._sites_in(phrase)}
        each = [
            asks[0].model_copy(update={"ask": f"{asks[0].ask} ({phrases[site]})", "site": number})
            for number, site in enumerate(self._terms, start=1)
            if site in phrases
        ]
        return each if len(each) > 1 else asks

    def _sites_in(self, text: str) -> set[str]:
        """The sites that a text names."""
        return {self._names[term] for term in keywords(text, self._language) if term in self._names}

    def _places(self, each: PlannedLookup) -> Sequence[int]:
        """The places of the sites that get a part."""
        return [each.site - 1] if self._is_planned(each) else range(len(self._terms))

    def _is_planned(self, each: PlannedLookup) -> bool:
        return 0 < each.site <= len(self._terms)

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
        bare = self._is_bare(asked)
        context, follows = self._leaned_on(each, asks)
        leans_on = f"{context} {follows}".strip()
        meant = f"{leans_on} {asked}" if bare and not self._leans else asked
        said = partial(apply_gloss, told=known.gloss)
        own = keywords(said(f"{meant} {each.search}"), self._language)
        shared = CONTEXT_WEIGHT if len(own) > BARE_WORDS else 1.0
        whole = search_terms(said(self._question)) if known.gloss else self._whole
        weights = dict.fromkeys(whole, shared)
        if self._leans:
            scale = REPLACED_WEIGHT if followups.asks_of_another(each.ask) else 1.0
            weights = _fading_weights((term for term in whole if term not in own), scale)
        weights |= dict.fromkeys(own, 1.0)
        asked_of_both = own if site in self._sites_in(meant) else ()
        others = {term for term, owner in self._names.items() if owner != site}
        return SubQuestion(
            id=f"p{number}" if len(self._terms) == 1 else f"p{number}s{place + 1}",
            text=each.ask,
            query=" ".join(f"{leans_on or self._context} {each.ask} {each.search}".split()),
            site=site,
            weight=1.0 if site in sites else ELSEWHERE_WEIGHT,
            terms=_term_weights(weights, known, others.difference(asked_of_both)),
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
            leans_on=leans_on,
            follows=follows,
            gloss=said(f"{leans_on} {each.ask}".strip()) if known.gloss else "",
        )

    def _is_bare(self, text: str) -> bool:
        return len(keywords(text, self._language)) <= BARE_WORDS

    def _leaned_on(self, each: PlannedLookup, asks: Sequence[PlannedLookup]) -> tuple[str, str]:
        """What an ask cannot be understood without: the context, or else the ask before it.

        A bare one leans on both.
        """
        bare = self._is_bare(each.ask)
        if each.row or each.column or (stands_alone(each.ask) and not bare):
            return "", ""
        before = asks[: asks.index(each)][-1:] if bare or not self._context else ()
        return self._context, "".join(one.ask for one in before)

    def _in_site_language(self, known: TermStatistics) -> bool:
        """Does the site seem to be in the language of the question?"""
        found = sum(bool(known.idf.get(term)) for term in self._whole)
        return found >= SPOKEN_SHARE * len(self._whole)

    def _named_sites(self, each: PlannedLookup) -> set[str]:
        """The planned site of an ask, the one where a search found it best, or those it names."""
        if self._is_planned(each):
            return {list(self._terms)[each.site - 1]}
        if best := self._best.get(each.ask):
            return {best}
        return self._sites_in(each.ask)


def open_sub_questions(survey: Survey, verdict: Verdict | None) -> tuple[SubQuestion, ...]:
    """The parts that a verdict leaves open, and newer ones that it has not judged."""
    if verdict is None:
        return survey.parts
    return tuple(
        part
        for part in survey.parts
        if part.id in verdict.open or (part.since and part.id not in verdict.covered)
    )


def standing_verdict(state: State) -> Verdict | None:
    """The last verdict; if a page was opened since, its pending parts are covered."""
    verdict = state.verdict
    if verdict is None or not any(step.page for step in state.steps[verdict.steps :]):
        return verdict
    open = tuple(id for id in verdict.open if id not in verdict.pending)
    update = {
        "sufficient": not open,
        "open": open,
        "covered": (*verdict.covered, *verdict.pending),
        "grounds": verdict.grounds | verdict.pending,
        "pending": {},
    }
    return verdict.model_copy(update=update)


def was_confirmed(state: State) -> bool:
    """Was a page opened since the last verdict, and is nothing open but what waited for that?"""
    verdict = standing_verdict(state)
    return verdict is not None and verdict != state.verdict and verdict.sufficient


def next_number(parts: Iterable[SubQuestion]) -> int:
    """The next free part number; numbers are never reused."""
    return (
        max((int(found[1]) for part in parts if (found := ID_NUMBER.match(part.id))), default=0) + 1
    )


def ready_sub_questions(open: Sequence[SubQuestion]) -> tuple[SubQuestion, ...]:
    """The open parts that need no other open part; all if every part does."""
    asks = distinct_texts(open)
    return tuple(part for part in open if not set(part.needs) & set(asks)) or tuple(open)


def distinct_texts(parts: Sequence[SubQuestion]) -> tuple[str, ...]:
    """The distinct texts of the parts."""
    return tuple(dict.fromkeys(part.text for part in parts))


def list_parts(parts: Iterable[SubQuestion]) -> list[str]:
    """A line with ids and text for each sub-question; it is one line for all of its sites."""
    lines: dict[str, list[SubQuestion]] = {}
    for part in parts:
        lines.setdefault(_shared_id(part.id), []).append(part)
    return [f"{', '.join(part.id for part in same)}: {same[0].text}" for same in lines.values()]


def spread_over_sites(
    grounds: Mapping[str, tuple[str, ...]], parts: Iterable[SubQuestion]
) -> dict[str, tuple[str, ...]]:
    """The grounds; quotes for a sub-question on one site count on all sites where it is open."""
    found = {_shared_id(id): quotes for id, quotes in grounds.items() if quotes}
    same = {part.id: found[shared] for part in parts if (shared := _shared_id(part.id)) in found}
    return same | {id: quotes for id, quotes in grounds.items() if quotes or id not in same}


def _shared_id(id: str) -> str:
    """The part of the id that a sub-question has on all its sites."""
    found = ID_NUMBER.match(id)
    return found[0] if found else id


def covered_ids(state: State) -> tuple[str, ...]:
    """The ids of the parts that the critic, or since then the aggregator, found covered."""
    known = {item.id for item in state.evidence if not item.dropped}
    judged = dict(state.verdict.grounds) if state.verdict else {}
    left = state.verdict.open if state.verdict else ()
    told = {id: quotes for id, quotes in state.feedback.grounds.items() if id not in left}
    return tuple(
        part.id
        for part in state.survey.parts
        if (quotes := (judged | told).get(part.id)) and known.issuperset(quotes)
    )


def nothing_is_open(state: State) -> bool:
    """Has the aggregator kept something, and named nothing as open?"""
    return not state.feedback.open and any(not item.dropped for item in state.evidence)


def parts_to_pursue(state: State) -> tuple[SubQuestion, ...]:
    """The parts left open by the critic, else by the aggregator; all if neither names any."""
    parts = state.survey.parts
    if state.verdict:
        return open_sub_questions(state.survey, state.verdict) or parts
    return tuple(part for part in parts if part.text in state.feedback.open) or parts


def open_texts(state: State) -> tuple[str, ...]:
    """The texts of the open sub-questions; none once the aggregator has closed everything."""
    if state.verdict is None and nothing_is_open(state):
        return ()
    return state.feedback.open or distinct_texts(parts_to_pursue(state))


def has_notes(texts: Iterable[str], parts: Sequence[SubQuestion]) -> bool:
    """Is any of these texts not a part's, but a note that a model wrote after reading pages?"""
    return not {part.text for part in parts}.issuperset(texts)


def _fading_weights(terms: Iterable[str], scale: float) -> dict[str, float]:
    """Weights for the words of a conversation, latest first; older ones weigh less."""
    once = list(dict.fromkeys(terms))
    first, last = EARLIER_WEIGHTS
    step = (first - last) / max(1, len(once) - 1)
    return {term: scale * (first - step * place) for place, term in enumerate(once)}


def _earlier_needs(each: PlannedLookup, asks: Sequence[PlannedLookup]) -> tuple[int, ...]:
    return (each.needs,) if 0 < each.needs <= len(asks) and asks[each.needs - 1] != each else ()


def _term_weights(
    weights: Mapping[str, float], known: TermStatistics, others: AbstractSet[str]
) -> dict[str, float]:
    """Weight times rarity (idf); a term found nowhere counts as the rarest, as it is missing."""
    rarest = max(known.idf.values(), default=1.0) or 1.0
    written = _in_scripts_of_site(weights, known)
    return {
        term: weight * (known.idf.get(term, 0.0) or rarest)
        for term, weight in written.items()
        if term not in others
    }


def _in_scripts_of_site(weights: Mapping[str, float], known: TermStatistics) -> Mapping[str, float]:
    """The terms without Chinese and Japanese ones, if the site has none of these.

    On a site in another script, only the question's names, numbers and foreign words can match.
    """
    latin = {term: weight for term, weight in weights.items() if not CJK.search(term)}
    foreign = any(known.idf.get(term) for term in weights if term not in latin)
    return weights if foreign or not any(known.idf.get(term) for term in latin) else latin


def _site_names(terms: Mapping[str, TermStatistics]) -> dict[str, str]:
    """Words that are frequent on exactly one of several sites, and so name it."""
    if len(terms) == 1:
        return {}
    words = {term for known in terms.values() for term in known.share}
    names: dict[str, str] = {}
    for word in words:
        shares = sorted((known.share.get(word, 0.0), site) for site, known in terms.items())
        (next_best, _), (best, site) = shares[-2:]
        if best > UBIQUITOUS_SHARE and next_best < RARE_SHARE:
            names[word] = site
    return names


def merge_weights(parts: Iterable[SubQuestion]) -> dict[str, float]:
    """The index terms of the parts, each with its greatest weight."""
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
    """The share (0 to 1) of the weights of terms in `words`; terms in `nearby` count less."""
    held = sum(
        weight * (1.0 if term in words else nearby_weight if term in nearby else 0.0)
        for term, weight in weights.items()
    )
    return held / (sum(weights.values()) or 1.0)


def open_terms(state: State) -> dict[str, float]:
    """The index terms of what is open, each with its greatest weight in any part, or 1.

    They are in the order of the parts, so that prompts with them are the same in every process.
    """
    weights = merge_weights(state.survey.parts)
    own = dict.fromkeys(term for part in parts_to_pursue(state) for term in part.terms)
    noted = (term for text in open_texts(state) for term in keywords(text))
    return {term: weights.get(term, 1.0) for term in (*own, *noted)}


ENDS = ".!?。！？"
QUESTION_MARKS = "?？"
SENTENCE_END = re.compile(r"[!?。！？]|(?<=\w{4})\.(?=\s|$)")
"""Where a sentence of a question ends; the full stop of a short word is that of an abbreviation."""


def label_subquestion(text: str, question: str) -> str:
    """A sub-question as it is shown, with the mark that ends its sentence in the question."""
    label = text.rstrip(" ,;")
    if not label:
        return text
    place = question.find(label)
    ends = SENTENCE_END.search(question, place + len(label) - 1) if place >= 0 else None
    mark = ends[0] if ends and ends[0] in QUESTION_MARKS else ""
    whole = label if label[-1] in ENDS else label + mark
    return whole[0].upper() + whole[1:]
