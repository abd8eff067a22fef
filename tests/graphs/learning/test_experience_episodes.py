"""What an attempt came to: its pages that served, those opened in vain, and its lesson."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from forager.domain.answers import Answer, Citation, Doubt
from forager.domain.experience import Outcome
from forager.domain.state import Draw, Evidence, Lesson, Meaning, State, Step, Verdict
from graphs.learning.experience import learn_episodes
from tests.fakes import MemoryBlobs
from tests.nodes.states import document, failed, lesson, passage, state, step, url, whole_lead

BLOBS = MemoryBlobs()


def opened(path: str, round: int = 1, number: int = 1) -> Step:
    return step(BLOBS, document(path, f"Text of {path}."), round, number)


def kept(id: str, of: Step, *, dropped: bool = False) -> Evidence:
    """An entry of the ledger, read on the page of a step."""
    assert of.page
    quote = passage("Text").model_copy(update={"url": of.page.url, "blob": of.page.blob})
    return Evidence(id=id, passage=quote, round=of.round, step=of.id, dropped=dropped)


def answer(*ids: str) -> Answer:
    cited = [Citation(id=id, url="", title="", quote="Text", blob="", start=0, end=4) for id in ids]
    return Answer(text="Text.", status="answered", citations=tuple(cited))


ONE, TWO, THREE = opened("a"), opened("b", 1, 2), opened("c", 2)
RUN = replace(
    state(urls=[url("a"), url("c"), url("d")]),
    steps=(ONE, TWO, THREE, failed(url("d"), 3)),
    lessons=(lesson(1, url("a")), lesson(2, url("c"))),
    evidence=(kept("e1", TWO), kept("e2", THREE)),
    draw=Draw(round=3, urls=(url("d"),)),
    answer=answer("e1"),
)


def test_each_attempt_is_an_episode() -> None:
    first, second, third = learn_episodes("s", 1, 5.0, RUN, "offline")
    assert [each.url for each in (first, second, third)] == [url("a"), url("c"), url("d")]
    assert [each.id for each in (first, second, third)] == ["s:1:1.1", "s:1:2.1", "s:1:3.1"]
    assert first.question == "Who founded it?"
    assert first.lesson == "partial in round 1"
    assert (first.served, first.barren) == ((url("b"),), (url("a"),))
    assert first.evidence == ("e1",)
    assert first.model == "offline"
    assert (second.served, second.barren) == ((), (url("c"),))


def test_a_failed_page_is_not_barren() -> None:
    third = learn_episodes("s", 1, 5.0, RUN)[2]
    assert third.barren == ()
    assert third.outcome == "infeasible"
    assert "It answered 404." in third.lesson


def test_cited_pages_are_served() -> None:
    pages = [opened(path, 1, n) for n, path in enumerate("abcd", 1)]
    entries = tuple(kept(f"e{n}", each) for n, each in enumerate(pages, 1))
    run = replace(
        RUN,
        steps=tuple(pages),
        evidence=entries,
        lessons=(),
        answer=answer("e1", "e3", "e4"),
    )
    (found,) = learn_episodes("s", 1, 5.0, run)
    assert (found.served, found.barren) == ((url("a"), url("c"), url("d")), (url("b"),))


def test_what_an_uncertain_answer_cites_neither_served_nor_was_in_vain() -> None:
    doubt = Doubt(sentence="Text.", why="No quote says so.")
    weak = answer("e1").model_copy(update={"doubts": (doubt,)})
    first, *_ = learn_episodes("s", 1, 5.0, replace(RUN, lessons=(), answer=weak))
    assert (first.served, first.barren) == ((), (url("a"),))
    assert (first.outcome, first.lesson) == ("partial", "b: something was found here.")
    first, *_ = learn_episodes("s", 1, 5.0, replace(RUN, lessons=()))
    assert (first.served, first.outcome) == ((url("b"),), "adequate")


def test_without_an_answer_no_page_is_known_to_serve_or_not() -> None:
    left = learn_episodes("s", 1, 5.0, replace(RUN, answer=None))
    assert {(each.served, each.barren) for each in left} == {((), ())}


def test_of_a_partial_answer_only_what_covers_a_part_serves() -> None:
    pages = [opened(path, 1, n) for n, path in enumerate("ab", 1)]
    entries = tuple(kept(f"e{n}", each) for n, each in enumerate(pages, 1))
    partial = answer("e1", "e2").model_copy(update={"status": "partial"})
    verdict = Verdict(sufficient=False, covered=("p1",), open=("p2",), grounds={"p1": ("e2",)})
    run = replace(RUN, steps=tuple(pages), evidence=entries, lessons=(), answer=partial)
    (found,) = learn_episodes("s", 1, 5.0, replace(run, verdict=verdict))
    assert (found.served, found.barren) == ((url("b"),), (url("a"),))
    (found,) = learn_episodes("s", 1, 5.0, run)
    assert (found.served, found.barren) == ((), (url("a"), url("b")))


def test_without_a_lesson_the_answer_decides_the_outcome() -> None:
    content = replace(RUN, lessons=())
    first, second, _ = learn_episodes("s", 1, 5.0, content)
    assert first.outcome == "adequate"
    assert second.outcome == "adequate"


def test_the_page_that_leads_the_answer_is_where_it_was_found() -> None:
    """Though the run went on, and ended with another one."""
    pages = [opened("a", 1, 1), opened("b", 2, 1)]
    entries = tuple(kept(f"e{n}", each) for n, each in enumerate(pages, 1))
    lessons = (_lesson(1, url("a"), "partial"), _lesson(2, url("b"), "adequate"))
    lead = whole_lead("Who founded it?", "Text.", "e1", 0.9)
    led = answer("e1", "e2").model_copy(update={"leads": (lead,)})
    run = replace(RUN, steps=tuple(pages), evidence=entries, lessons=lessons, answer=led)
    first, second = learn_episodes("s", 1, 5.0, run)
    assert (first.outcome, first.lesson) == ("adequate", "a: answered here.")
    assert (second.outcome, second.lesson) == ("partial", "b: something was found here.")


def test_a_page_that_answers_one_part_of_two_is_told_so() -> None:
    pages = [opened("a", 1, 1), opened("b", 2, 1)]
    entries = tuple(kept(f"e{n}", each) for n, each in enumerate(pages, 1))
    leads = tuple(whole_lead("Who founded it?", "Text.", id, 0.9) for id in ("e1", "e2"))
    led = answer("e1", "e2").model_copy(update={"leads": leads})
    run = replace(RUN, steps=tuple(pages), evidence=entries, lessons=(), answer=led)
    found = learn_episodes("s", 1, 5.0, run)
    assert [each.lesson for each in found] == [
        f"{page}: a part of the question was answered here." for page in "ab"
    ]


def test_an_episode_has_the_posterior_of_its_arm() -> None:
    first = learn_episodes("s", 1, 5.0, RUN)[0]
    arm, taught = RUN.arms[0], RUN.lessons[0]
    assert first.alpha == arm.alpha + taught.alpha
    assert first.beta == arm.beta + taught.beta


def test_parallel_attempts_are_separate_episodes() -> None:
    other = opened("c", 1, 1).model_copy(update={"id": "1.3"})
    lessons = (lesson(1, url("a")), _lesson(1, url("c")))
    both = replace(RUN, steps=(ONE, TWO, other), lessons=lessons, evidence=())
    found = learn_episodes("s", 1, 5.0, both)
    assert [(each.url, len(each.trail)) for each in found] == [(url("a"), 2), (url("c"), 1)]
    assert len({each.id for each in found}) == 2


def test_a_follow_up_is_kept_as_it_was_understood() -> None:
    later = replace(RUN, meaning=Meaning(text="Who founded the other?"))
    assert {each.question for each in learn_episodes("s", 2, 5.0, later)} == {
        "Who founded the other?"
    }


def test_a_run_without_steps_has_no_episodes() -> None:
    assert learn_episodes("s", 1, 5.0, State(question=RUN.question)) == ()


def _lesson(round: int, at: str, outcome: Outcome = "partial") -> Lesson:
    return lesson(round, at, outcome).model_copy(update={"id": f"r{round}:{at}"})


@st.composite
def runs(draw: st.DrawFn) -> State:
    """Some pages opened in some rounds, some of them quoted, some of the quotes cited."""
    steps: list[Step] = []
    for round in range(1, draw(st.integers(1, 4)) + 1):
        for number, path in enumerate(draw(st.lists(st.sampled_from("abcde"), max_size=4)), 1):
            ok = draw(st.booleans())
            steps.append(opened(path, round, number) if ok else failed(url(path), round, number))
    read = [each for each in steps if each.page and draw(st.booleans())]
    entries = tuple(kept(f"e{n}", each, dropped=draw(st.booleans())) for n, each in enumerate(read))
    cited = [each.id for each in entries if draw(st.booleans())]
    answered = answer(*cited) if draw(st.booleans()) else None
    return replace(RUN, steps=tuple(steps), lessons=(), evidence=entries, answer=answered)


@given(runs())
def test_every_opened_page_is_served_or_barren(run: State) -> None:
    found = learn_episodes("s", 1, 5.0, run)
    pages = {each.page.url for each in run.steps if each.page}
    good = {page for each in found for page in each.served}
    bad = {page for each in found for page in each.barren}
    assert good | bad == (pages if run.answer else set())
    assert not good & bad
    assert len({each.id for each in found}) == len(found)
    assert sum(len(each.trail) for each in found) == len(run.steps)
    assert found == learn_episodes("s", 1, 5.0, run)
