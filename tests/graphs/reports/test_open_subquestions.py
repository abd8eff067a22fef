"""What a report calls open while the run goes on."""

from dataclasses import replace

from forager.domain.state import Feedback, Question, State, SubQuestion, Survey, Verdict
from graphs.reports.report import open_subquestions

PART = SubQuestion(id="p1", text="Who?", query="who", site="")
STATE = State(question=Question(text="Who?", sites=()), survey=Survey(parts=(PART,)))


def test_nothing_is_open_once_all_was_judged_to_be_covered() -> None:
    assert open_subquestions(STATE) == ("Who?",)
    covered = Verdict(sufficient=True, covered=("p1",), grounds={"p1": ("e1",)})
    assert open_subquestions(replace(STATE, verdict=covered)) == ()
    left = Feedback(open=("Who?",))
    assert open_subquestions(replace(STATE, feedback=left)) == ("Who?",)
