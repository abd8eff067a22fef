"""What memory adds to priors: served pages sooner, barren ones later, and nothing by words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.bandit.posterior import assign_priors, draw_arms
from forager.bandit.warm_start import (
    SAME_QUESTION,
    fruitless_pages,
    page_records,
    pages_for_same_question,
    served_urls,
    similarity_worth,
    warm_start_arms,
)
from forager.domain.experience import Episode, Recalled
from forager.domain.state import Arm
from forager.domain.survey import Hit

SITE = "http://site/"
PAGES = ("a", "b", "c", "d")
weights = st.floats(0, 1)


def url(path: str) -> str:
    return f"{SITE}{path}"


def recalled(
    *good: str, bad: tuple[str, ...] = (), like: float = 1.0, fresh: float = 1.0, lesson: str = ""
) -> Recalled:
    """An episode of the offline rules; each page then held a blob that is called after it."""
    episode = Episode(
        id=f"{good}{bad}{like}{fresh}",
        session="s",
        time=0.0,
        question="Who founded it?",
        url=url("a"),
        site=SITE,
        outcome="partial",
        lesson=lesson,
        served=tuple(map(url, good)),
        barren=tuple(map(url, bad)),
        blobs={url(path): path for path in (*good, *bad)},
        model="offline",
    )
    return Recalled(episode=episode, likeness=like, fresh=fresh)


def hit(path: str, blob: str = "", score: float = 0.5) -> Hit:
    return Hit(url=url(path), title=path, depth=1, part="p1", score=score, blob=blob or path)


def ranked(*paths: str) -> tuple[Arm, ...]:
    """Arms, the best first."""
    scores = [Arm(url=url(path), score=1 / (n + 1), site=SITE) for n, path in enumerate(paths)]
    return assign_priors(scores, 20.0)


def warm(arms: tuple[Arm, ...], *episodes: Recalled, hits: tuple[Hit, ...] = ()) -> dict[str, Arm]:
    found = warm_start_arms(
        arms, episodes, hits or tuple(map(hit, PAGES)), [SITE], model="offline", kappa=20.0
    )
    return {arm.url.removeprefix(SITE): arm for arm in found}


def mean(arm: Arm) -> float:
    return arm.alpha / (arm.alpha + arm.beta)


def test_without_episodes_nothing_changes() -> None:
    arms = ranked(*PAGES)
    assert warm_start_arms(arms, (), (), [SITE], model="offline", kappa=20.0) == arms


@given(weights, weights)
def test_the_liker_the_question_the_surer_the_page(one: float, other: float) -> None:
    less, more = sorted((one, other))
    arms = ranked(*PAGES)
    low, high = (warm(arms, recalled("c", bad=("b",), like=like)) for like in (less, more))
    assert mean(low["c"]) <= mean(high["c"]) + 1e-9
    assert mean(low["b"]) >= mean(high["b"]) - 1e-9
    assert low["b"].vain <= high["b"].vain


@given(st.lists(st.tuples(st.sampled_from(PAGES), st.booleans(), weights, weights), max_size=8))
def test_priors_stay_priors_and_no_arm_is_lost(
    told: list[tuple[str, bool, float, float]],
) -> None:
    arms = ranked(*PAGES)
    episodes = [
        recalled(page, like=like, fresh=fresh) if good else recalled(bad=(page,), like=like)
        for page, good, like, fresh in told
    ]
    found = warm(arms, *episodes)
    assert set(found) == set(PAGES)
    assert all(arm.alpha >= 1 and arm.beta >= 1 and 0 <= arm.vain <= 1 for arm in found.values())


@pytest.mark.parametrize("round", range(20))
def test_what_served_the_same_question_is_drawn_first(round: int) -> None:
    found = warm(ranked(*PAGES), recalled("d", bad=("a", "b")))
    drawn = draw_arms("thompson", tuple(found.values()), (), seed=7, round=round)
    assert drawn.urls == (url("d"),)


def test_a_page_that_the_ranking_left_out_joins_with_its_scores() -> None:
    found = warm(ranked("a", "b"), recalled("d"))
    assert found["d"].scores == {"p1": 0.5}
    assert found["d"].site == SITE
    assert mean(found["d"]) > mean(found["a"])


def test_a_page_of_another_site_does_not_join() -> None:
    episode = recalled("d")
    alien = episode.episode.model_copy(update={"served": ("http://evil.example/",)})
    found = warm(ranked("a"), episode.model_copy(update={"episode": alien}))
    assert set(found) == {"a"}


def test_a_page_that_changed_since_is_looked_at_again() -> None:
    hits = (hit("a", blob="other"), hit("b"))
    found = warm(ranked("a", "b"), recalled(bad=("a", "b")), hits=hits)
    assert found["a"].vain == 0
    assert fruitless_pages(found.values()) == {url("b")}


def test_on_a_page_that_is_still_the_same_no_time_has_passed() -> None:
    found = warm(ranked("a", "b"), recalled(bad=("a",), fresh=0.1))
    assert found["a"].vain == 1
    unknown = page_records([recalled(bad=("z",), fresh=0.1)], {}, "offline")
    assert unknown[url("z")].vain == pytest.approx(similarity_worth(0.1))


def test_another_model_may_find_what_one_did_not() -> None:
    pages = page_records([recalled(bad=("a",))], {url("a"): "a"}, "openai:one")
    assert pages[url("a")].vain == 0.5 < SAME_QUESTION


def test_the_more_alike_question_decides() -> None:
    episodes = (recalled("a", like=0.5), recalled(bad=("a",), like=0.9), recalled("b", like=0.2))
    pages = page_records(episodes, {}, "offline")
    assert pages[url("a")].served == 0
    assert pages[url("a")].vain == similarity_worth(0.9)
    assert served_urls(episodes) == ()
    assert served_urls((*episodes, recalled("c", "b", like=0.9))) == (url("c"), url("b"))


def test_what_answered_the_very_same_question_comes_in_the_order_of_then() -> None:
    def attempt(path: str, id: str, like: float = 1.0) -> Recalled:
        found = recalled(path, like=like)
        return found.model_copy(update={"episode": found.episode.model_copy(update={"id": id})})

    episodes = (attempt("b", "s:1:10.1"), attempt("a", "s:1:9.1"), attempt("c", "s:1:1.1", 0.9))
    assert [page.url for page in pages_for_same_question(episodes)] == [url("a"), url("b")]


@given(st.text(max_size=60))
def test_no_words_of_a_lesson_move_a_prior(lesson: str) -> None:
    arms = ranked(*PAGES)
    assert warm(arms, recalled("c", lesson=lesson)) == warm(arms, recalled("c"))
