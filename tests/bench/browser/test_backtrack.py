"""The figures of going back are those of the episodes."""

from bench.browser.backtrack import cases, lines
from bench.browser.changing_shop import ELSEWHERE, HARMLESS
from bench.browser.shop_trajectories import TRAILS
from tests.browsers import needs_browser


def test_every_walk_is_replayed_in_every_mood_that_leaves_its_target() -> None:
    drawn = list(cases(300, seed=1))
    assert {(each.trail, each.mood) for each in drawn if each.mood in HARMLESS} == {
        (trail, mood) for trail in TRAILS for mood in HARMLESS
    }
    assert {each.mood for each in drawn} == {*HARMLESS, *ELSEWHERE}
    assert drawn == list(cases(300, seed=1)) != list(cases(300, seed=2))


@needs_browser
def test_what_is_told() -> None:
    told = list(lines(2, seed=1))
    assert told[0].startswith("Episodes: 2, ")
    assert "Wrong states accepted: 0" in told
    assert "Main tab touched: 0" in told
    [requests] = [each for each in told if each.startswith("Requests: ")]
    assert requests.startswith("Requests: GET ")
    assert "POST" not in requests
