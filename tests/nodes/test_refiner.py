import pytest

from forager.domain.actions import Action
from forager.domain.state import Question, State, Step
from nodes.refiner import Refine, Refined, RefinerParams, refine
from tests.fake_ports import ports
from tests.fakes import FakeEmbedder

STEP = Step(
    id="1.1",
    round=1,
    number=1,
    action=Action(kind="visit", target="http://site/a", reason="the page drawn for this round"),
    outcome="moved",
)
STATE = State(question=Question(text="How tall is it?", sites=("http://site/",)), steps=(STEP,))


async def test_the_last_step_is_explained_once() -> None:
    update = await refine(
        STATE, ports(Refined(rationale="It is the tower's page.")), RefinerParams()
    )
    assert [(each.id, each.text) for each in update["rationales"]] == [
        ("1.1", "It is the tower's page.")
    ]
    again = State(question=STATE.question, steps=STATE.steps, rationales=update["rationales"])
    assert await refine(again, ports(), RefinerParams()) == {}


async def test_without_a_step_there_is_nothing_to_explain() -> None:
    assert await refine(State(question=STATE.question), ports(), RefinerParams()) == {}


@pytest.mark.parametrize(
    ("action", "reason", "said"),
    [
        ("Open “The towers of the hill”", "relevance 0.4", "because it mentions “tower”"),
        ("Open “Home”", "the page lists all buildings.", "Open “Home”: the page lists all build"),
        ("Open “Home”", "relevance 0.31", "to see whether it leads further."),
        ("Open “Home”", "the arm drawn", "to see whether it leads further."),
        ("Open “Home”", "the page drawn for this round", "to see whether it leads further."),
    ],
)
def test_without_a_model_the_words_that_step_and_question_share_explain_it(
    action: str, reason: str, said: str
) -> None:
    task = Refine(question="How tall is the tower?", before=(), action=action, reason=reason)
    rationale = task.offline(FakeEmbedder()).rationale
    assert said in rationale
    assert rationale.startswith(action)
    assert rationale.endswith(".")
    assert not rationale.endswith("..")
