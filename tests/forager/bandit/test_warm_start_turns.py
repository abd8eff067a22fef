"""Which pages of earlier turns a new question is about."""

from hypothesis import given
from hypothesis import strategies as st

from forager.bandit import warm_start
from forager.domain.answers import Answer, Citation
from forager.domain.state import Arm, Page, Question, Turn
from tests.nodes.states import url

WORDS = st.lists(st.sampled_from(["lamp", "tower", "keeper", "fog", "horn", "sea"]), max_size=12)


def turn(number: int, *pages: str, cites: str = "") -> Turn:
    cited = Citation(id="e1", url=url(cites), title="", quote="", blob="b", start=0, end=0)
    return Turn(
        number=number,
        question=Question(text="Which lamp?", sites=(url(),)),
        answer=Answer(text="", status="answered", citations=(cited,)) if cites else None,
        pages=tuple(Page(url=url(name), blob=f"{name}{number}") for name in pages),
    )


def test_each_page_is_there_once_as_it_was_read_last() -> None:
    found = warm_start.pages_of_turns((turn(1, "a", "b"), turn(2, "b", "c")))
    assert [page.blob for page in found] == ["c2", "b2", "a1"]


def test_the_pages_that_answers_cite_are_known() -> None:
    assert warm_start.cited_pages((turn(1, "a", cites="a"), turn(2, "b"))) == {url("a")}


@given(st.dictionaries(st.text("abc", min_size=1), WORDS, max_size=5), WORDS, st.integers(0, 6))
def test_at_most_so_many_and_each_once(
    words: dict[str, list[str]], asked: list[str], count: int
) -> None:
    texts = {name: " ".join(said) for name, said in words.items()}
    found = warm_start.select_relevant_texts(" ".join(asked), texts, set(), count)
    assert len(found) == min(count, len(texts))
    assert len(set(found)) == len(found) <= len(texts)


def test_what_says_more_of_the_question_comes_first_then_what_was_cited() -> None:
    texts = {"a": "The keeper sleeps.", "b": "The fog horn of the tower.", "c": "The sea."}
    assert warm_start.select_relevant_texts("Which fog horn?", texts, {"c"}, 3) == ("b", "c", "a")


def test_arms_go_on_with_what_was_learned_of_them() -> None:
    def arm(name: str, alpha: float, beta: float, **scores: float) -> Arm:
        return Arm(url=url(name), score=1.0, alpha=alpha, beta=beta, scores=scores)

    before = replace_arms(turn(1, "a"), arm("good", 30, 2, p1=1.0), arm("bad", 2, 30, p1=1.0))
    now = [arm("good", 5, 5, p1=0.5), arm("new", 5, 5, p1=0.5)]
    good, new, bad = warm_start.carry_over_arms(now, (before,), 20.0)
    assert new == now[1]
    assert good.alpha / (good.alpha + good.beta) > 0.5
    assert good.scores == now[0].scores
    assert (bad.url, bad.scores, bad.score) == (url("bad"), {}, 0.0)
    assert bad.alpha < bad.beta
    assert warm_start.carry_over_arms(now, (), 20.0) == tuple(now)


def replace_arms(before: Turn, *arms: Arm) -> Turn:
    return before.model_copy(update={"arms": arms})
