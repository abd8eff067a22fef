"""An arm in a report: what was believed before and is now, and what came of its last visit."""

from forager.domain.answers import Answer
from forager.domain.state import Arm, Draw, Evidence, Lesson, Passage, Question, State
from graphs.reports.report import ArmReport, arm_reports

QUESTION = Question(text="Who keeps the light?", sites=("http://lights/",))


def arm(name: str) -> Arm:
    return Arm(url=f"http://lights/{name}", title=name, alpha=3.0, beta=2.0)


def lesson(name: str, round: int) -> Lesson:
    return Lesson(
        id=f"l{round}",
        round=round,
        url=f"http://lights/{name}",
        outcome="partial",
        alpha=0.5,
        beta=0.25,
        retired=False,
        text="",
    )


def evidence(name: str, round: int) -> Evidence:
    passage = Passage(
        url=f"http://lights/{name}", title=name, blob="", start=0, end=1, text="x", part="p1"
    )
    return Evidence(id=f"e{round}", passage=passage, round=round, step=f"{round}.1")


def state(*evidence: Evidence, round: int = 2, urls: tuple[str, ...] = ("b",)) -> State:
    return State(
        question=QUESTION,
        arms=(arm("a"), arm("b"), arm("c")),
        draw=Draw(round=round, urls=tuple(f"http://lights/{url}" for url in urls)),
        lessons=(lesson("a", 1),),
        evidence=evidence,
    )


def shown(found: State) -> dict[str, ArmReport]:
    return {each.title: each for each in arm_reports(found)}


def test_a_judged_arm_has_prior_posterior_and_round() -> None:
    found = shown(state())["a"]
    assert (found.prior, found.alpha, found.beta) == ((3.0, 2.0), 3.5, 2.25)
    assert (found.draws, found.round, found.outcome) == (1, 1, "partial")


def test_a_drawn_arm_has_a_round_and_no_outcome() -> None:
    found = shown(state(evidence("b", 2)))
    assert (found["b"].round, found["b"].outcome, found["b"].draws) == (2, "", 0)
    assert (found["c"].round, found["c"].outcome) == (0, "")


def test_the_last_visit_found_something_or_nothing() -> None:
    answer = Answer(status="answered", text="x")
    over = state(evidence("b", 2))
    over.answer = answer
    assert shown(over)["b"].outcome == "found"
    over = state(evidence("a", 1))
    over.answer = answer
    assert shown(over)["b"].outcome == "nothing"


def test_of_parallel_arms_those_with_a_quoted_page_found_something() -> None:
    over = state(evidence("c", 2), urls=("b", "c"))
    over.answer = Answer(status="answered", text="x")
    assert shown(over)["c"].outcome == "found"
    assert shown(over)["b"].outcome == "nothing"
