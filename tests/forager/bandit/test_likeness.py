"""Likeness of arms, and the strategy that lets an attempt on one count for its like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.bandit.likeness import is_copy, likeness, name_template
from forager.bandit.posterior import assign_priors, draw_arms
from forager.domain.state import Arm, Lesson

HOST = "http://host"
names = st.sampled_from(["a.html", "b.html", "C.html", "p1.html", "p22.html", "", "x_y.html"])
folders = st.sampled_from(["", "/one", "/two", "/one/deep"])
scored = st.tuples(folders, names, st.integers(0, 5))
plays = st.lists(scored, min_size=2, max_size=10, unique_by=lambda each: each[:2])


def ranked(*paths: str, score: float = 0.5) -> tuple[Arm, ...]:
    return assign_priors([Arm(url=f"{HOST}{path}", score=score) for path in paths])


def visit(path: str, gain: float) -> Lesson:
    return Lesson(
        id=path,
        round=1,
        url=f"{HOST}{path}",
        outcome="partial",
        alpha=gain,
        beta=1 - gain,
        retired=True,
        text="",
    )


def order(arms: tuple[Arm, ...], *lessons: Lesson, strategy: str = "correlated") -> list[str]:
    assert strategy in ("correlated", "greedy")
    drawn = draw_arms(
        "greedy" if strategy == "greedy" else "correlated",
        arms,
        lessons,
        seed=0,
        round=1,
        count=len(arms),
    )
    return [url.removeprefix(HOST) for url in drawn.urls]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("sag-pam_ftp.html", "a-a_a.html"),
        ("TLS_README.html", "A_A.html"),
        ("ch02s06.html", "a0a0.html"),
        ("Introduction.html", "Aa.html"),
        ("", ""),
        ("page", "a"),
    ],
)
def test_a_template_keeps_the_form_of_a_name(name: str, form: str) -> None:
    assert name_template(name) == form


def test_folder_and_template_add_up_and_sites_stand_apart() -> None:
    one = Arm(url=f"{HOST}/guide/ch1.html")
    assert likeness(one, Arm(url=f"{HOST}/guide/ch22.html")) == 1
    assert likeness(one, Arm(url=f"{HOST}/guide/index.html")) == 0.5
    assert likeness(one, Arm(url=f"{HOST}/notes/ch3.html")) == 0.5
    assert likeness(one, Arm(url=f"{HOST}/notes/index.html")) == 0
    assert likeness(one, Arm(url="http://other/guide/ch22.html")) == 0


def test_a_copy_has_the_same_words_or_is_a_translation() -> None:
    one = Arm(url=f"{HOST}/a.html", title="A", blob="b1", scores={"p1": 0.7})
    assert is_copy(one, Arm(url=f"{HOST}/print/a", blob="b1"))
    assert is_copy(one, Arm(url=f"{HOST}/a.de.html"))
    assert is_copy(one, Arm(url=f"{HOST}/b.html", title="A", scores={"p1": 0.7}))
    assert not is_copy(one, Arm(url=f"{HOST}/b.html", title="A", scores={"p1": 0.6}))
    assert not is_copy(Arm(url=f"{HOST}/c", title="A"), Arm(url=f"{HOST}/d", title="A"))


def test_a_failure_lowers_its_like_and_a_find_raises_them() -> None:
    arms = ranked("/one/a.html", "/one/b.html", "/two/B.html", "/two/C.html")
    assert order(arms, visit("/one/a.html", 0.0)) == ["/two/B.html", "/two/C.html", "/one/b.html"]
    assert order(arms, visit("/two/C.html", 1.0)) == ["/two/B.html", "/one/a.html", "/one/b.html"]


def test_a_copy_of_a_page_that_found_something_goes_to_the_end() -> None:
    pages = ranked("/one/a.html", "/two/B.html", "/one/c.html")
    arms = tuple(arm.model_copy(update={"blob": arm.url[-6]}) for arm in pages)
    copy = arms[2].model_copy(update={"blob": arms[0].blob})
    assert order(arms, visit("/one/a.html", 1.0)) == ["/one/c.html", "/two/B.html"]
    assert order((*arms[:2], copy), visit("/one/a.html", 1.0)) == ["/two/B.html", "/one/c.html"]


@given(plays)
def test_without_attempts_it_is_greedy(given_arms: list[tuple[str, str, int]]) -> None:
    arms = assign_priors([Arm(url=f"{HOST}{f}/{n}", score=score) for f, n, score in given_arms])
    assert order(arms) == order(arms, strategy="greedy")


@given(plays, st.data())
def test_a_better_attempt_never_lowers_an_arm_that_is_no_copy(
    given_arms: list[tuple[str, str, int]], data: st.DataObject
) -> None:
    arms = assign_priors(
        [Arm(url=f"{HOST}{f}/{n}", blob=f"{f}/{n}", score=score) for f, n, score in given_arms]
    )
    tried = data.draw(st.sampled_from(arms)).url.removeprefix(HOST)
    less, more = sorted(data.draw(st.tuples(st.floats(0, 1), st.floats(0, 1))))
    low, high = (
        draw_arms("correlated", arms, [visit(tried, gain)], seed=0, round=1).samples
        for gain in (less, more)
    )
    assert all(0 < low[url] <= high[url] + 1e-12 and high[url] < 1 for url in low)
