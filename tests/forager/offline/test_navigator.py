"""What is done next without a model?"""

import pytest

from forager.browsing.search_targets import PastSearch, SearchTarget
from forager.browsing.shown_page import BrowserPath, ShownPage
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.documents import Link
from forager.domain.survey import SearchResult
from forager.offline.navigator import (
    GIVE_UP,
    NO_PROVIDER,
    NOTHING_LEFT,
    READ_PAGE,
    BrowserRule,
    LinkRanker,
    choose_search_step,
    rate_actions,
)
from tests.fakes import FakeEmbedder

HOST = "http://host/"
TERMS = {"dome": 3.0, "founder": 1.0}
DOME = Link(id=1, url=f"{HOST}a", text="The dome")
PRESS = Link(id=2, url=f"{HOST}b", text="The press", context="near the dome")
HOURS = Link(id=3, url=f"{HOST}c", text="Opening hours")
RANKER = LinkRanker(question="Who founded the dome?", open=("Who founded it?",), terms=TERMS)
TARGET = SearchTarget(text="the founder of the dome", terms=TERMS, queries=("dome founder", "dome"))
TREE = f"""\
- link "The dome" [ref=e1]:
  - /url: {HOST}dome
- link "The old mill" [ref=e2]:
  - /url: {HOST}mill
"""


def test_a_word_of_the_link_counts_twice_one_around_it() -> None:
    assert [RANKER.rate(link) for link in (DOME, PRESS, HOURS)] == [0.75, 0.375, 0.0]


def test_an_unread_page_is_read_before_a_link_is_followed() -> None:
    links, words = (HOURS, PRESS, DOME), FakeEmbedder()
    assert RANKER.choose(links, words, least=0.1, unread=True).choice == READ_PAGE
    assert RANKER.choose(links, words, least=0.1, unread=False).choice == DOME.id
    assert RANKER.choose((HOURS,), words, least=0.1, unread=False).choice == GIVE_UP
    assert RANKER.choose((), words, least=0.0, unread=False).choice == GIVE_UP


def test_hints_speak_for_links_with_their_words() -> None:
    ranker = LinkRanker(question="Who?", open=(), terms=TERMS, hints=("opening hours",))
    assert ranker.choose((DOME, HOURS), FakeEmbedder(), least=0.0, unread=False).choice == HOURS.id


def found(title: str) -> SearchResult:
    return SearchResult(url=f"{HOST}{len(title)}", title=title, snippet="", rank=1, source="fake")


def test_a_promising_result_is_read_before_another_search_is_made() -> None:
    results = [found("The press"), found("The founder of the dome")]
    step = choose_search_step([TARGET], results, (), (), least=0.1, away=False)
    assert (step.choice, step.query) == (2, "")
    step = choose_search_step([TARGET], results[:1], (), (), least=0.1, away=False)
    assert (step.choice, step.query) == (0, "dome founder")


def test_no_query_is_made_twice_on_a_site() -> None:
    def after(*queries: str, away: bool = False) -> tuple[str, str]:
        made = [
            PastSearch(query=query, site="", found=0, reason="", away=away) for query in queries
        ]
        step = choose_search_step([TARGET], (), made, (), least=0.1, away=away)
        return step.query, step.reason

    assert after("Dome  Founder")[0] == "dome"
    assert after("dome founder", "dome") == ("", NOTHING_LEFT)
    assert after("dome founder", away=True) == ("", NO_PROVIDER)


def test_actions_are_rated_by_their_guess_or_their_words() -> None:
    visit = Action(kind="visit", target=HOST, reason="the dome")
    stop = Action(kind="stop", reason="the dome")
    assert rate_actions([visit, stop, visit], {3: 0.2}, TERMS) == [0.75, 0.0, 0.2]


def rule(least: float = 0.1, *forbidden: str) -> BrowserRule:
    return BrowserRule(
        page=ShownPage(Snapshot(url=HOST, tree=TREE)),
        open=("Who founded the dome?",),
        terms=TERMS,
        path=BrowserPath(opened=(HOST,)),
        done={},
        starts=(HOST,),
        least=least,
        forbidden=forbidden,
    )


@pytest.mark.parametrize(
    ("rules", "targets"),
    [
        (rule(), ["e1"]),
        (rule(least=0.0), ["e1", "e2"]),
        (rule(0.0, f"{HOST}dome"), ["e2"]),
    ],
)
def test_links_worth_enough_are_ranked_unless_forbidden(
    rules: BrowserRule, targets: list[str]
) -> None:
    assert [action.target for action in rules.ranked_actions()] == targets


def test_with_nothing_to_follow_it_goes_back_then_to_another_start_then_stops() -> None:
    none = rule(least=2.0)
    kinds = ("back", "stop")

    def kind(untried: tuple[str, ...] = (), *, back: bool = False) -> str:
        action = none.choose(kinds, untried, place=0, unread=False, may_go_back=back)
        return action.kind

    assert (kind(("http://host/b",), back=True), kind(("http://host/b",)), kind()) == (
        "back",
        "goto",
        "stop",
    )


def test_contexts_take_different_guesses_as_far_as_there_are_any() -> None:
    both = rule(least=0.0)

    def target(place: int) -> str:
        return both.choose((), (), place=place, unread=False, may_go_back=False).target

    assert [target(0), target(1), target(5)] == ["e1", "e2", "e1"]
