from forager.action import Action
from forager.state import Question, State, Step
from nodes.refiner import Refined, RefinerParams, refine
from tests.doors import ports

STEP = Step(
    id="1.1",
    round=1,
    number=1,
    action=Action(kind="visit", target="http://site/a", reason="the arm drawn"),
    outcome="moved",
)
STATE = State(question=Question(text="How tall is it?", sites=("http://site/",)), steps=(STEP,))


async def test_the_last_step_gets_one_sentence_once() -> None:
    update = await refine(
        STATE, ports(Refined(rationale="It is the tower's page.")), RefinerParams()
    )
    assert [(each.id, each.text) for each in update["rationales"]] == [
        ("1.1", "It is the tower's page.")
    ]
    again = State(question=STATE.question, steps=STATE.steps, rationales=update["rationales"])
    assert await refine(again, ports(), RefinerParams()) == {}


async def test_nothing_was_done_yet() -> None:
    assert await refine(State(question=STATE.question), ports(), RefinerParams()) == {}
