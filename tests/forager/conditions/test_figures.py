"""The figures that conditions name, read from states."""

from dataclasses import replace

import pytest

from forager.conditions.condition import read_condition
from forager.conditions.figures import FIGURES, KINDS
from forager.domain.spend import Spend
from forager.domain.state import Feedback, Question, State, Turn, Verdict
from tests.nodes.states import entry, failed, lesson, part, passage, state, url

BEGIN = State(question=Question(text="When was it founded?", sites=("s",)))


def test_at_the_beginning_all_is_zero_but_what_the_question_says() -> None:
    read = {name: figure.read(BEGIN) for name, figure in FIGURES.items()}
    known = {"kind": "year", "turn": 1, "sites": 1, "left_pages": 100, "outcome": ""}
    assert {name: value for name, value in read.items() if value} == {
        name: value for name, value in known.items() if value
    }


def test_covered_and_open_are_counted_by_sub_question() -> None:
    parts = (part("p1", "Who?"), part("p2", "When?"), part("p3", "When?", site="http://other/"))
    judged = replace(
        state(*parts),
        evidence=(entry(1, passage("a")), entry(2, passage("b"), dropped=True)),
        verdict=Verdict(sufficient=False, open=("p1",), grounds={"p2": ("e1",)}),
    )
    for text in ("parts == 2", "covered == 1", "open == 1", "quotes == 1", "not sufficient"):
        assert read_condition(text).holds_in(judged), text


def test_what_was_done_and_spent_is_counted() -> None:
    spend = Spend(actions=3, pages_fetched=2, model_calls=4, tokens_in=10, tokens_out=5, usd=0.25)
    done = replace(
        state(urls=(url("a"), url("b"))),
        spend=spend,
        steps=(failed(url("a")),),
        lessons=(lesson(1, url("a")),),
        feedback=Feedback(added=2),
        past=(Turn(number=1, question=BEGIN.question),),
    )
    for text in (
        "spent_pages == 3 and left_pages == 97",
        "spent_calls == 4 and spent_tokens == 15 and spent_usd == 0.25",
        "steps == 1 and failed == 1 and arms == 2 and rounds == 1",
        "added == 2 and turn == 2",
        'outcome == "partial"',
    ):
        assert read_condition(text).holds_in(done), text


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("List all presets.", "list"),
        ("In which year was it released?", "year"),
        ("Wer hat es erfunden?", "person"),
        ("Why is it so?", "other"),
    ],
)
def test_the_kind_of_a_question(question: str, kind: str) -> None:
    asked = State(question=Question(text=question, sites=()))
    assert FIGURES["kind"].read(asked) == kind
    assert kind in KINDS


def test_each_figure_is_explained() -> None:
    assert all(figure.help for figure in FIGURES.values())
    assert all(figure.kind != "text" or figure.choices for figure in FIGURES.values())
