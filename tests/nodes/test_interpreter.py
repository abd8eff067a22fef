from forager.domain.answers import Answer
from forager.domain.state import Question, State, Turn
from nodes.interpreter import Interpretation, InterpreterParams, interpret
from tests.fake_ports import ports

FIRST = Question(text="Which lamp does the lighthouse of Alda use?", sites=("http://site/",))
EARLIER = Turn(number=1, question=FIRST, answer=Answer(text="A Fresnel lamp.", status="answered"))


def asking(text: str, *past: Turn) -> State:
    return State(question=Question(text=text, sites=("http://site/",)), past=past)


async def test_a_first_question_is_taken_as_it_stands() -> None:
    state = asking("Which lamp does it use?")
    update = await interpret(state, ports(), InterpreterParams())
    assert update["meaning"].text == ""


async def test_a_follow_up_is_kept_beside_what_it_means() -> None:
    reply = Interpretation(question="Which lamp does the lighthouse of Brea use?", context="lamps")
    state = asking("And the one of Brea?", EARLIER)
    update = await interpret(state, ports(reply), InterpreterParams())
    assert update["meaning"].text == "Which lamp does the lighthouse of Brea use?"
    assert state.question.text == "And the one of Brea?"
