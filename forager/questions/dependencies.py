"""Dependencies between sub-questions: which ones need the result of another, and that result.

Decomposition with dependencies as in FanOutQA (Zhu et al. 2024, section 3) and MindSearch (Chen et
al. 2024, section 2.1); without a planning model, dependencies are found by words that refer back.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from forager.domain.base import Frozen
from forager.domain.state import Evidence, Passage, State, SubQuestion
from forager.questions.subquestions import open_sub_questions
from forager.ranking.scoring import score_to_odds
from forager.text.answer_types import expected_types
from forager.text.tokens import keywords, terms_of

PERSON_PRONOUNS = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
THING_PRONOUNS = frozenset({"it", "its", "itself"})
POINTING = re.compile(
    r"\b(?:that|this|those|these|the same|the latter|the former|such an?) +(?!is\b|was\b|are\b)"
    r"([a-z]{3,})",
    re.IGNORECASE,
)
OF_THESE = re.compile(r"\b(?:first|second|last|one|which|both) of (?:these|those|them)\b", re.I)
WORD = re.compile(r"[^\W\d_]+")
PERSON_TYPES = frozenset({"person"})
NO_ANTECEDENT = frozenset({"count", "share", "measure", "duration", "default"})
"""Types of results that later asks do not refer back to, such as counts and durations."""


KNOWN_SCORE = 0.65
"""From this score of a quote, its part counts as answered for parts that wait for it."""
MAX_QUOTES = 6
CLEAR_MARGIN = 1.3
"""The factor by which the best result must exceed the second best."""
ISOLATED_WORTH = 0.1
"""The weight of a candidate with no word of the question nearby."""
NEAR_CHARACTERS = 80
"""How many characters before and after a candidate are searched for words of the question."""


class WaitingSubQuestion(Frozen):
    """A waiting sub-question, the ask whose result it needs, and the quotes on that, best first."""

    ask: str
    needed: str
    quotes: tuple[Evidence, ...]
    scores: tuple[float, ...]

    @property
    def best_quotes(self) -> tuple[Evidence, ...]:
        """The best few quotes."""
        return self.quotes[:MAX_QUOTES]


def find_dependencies(asks: Sequence[str]) -> list[int]:
    """For each ask, the number (from 1) of the earlier ask it refers back to; 0 without one."""
    return [
        max((place + 1 for place in range(number) if _points_back(ask, asks[place])), default=0)
        for number, ask in enumerate(asks)
    ]


def find_result(waited: WaitingSubQuestion, question: str) -> str | None:
    """The result of the needed ask, if the quotes show it clearly; else None.

    Pages that were read again all at once are considered one by one, in their original order; the
    first ones with a clear result decide.
    """
    results = (_clear_result(known, question) for known in _page_by_page(waited))
    return next((result for result in results if result), None)


def _page_by_page(waited: WaitingSubQuestion) -> Iterator[WaitingSubQuestion]:
    """The quotes known after each page that was read again and has a good one, then all quotes."""
    again = [item for item in waited.quotes if not item.step]
    again.sort(key=lambda item: int(item.id.removeprefix("e")))
    read = set[str]()
    for page in dict.fromkeys(item.passage.url for item in again):
        read.add(page)
        known = _best_on_pages(waited, read)
        if max(known.scores) >= KNOWN_SCORE:
            yield known
    yield _best_on_pages(waited, {item.passage.url for item in waited.quotes})


def _best_on_pages(waited: WaitingSubQuestion, pages: Collection[str]) -> WaitingSubQuestion:
    """Keep the best quotes on these pages."""
    pairs = zip(waited.quotes, waited.scores, strict=True)
    best = [pair for pair in pairs if pair[0].passage.url in pages][:MAX_QUOTES]
    update = {
        "quotes": tuple(item for item, _ in best),
        "scores": tuple(score for _, score in best),
    }
    return waited.model_copy(update=update)


def _clear_result(waited: WaitingSubQuestion, question: str) -> str | None:
    """The candidate of the asked type with the most weight in the quotes.

    Within a quote, a candidate closer to words of the question weighs more. None if two candidates
    are close to each other: a wrong result misleads more than an unresolved reference.
    """
    ask = waited.needed
    kinds = tuple(kind for kind in expected_types(ask) if kind.name not in NO_ANTECEDENT)
    question_terms = frozenset(keywords(question))
    weights: dict[str, float] = {}
    spelled: dict[str, str] = {}
    for item, score in zip(waited.quotes, waited.scores, strict=True):
        text = item.passage.text
        weight = score_to_odds(score - max(waited.scores))
        for kind in kinds:
            for match in kind.shown.finditer(text):
                candidate = match[0].strip()
                if not keywords(candidate) or candidate.lower() in question.lower():
                    continue
                nearness = _question_nearness(text, match.span(), question_terms)
                key = spelled.setdefault(candidate.lower(), candidate)
                weights[key] = weights.get(key, 0.0) + weight * kind.worth * nearness
    first, second = (*sorted(weights.values(), reverse=True), 0.0, 0.0)[:2]
    clear = first >= CLEAR_MARGIN * second and first > 0
    return max(weights, key=lambda candidate: weights[candidate]) if clear else None


def insert_result(ask: str, known: str) -> str:
    """The ask with the result it refers back to, in searchable words."""
    return f"{ask.rstrip(' ?.')} ({known})?"


def resolvable_sub_questions(state: State) -> tuple[WaitingSubQuestion, ...]:
    """The open sub-questions whose needs have a strong quote by now.

    Only those with a new quote in this round; the others were tried before. Pages that were read
    again before the first round count as new in it.
    """
    news = {0, 1} if state.draw.round == 1 else {state.draw.round}
    known = {part.text for part in state.survey.parts if _is_answered(state, part)}
    open = open_sub_questions(state.survey, state.verdict)
    due = {part.text: part.needs for part in open if part.needs and known.issuperset(part.needs)}
    ready = (_waiting_for(state, ask, needs[-1]) for ask, needs in due.items())
    return tuple(one for one in ready if any(e.round in news for e in one.quotes))


def _waiting_for(state: State, ask: str, needed: str) -> WaitingSubQuestion:
    """A waiting sub-question with the quotes that answer its need on the sites named for it."""
    ids = [part.id for part in state.survey.parts if part.text == needed and part.weight >= 1]
    kept = [item for item in state.evidence if not item.dropped]
    scored = [(_best_score(item.passage, ids), item) for item in kept]
    best = sorted((one for one in scored if one[0]), key=lambda one: -one[0])
    return WaitingSubQuestion(
        ask=ask,
        needed=needed,
        quotes=tuple(item for _, item in best),
        scores=tuple(score for score, _ in best),
    )


def without_sub_question(
    parts: Iterable[SubQuestion], gone: str, instead: str
) -> list[SubQuestion]:
    """Remove the parts with text `gone`; parts that need it need `instead`."""
    return [
        part.model_copy(update={"needs": tuple(instead if n == gone else n for n in part.needs)})
        for part in parts
        if part.text != gone
    ]


def _best_score(passage: Passage, ids: Collection[str]) -> float:
    """The best score of a passage for any of these parts."""
    return max((passage.scores.get(id, 0.0) for id in ids), default=0.0)


def _is_answered(state: State, part: SubQuestion) -> bool:
    if part.weight < 1:
        return False
    if state.verdict and part.id in state.verdict.covered:
        return True
    kept = (item.passage for item in state.evidence if not item.dropped)
    return max((_best_score(passage, (part.id,)) for passage in kept), default=0.0) >= KNOWN_SCORE


def _question_nearness(text: str, span: tuple[int, int], question_terms: frozenset[str]) -> float:
    """A weight that grows with nearby words of the question: 1/n² for the n-th word away."""
    start, end = span
    before = WORD.findall(text[max(0, start - NEAR_CHARACTERS) : start])[::-1]
    after = WORD.findall(text[end : end + NEAR_CHARACTERS])
    return ISOLATED_WORTH + sum(
        1 / place**2
        for words in (before, after)
        for place, word in enumerate(words, start=1)
        if not question_terms.isdisjoint(terms_of(word))
    )


def _points_back(ask: str, earlier: str) -> bool:
    words = {word.lower() for word in WORD.findall(ask)}
    kinds = {kind.name for kind in expected_types(earlier)}
    if words & PERSON_PRONOUNS:
        return bool(kinds & PERSON_TYPES)
    if OF_THESE.search(ask):
        return True
    noun = POINTING.search(ask)
    if noun:
        return bool(set(keywords(noun[1])) & set(keywords(earlier)))
    return bool(words & THING_PRONOUNS) and _asks_for_thing(kinds)


def _asks_for_thing(kinds: set[str]) -> bool:
    """Does the earlier ask look for a thing that `it` may refer to?"""
    return bool(kinds & {"version", "code", "name", "place"}) and not kinds & PERSON_TYPES
