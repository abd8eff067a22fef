"""What to search for, and which results remain to be read."""

from dataclasses import replace

from forager.browsing.search_targets import (
    PastSearch,
    is_search_down,
    past_searches,
    search_targets,
    unread_results,
)
from forager.domain.state import Feedback
from tests.fakes import MemoryBlobs
from tests.nodes.search_states import after, result, searched
from tests.nodes.states import document, part, state, step, url

WHO, WHEN = part("p1", "Who founded it?"), part("p2", "When was it built?")
START = state(WHO, WHEN)


def test_visits_and_repeated_searches_count_as_effort_and_the_least_comes_first() -> None:
    blobs = MemoryBlobs()
    searches = searched("founded", result(url("a")), number=1, site=WHO.site)
    visited = after(START, searches, step(blobs, document("a"), number=2))
    targets = search_targets(visited)
    assert [(target.text, target.effort) for target in targets] == [
        (WHEN.text, 0.0),
        (WHO.text, 1.0),
    ]
    assert targets[1].found == (url("a"),)


def test_a_note_of_the_aggregator_is_a_target_of_its_own() -> None:
    noted = replace(START, feedback=Feedback(open=("the year of the dome",)))
    [target] = search_targets(noted)
    assert (target.text, target.site, target.weight) == ("the year of the dome", WHO.site, 1.0)


def test_opened_duplicate_and_off_site_results_are_left_out() -> None:
    blobs = MemoryBlobs()
    found = (result(url("a")), result(url("b"), rank=2), result("http://elsewhere/c", rank=3))
    begun = after(START, searched("founded", *found), step(blobs, document("a"), number=2))
    targets = search_targets(begun)
    assert [each.url for each in unread_results(begun, targets, 5)] == [url("b")]
    assert unread_results(begun, targets, 0) == ()


def test_no_search_is_tried_after_two_failed_ones() -> None:
    down = after(START, *(searched(str(n), number=n, reason="It is away.") for n in (1, 2)))
    assert is_search_down(past_searches(down))
    empty = PastSearch(query="", site="", found=0, reason="", away=False)
    assert not is_search_down((*past_searches(down), empty))
    assert not is_search_down(past_searches(down)[:1])
