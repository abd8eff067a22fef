"""Ranked pages and search results become arms."""

from forager.bandit import arms
from forager.domain.state import Arm
from forager.domain.survey import Hit, SearchResult
from tests.nodes.states import SITE, part, url


def hit(path: str, score: float, part: str = "p1") -> Hit:
    return Hit(url=url(path), title=path, depth=1, part=part, score=score)


def result(path: str, rank: int) -> SearchResult:
    return SearchResult(url=url(path), title=f"found {path}", snippet="", rank=rank, source="fake")


def arm(path: str, score: float) -> Arm:
    return Arm(url=url(path), title=path, site=SITE, part="p1", score=score)


def worth(found: list[Arm]) -> dict[str, float]:
    return {one.url.removeprefix(SITE): round(one.score, 3) for one in found}


def test_a_page_is_worth_its_share_of_each_part() -> None:
    hits = [hit("a", 1.0), hit("b", 0.5), hit("b", 1.0, "p2")]
    ranked = arms.arms_by_share(hits, [part("p1"), part("p2")], 10)
    assert worth(ranked) == {"a": 1.0, "b": 1.0}
    assert {one.title: one.part for one in ranked} == {"a": "p1", "b": "p2"}
    assert {one.title: one.scores for one in ranked}["b"] == {"p1": 0.5, "p2": 1.0}


def test_the_best_pages_of_a_site_become_arms() -> None:
    hits = [hit(name, 1.0 - n / 20) for n, name in enumerate("abcd")]
    assert list(worth(arms.arms_by_share(hits, [part()], 2))) == ["a", "b"]


def test_a_result_that_was_read_and_is_poor_is_none() -> None:
    hits = [hit(name, 1.0 - n / 20) for n, name in enumerate("abcd")]
    results = [result("d", 1), result("a", 2), result("never-read", 3)]
    left = arms.without_weak_pages(results, hits, arms.arms_by_share(hits, [part()], 2))
    assert [one.url for one in left] == [url("a"), url("never-read")]


def test_pages_that_score_nothing_make_up_the_number_without_a_score() -> None:
    hits = [hit("a", 1.0), hit("b", 0.0), hit("b", 0.0, "p2"), hit("c", 0.0)]
    found = arms.arms_by_share(hits, [part("p1"), part("p2")], 2)
    assert [(one.url, one.scores) for one in found] == [(url("a"), {"p1": 1.0}), (url("b"), {})]
    assert found[1].score == 0.0


def test_a_search_s_rank_adds_to_what_a_page_holds() -> None:
    ranked = [arm("a", 1.0), arm("b", 0.8)]
    found = arms.add_search_results(ranked, [result("b", 1), result("a", 4)], [SITE])
    assert worth(found) == {"a": 1.04, "b": 0.9}


def test_a_result_that_nobody_has_read_is_worth_its_rank_alone() -> None:
    found = arms.add_search_results([arm("a", 1.0)], [result("new", 1), result("newer", 3)], [SITE])
    assert worth(found) == {"a": 1.0, "new": 0.5, "newer": 0.25}
    new = next(one for one in found if one.url == url("new"))
    assert (new.site, new.title, new.scores) == (SITE, "found new", {})


def test_the_best_of_several_ranks_counts() -> None:
    found = arms.add_search_results(
        [arm("a", 1.0)], [result("a", 9), result("a", 1), result("a", 4)], [SITE]
    )
    assert worth(found) == {"a": 1.1}


def test_results_alone_make_arms() -> None:
    found = arms.add_search_results([], [result("a", 1), result("b", 2)], [])
    assert worth(found) == {"a": 0.5, "b": 0.333}
    assert {one.site for one in found} == {url("a"), url("b")}


def test_one_page_under_two_addresses_is_one_arm() -> None:
    found = arms.add_search_results([arm("docs/", 1.0)], [result("docs/index.html", 1)], [SITE])
    assert worth(found) == {"docs/": 1.1}


def test_an_arm_met_again_keeps_the_better_prior_and_all_scores() -> None:
    old = arm("a", 1.0).model_copy(update={"alpha": 9.0, "scores": {"p1": 1.0}, "part": "p1"})
    new = arm("a", 2.0).model_copy(update={"alpha": 4.0, "scores": {"p2": 0.7}, "part": "p2"})
    both = arms.merge_arms(old, new)
    assert (both.alpha, both.scores) == (9.0, {"p1": 1.0, "p2": 0.7})
    assert both.part == "p2"  # p1 may be gone by now
    assert arms.merge_arms(None, new) == new
