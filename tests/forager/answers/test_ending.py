"""The last judgement binds the status; what is open is named, with the quote that came closest."""

from dataclasses import replace

import pytest

from forager.answers.ending import (
    OTHER_LANGUAGE,
    left_open,
    nearest_quote,
    pages_read,
    settle_ending,
)
from forager.bandit.posterior import ALL_RETIRED
from forager.domain.spend import Budget, Spend
from forager.domain.state import Draw, Feedback, State, SubQuestion, Verdict
from tests.fakes import MemoryBlobs
from tests.nodes.states import document, entry, lesson, part, passage, state, step

P1, P2 = part("p1", "Who founded it?"), part("p2", "When was it founded?")
BOTH = Verdict(sufficient=True, covered=("p1", "p2"))
ONE = Verdict(sufficient=False, covered=("p1",), open=("p2",), reason="No quote gives the year.")


def judged(verdict: Verdict | None) -> State:
    return replace(state(P1, P2), verdict=verdict)


@pytest.mark.parametrize(
    ("verdict", "text", "open", "status", "left"),
    [
        (BOTH, "Brandt [e1].", (), "answered", ()),
        (ONE, "Brandt [e1].", (), "partial", (P2.text,)),
        (BOTH, "Brandt [e1].", ("Where?",), "partial", ("Where?",)),
        (ONE, "", (), "abstained", (P2.text,)),
        (BOTH, "", (), "abstained", (P1.text, P2.text)),
        (None, "Brandt [e1].", (), "answered", ()),
    ],
)
def test_only_what_the_last_judgement_covers_is_answered(
    verdict: Verdict | None, text: str, open: tuple[str, ...], status: str, left: tuple[str, ...]
) -> None:
    found = settle_ending(judged(verdict), text, open)
    assert (found.status, found.open) == (status, left)
    assert bool(found.reason) == (status != "answered")


NEITHER = Verdict(sufficient=False, open=("p1", "p2"))


@pytest.mark.parametrize(
    ("start", "status"),
    [
        (judged(NEITHER), "abstained"),
        (judged(ONE), "partial"),
        (judged(BOTH), "answered"),
        (replace(judged(NEITHER), draw=Draw(round=9)), "abstained"),
        (judged(None), "answered"),
    ],
)
def test_quotes_that_cover_nothing_are_no_part_of_an_answer(start: State, status: str) -> None:
    assert settle_ending(start, "“A quote.” [e1]", (), quotes_alone=True).status == status


def test_quotes_that_cover_nothing_are_no_part_of_an_answer_where_a_limit_is_spent() -> None:
    start = judged(NEITHER)
    question = start.question.model_copy(update={"budget": Budget(rounds=1)})
    cut = replace(start, question=question, draw=Draw(round=1))
    assert settle_ending(cut, "“A quote.” [e1]", (), quotes_alone=True).status == "abstained"


def test_pages_that_were_read_in_vain_leave_nothing_found_also_where_a_limit_is_spent() -> None:
    start = replace(judged(NEITHER), steps=(step(MemoryBlobs(), document("a")),))
    question = start.question.model_copy(update={"budget": Budget(rounds=1)})
    spent = replace(start, question=question, draw=Draw(round=1))
    found = settle_ending(spent, "", ())
    assert found.status == "abstained"
    assert found.reason == "The budget of rounds is spent. Pages read: 1."
    assert settle_ending(replace(spent, verdict=None), "", ()).status == "abstained"
    assert settle_ending(replace(spent, verdict=ONE), "", ()).status == "partial"
    assert settle_ending(replace(spent, steps=()), "", ()).status == "partial"
    tried = replace(spent, draw=Draw(round=1, reason=ALL_RETIRED))
    found = settle_ending(tried, "", ())
    assert (
        found.reason == "No other page looked likely. Pages read: 1."
    )  # a larger limit finds no more


def test_without_a_critic_the_aggregator_judges_unless_the_reflector_was_content() -> None:
    lacking = replace(judged(None), feedback=Feedback(open=(P2.text,)))
    assert settle_ending(lacking, "Brandt [e1].", ()).status == "partial"
    content = replace(lacking, lessons=(lesson(1, "http://host/a", "adequate"),))
    assert left_open(content) == ()
    other = replace(lacking, lessons=(lesson(1, "http://host/a", "partial"),))
    assert left_open(other) == (P2.text,)


def test_a_sub_question_that_came_later_is_open_until_it_is_judged() -> None:
    later = part("p3", "Who paid for it?").model_copy(update={"since": 2})
    start = state(P1, P2, later)
    assert left_open(replace(start, verdict=BOTH)) == (later.text,)


def test_the_reason_names_the_limit_and_the_pages() -> None:
    blobs = MemoryBlobs()
    opened = step(blobs, document("a"))
    start = replace(judged(ONE), steps=(opened,))
    start = replace(start, survey=start.survey.model_copy(update={"pages": {"http://host/": 40}}))
    spent = replace(start, spend=Spend(seconds=700))
    assert settle_ending(spent, "Brandt [e1].", ()).reason == (
        "The budget of seconds is spent. Pages read: 1 of 40."
    )
    used = replace(start, draw=Draw(round=3, reason="all rounds are used"))
    assert settle_ending(used, "", ()).reason == "All rounds are used. Pages read: 1 of 40."
    limited = replace(
        start, question=start.question.model_copy(update={"budget": Budget(rounds=1)})
    )
    assert settle_ending(limited, "", ()).status == "partial"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Wie viele Boote gingen in dem Sturm verloren?", True),
        ("How many boats were lost in the storm?", False),
        ("Boote 1907?", False),
    ],
)
def test_pages_in_another_language_are_told(asked: str, told: bool) -> None:
    found = passage("In the storm 23 boats were lost, and all of their crews.")
    start = replace(judged(NEITHER), evidence=(entry(1, found),))
    start = replace(start, question=start.question.model_copy(update={"text": asked}))
    assert (OTHER_LANGUAGE in settle_ending(start, "", ()).reason) == told


def test_nothing_read_is_told_as_that() -> None:
    assert pages_read(state(P1)) == "No page was read."


@pytest.mark.parametrize(
    ("asked", "quote", "why"),
    [
        (
            P2,
            "It was founded by a clockmaker.",
            "The nearest passage mentions no year, date or time.",
        ),
        (P2, "It was founded in 1887.", "No quote gives the year."),
        (
            P1.model_copy(update={"text": "Who founded Lindqvist?", "unknown": ("lindqvist",)}),
            "It was founded by a clockmaker.",
            "does not mention lindqvist",
        ),
    ],
)
def test_the_nearest_quote_says_what_it_lacks(asked: SubQuestion, quote: str, why: str) -> None:

    start = replace(
        state(asked), verdict=ONE.model_copy(update={"covered": (), "open": (asked.id,)})
    )
    ledger = (entry(1, passage("Else.", p1=0.1, p2=0.1)), entry(2, passage(quote, p1=0.6, p2=0.6)))
    found = nearest_quote(start, ledger)
    assert found is not None
    assert (found.id, found.quote) == ("e2", quote)
    assert why in found.why


def test_without_quotes_nothing_is_nearest() -> None:
    assert nearest_quote(judged(None), ()) is None


def test_what_holds_no_word_comes_nearest_to_nothing() -> None:
    dots = entry(1, passage(". . . …", p1=0.9, p2=0.9))
    assert nearest_quote(judged(NEITHER), (dots,)) is None
    found = nearest_quote(judged(NEITHER), (dots, entry(2, passage("Else.", p1=0.1))))
    assert found is not None
    assert found.id == "e2"
