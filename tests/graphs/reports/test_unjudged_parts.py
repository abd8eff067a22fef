"""What a stopped run had not judged is told with no more certainty than that."""

from dataclasses import replace

from forager.answers.ending import STOPPED
from forager.domain.answers import Answer
from forager.domain.state import Question, State, Survey, Verdict
from graphs.reports.report import answer_worth, is_weak, unjudged_parts
from tests.graphs.reports.test_doubtful_parts import LEAD, REPORT
from tests.nodes.states import part

WHO, WHEN = part("p1", "Who?"), part("p2", "When?")
RUN = State(question=Question(text="Who, and when?", sites=()), survey=Survey(parts=(WHO, WHEN)))


def ended(reason: str, verdict: Verdict | None = None) -> State:
    answer = Answer(text="Ada [e1].", status="partial", reason=reason)
    return replace(RUN, answer=answer, verdict=verdict)


def test_what_the_critic_did_not_come_to_is_not_judged() -> None:
    assert unjudged_parts(ended(f"{STOPPED} Pages read: 2.")) == ("Who?", "When?")
    seen = Verdict(sufficient=False, covered=(WHO.id,))
    assert unjudged_parts(ended(STOPPED, seen)) == ("When?",)
    assert unjudged_parts(ended(STOPPED, Verdict(sufficient=False, open=(WHO.id, WHEN.id)))) == ()


def test_a_run_that_was_not_stopped_is_judged_by_its_end() -> None:
    assert unjudged_parts(ended("The budget of pages is spent.")) == ()
    assert unjudged_parts(RUN) == ()


def test_no_likelihood_is_told_of_what_was_not_judged() -> None:
    led = REPORT.model_copy(
        update={"status": "partial", "leads": (LEAD.model_copy(update={"confidence": 0.9}),)}
    )
    assert answer_worth(led)
    stopped = led.model_copy(update={"unjudged": ("Who?",)})
    assert not answer_worth(stopped)
    assert is_weak(stopped)
    assert not is_weak(led)
