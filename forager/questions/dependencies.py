"""Look-ups that need the result of another: which they are, and how they read once it is known.

Decomposition with dependencies as in FanOutQA (Zhu et al. 2024, section 3) and MindSearch (Chen et
al. 2024, section 2.1); here by the words that point back, where no model plans.
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
MANY = frozenset({"they", "them", "their", "theirs"})
POINTING = re.compile(
    r"\b(?:that|this|those|these|the same|the latter|the former|such an?) +(?!is\b|was\b|are\b)"
    r"([a-z]{3,})",
    re.IGNORECASE,
)
OF_THESE = re.compile(r"\b(?:first|second|last|one|which|both) of (?:these|those|them)\b", re.I)
WORD = re.compile(r"[^\W\d_]+")
PERSON_TYPES = frozenset({"person"})
NO_ANTECEDENT = frozenset({"count", "share", "measure", "duration", "default"})
"""Kinds of results that nothing points back to: how many, how long."""


KNOWN_SCORE = 0.65
"""The score of a quote from which its part counts as known, for those that wait for it."""
MOST_QUOTES = 6
CLEAR_MARGIN = 1.3
"""How much more there must be for the best result than for the next."""
ISOLATED_WORTH = 0.1
"""What a thing is worth with no word of the question around it."""
NEAR_CHARACTERS = 80
"""Characters before and after a thing in which words of the question count."""


class WaitingSubQuestion(Frozen):
    """A look-up that waited, what it needed, and the quotes on that with their scores.

    The best quotes come first.
    """

    ask: str
    needed: str
    quotes: tuple[Evidence, ...]
    scores: tuple[float, ...]

    @property
    def best_quotes(self) -> tuple[Evidence, ...]:
        """The best quotes, which are enough to see."""
        return self.quotes[:MOST_QUOTES]


def find_dependencies(asks: Sequence[str]) -> list[int]:
    """For each ask the number of the earlier one whose result it points back to; 0 without one."""
    return [
        max((place + 1 for place in range(number) if _points_back(ask, asks[place])), default=0)
        for number, ask in enumerate(asks)
    ]


def find_result(waited: WaitingSubQuestion, question: str) -> str | None:
    """What answers the ask that is needed, as far as the quotes tell it clearly.

    Pages that were read again all at once count as they did when they were read one by one: the
    first of them that tell it do.
    """
    found = (_clear_result(known, question) for known in _page_by_page(waited))
    return next((thing for thing in found if thing), None)


def _page_by_page(waited: WaitingSubQuestion) -> Iterator[WaitingSubQuestion]:
    """What was known after each page that was read again and tells something, then all of it."""
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
    """The best of its quotes on some pages."""
    pairs = zip(waited.quotes, waited.scores, strict=True)
    best = [pair for pair in pairs if pair[0].passage.url in pages][:MOST_QUOTES]
    update = {
        "quotes": tuple(item for item, _ in best),
        "scores": tuple(score for _, score in best),
    }
    return waited.model_copy(update=update)


def _clear_result(waited: WaitingSubQuestion, question: str) -> str | None:
    """The thing of the kind that is asked for which the quotes hold most.

    Of two things in one quote, that one which stands nearer to words of the question. None where
    two come close to each other: a wrong result leads further astray than the words it stands for.
    """
    ask = waited.needed
    kinds = tuple(kind for kind in expected_types(ask) if kind.name not in NO_ANTECEDENT)
    said = frozenset(keywords(question))
    found: dict[str, float] = {}
    spelled: dict[str, str] = {}
    for item, score in zip(waited.quotes, waited.scores, strict=True):
        text = item.passage.text
        weight = score_to_odds(score - max(waited.scores))
        for kind in kinds:
            for match in kind.shown.finditer(text):
                thing = match[0].strip()
                if thing.lower() in question.lower():
                    continue
                near = _question_nearness(text, match.span(), said)
                key = spelled.setdefault(thing.lower(), thing)
                found[key] = found.get(key, 0.0) + weight * kind.worth * near
    best, second = (*sorted(found.values(), reverse=True), 0.0, 0.0)[:2]
    clear = best >= CLEAR_MARGIN * second and best > 0
    return max(found, key=lambda thing: found[thing]) if clear else None


def insert_result(ask: str, known: str) -> str:
    """The ask with what it points back to, in words that can be searched for."""
    return f"{ask.rstrip(' ?.')} ({known})?"


def resolvable_sub_questions(state: State) -> tuple[WaitingSubQuestion, ...]:
    """The look-ups that are open, and wait for others that have a strong quote by now.

    Only those on which this round has brought a quote: what the others say was asked before. What
    was read again before the first round is news in it.
    """
    news = {0, 1} if state.draw.round == 1 else {state.draw.round}
    known = {part.text for part in state.survey.parts if _is_answered(state, part)}
    open = open_sub_questions(state.survey, state.verdict)
    due = {part.text: part.needs for part in open if part.needs and known.issuperset(part.needs)}
    ready = (_waiting_for(state, ask, needs[-1]) for ask, needs in due.items())
    return tuple(one for one in ready if any(e.round in news for e in one.quotes))


def _waiting_for(state: State, ask: str, needed: str) -> WaitingSubQuestion:
    """With the quotes that answer what it needs, where that is meant to be found."""
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
    """The parts but for those that ask this; what waited for it waits for another."""
    return [
        part.model_copy(update={"needs": tuple(instead if n == gone else n for n in part.needs)})
        for part in parts
        if part.text != gone
    ]


def _best_score(passage: Passage, ids: Collection[str]) -> float:
    """How well a passage answers the best of these parts."""
    return max((passage.scores.get(id, 0.0) for id in ids), default=0.0)


def _is_answered(state: State, part: SubQuestion) -> bool:
    if part.weight < 1:
        return False
    if state.verdict and part.id in state.verdict.covered:
        return True
    kept = (item.passage for item in state.evidence if not item.dropped)
    return max((_best_score(passage, (part.id,)) for passage in kept), default=0.0) >= KNOWN_SCORE


def _question_nearness(text: str, span: tuple[int, int], said: frozenset[str]) -> float:
    """More with words of the question close by: 1/n² for the n-th word before or after."""
    start, end = span
    before = WORD.findall(text[max(0, start - NEAR_CHARACTERS) : start])[::-1]
    after = WORD.findall(text[end : end + NEAR_CHARACTERS])
    return ISOLATED_WORTH + sum(
        1 / place**2
        for words in (before, after)
        for place, word in enumerate(words, start=1)
        if not said.isdisjoint(terms_of(word))
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
    """Does the earlier ask look for a thing, that `it` may stand for?"""
    return bool(kinds & {"version", "code", "name", "place"}) and not kinds & PERSON_TYPES
