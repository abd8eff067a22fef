"""Sub-questions that need the result of another, and how it is inserted."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.state import Draw, Evidence, Passage, Question, State, Survey, Verdict
from forager.questions import dependencies
from forager.questions.dependencies import WaitingSubQuestion
from tests.nodes.states import part

RELEASE = "Which release does the viewer need at least"
DAY = "on which day was it published?"
QUESTION = f"{RELEASE}, and {DAY}"
NEEDS = "The viewer speaks protocol 2.0 and needs Holm release 3.7.15 or newer."


def entry(text: str, number: int = 1, **scores: float) -> Evidence:
    passage = Passage(
        url=f"http://host/{number}", title="A page", blob="b", start=0, end=len(text), text=text,
        part="p1", scores=scores or {"p1": 1.0},
    )  # fmt: skip
    return Evidence(id=f"e{number}", passage=passage, round=1, step="1.1")


def waited(
    *texts: str, needed: str = RELEASE, scores: tuple[float, ...] = ()
) -> WaitingSubQuestion:
    quotes = tuple(entry(text, number) for number, text in enumerate(texts, start=1))
    return WaitingSubQuestion(
        ask=DAY, needed=needed, quotes=quotes, scores=scores or (1.0,) * len(texts)
    )


@pytest.mark.parametrize(
    ("asks", "needs"),
    [
        ((RELEASE, DAY), [0, 1]),
        (("Who built the tower", "where was she born?"), [0, 1]),
        (("Who built the tower", "when was it opened?"), [0, 0]),
        (("How high is the tower", "when was it opened?"), [0, 0]),
        (("Which class is that", "which sword does that class carry?"), [0, 1]),
        (("Which sword does that class carry", "which class is that?"), [0, 0]),
        (("How high is the tower", "who built the dome?"), [0, 0]),
        (("Which two lamps burn", "what does the first of them cost?"), [0, 1]),
        (("Who founded it",), [0]),
        ((), []),
    ],
)
def test_an_ask_needs_the_result_it_refers_back_to(asks: tuple[str, ...], needs: list[int]) -> None:
    assert dependencies.find_dependencies(asks) == needs


@given(st.lists(st.text(max_size=60), max_size=6))
def test_nothing_needs_itself_or_what_comes_later(asks: list[str]) -> None:
    assert all(needed <= place for place, needed in enumerate(dependencies.find_dependencies(asks)))


def test_the_result_is_the_candidate_of_the_asked_type_nearest_to_words_of_the_question() -> None:
    assert dependencies.find_result(waited(NEEDS), QUESTION) == "3.7.15"


def test_the_better_quote_weighs_more() -> None:
    quotes = waited("Release 1.2.3 is out.", "Release 4.5.6 is out.", scores=(0.7, 1.0))
    assert dependencies.find_result(quotes, QUESTION) == "4.5.6"


def test_two_close_candidates_give_no_result() -> None:
    assert (
        dependencies.find_result(waited("Release 1.2.3 is out.", "Release 4.5.6 is out."), QUESTION)
        is None
    )


SAYINGS = st.sampled_from(
    [NEEDS, "Release 1.2.3 is out.", "It is new.", "Release 4.5.6 needs release 1.2.3."]
)


def again(*entries: Evidence) -> tuple[Evidence, ...]:
    """Entries of pages that were read before and are now read all at once."""
    return tuple(item.model_copy(update={"round": 0, "step": ""}) for item in entries)


def test_of_pages_read_again_the_first_with_a_clear_result_decide() -> None:
    louder = "Release 4.5.6 is out."
    for first, told in ((NEEDS, "3.7.15"), (louder, "4.5.6")):
        second = NEEDS if first == louder else louder
        pages = again(entry(first, 9, p1=0.9), entry(second, 10, p1=1.4))
        [ready] = dependencies.resolvable_sub_questions(state(*pages))
        assert ready.best_quotes[0].passage.text == second
        assert dependencies.find_result(ready, QUESTION) == told


@given(st.lists(st.tuples(SAYINGS, st.floats(0.1, 1.5)), min_size=1, max_size=8))
def test_pages_read_at_once_give_the_same_result_as_one_by_one(
    told: list[tuple[str, float]],
) -> None:
    entries = tuple(entry(text, n, p1=score) for n, (text, score) in enumerate(told, start=1))
    known = (
        dependencies.resolvable_sub_questions(state(*entries[:count]))
        for count in range(1, len(entries) + 1)
    )
    found = (dependencies.find_result(ready, QUESTION) for waiting in known for ready in waiting)
    at_once = [
        dependencies.find_result(ready, QUESTION)
        for ready in dependencies.resolvable_sub_questions(state(*again(*entries)))
    ]
    assert next(filter(None, found), None) == next(filter(None, at_once), None)


def test_words_of_the_question_are_no_result() -> None:
    asked = "It needs release 3.7.15. Which release came next, and when was it published?"
    assert dependencies.find_result(waited("3.7.15 needs release 3.8.0."), asked) == "3.8.0"


def test_a_word_without_meaning_is_no_result() -> None:
    quotes = waited("This is one of them.", needed="Which plan is it")
    assert dependencies.find_result(quotes, "Which plan is it, and who drew it?") is None


def test_a_person_is_spelled_as_in_the_quote() -> None:
    quotes = waited("The keeper was Marta Lindqvist.", needed="Who kept the tower")
    assert (
        dependencies.find_result(quotes, "Who kept the tower, and where was she born?")
        == "Marta Lindqvist"
    )


def test_without_quotes_or_candidates_there_is_no_result() -> None:
    assert dependencies.find_result(waited(), QUESTION) is None
    assert dependencies.find_result(waited("It is quite new."), QUESTION) is None


def test_a_rewritten_ask_contains_the_ask_and_the_result() -> None:
    assert dependencies.insert_result(DAY, "3.7.15") == "on which day was it published (3.7.15)?"


def state(*evidence: Evidence, verdict: Verdict | None = None, weight: float = 1.0) -> State:
    first = part("p1", RELEASE).model_copy(update={"weight": weight})
    second = part("p2", DAY).model_copy(update={"needs": (RELEASE,)})
    return State(
        question=Question(text=QUESTION, sites=("http://host/",)),
        survey=Survey(parts=(first, second)),
        draw=Draw(round=1),
        evidence=evidence,
        verdict=verdict,
    )


def test_a_sub_question_waits_for_a_strong_quote() -> None:
    assert dependencies.resolvable_sub_questions(state()) == ()
    assert dependencies.resolvable_sub_questions(state(entry(NEEDS, p1=0.4))) == ()
    [ready] = dependencies.resolvable_sub_questions(state(entry(NEEDS, p1=0.9)))
    assert (ready.ask, ready.needed) == (DAY, RELEASE)
    assert [item.id for item in ready.quotes] == ["e1"]
    assert ready.scores == (0.9,)


def test_a_part_covered_by_the_critic_is_answered() -> None:
    verdict = Verdict(sufficient=False, covered=("p1",), open=("p2",))
    assert dependencies.resolvable_sub_questions(state(entry(NEEDS, p1=0.3), verdict=verdict))


def test_an_answered_part_is_not_rewritten() -> None:
    verdict = Verdict(sufficient=False, covered=("p1", "p2"))
    assert dependencies.resolvable_sub_questions(state(entry(NEEDS, p1=0.9), verdict=verdict)) == ()


def test_a_quote_from_a_site_that_is_not_named_gives_no_result() -> None:
    assert dependencies.resolvable_sub_questions(state(entry(NEEDS, p1=0.9), weight=0.25)) == ()


def test_a_dropped_quote_gives_no_result() -> None:
    gone = entry(NEEDS, p1=0.9).model_copy(update={"dropped": True})
    assert dependencies.resolvable_sub_questions(state(gone)) == ()


def test_parts_that_needed_a_removed_part_need_its_replacement() -> None:
    parts = [*state().survey.parts, part("p3", "what then?").model_copy(update={"needs": (DAY,)})]
    left = dependencies.without_sub_question(parts, DAY, "on which day was 3.7.15 published?")
    assert [one.id for one in left] == ["p1", "p3"]
    assert left[1].needs == ("on which day was 3.7.15 published?",)


def test_without_new_quotes_nothing_is_resolved_again() -> None:
    later = replace(state(entry(NEEDS, p1=0.9)), draw=Draw(round=2))
    assert dependencies.resolvable_sub_questions(later) == ()
    news = entry(NEEDS, 2, p1=0.8).model_copy(update={"round": 2})
    [ready] = dependencies.resolvable_sub_questions(
        replace(later, evidence=(*later.evidence, news))
    )
    assert [item.id for item in ready.quotes] == ["e1", "e2"]
