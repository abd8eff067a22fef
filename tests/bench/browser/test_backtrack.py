"""The figures of going back are those of the episodes."""

from bench.browser.backtrack import draw_cases, measure_backtrack
from bench.browser.changing_shop import HARMLESS_MOODS, LOST_MOODS
from bench.browser.shop_trajectories import TRAJECTORIES
from tests.browsers import needs_browser


def test_every_walk_is_replayed_in_every_mood_that_leaves_its_target() -> None:
    drawn = list(draw_cases(300, seed=1))
    assert {(each.trajectory, each.mood) for each in drawn if each.mood in HARMLESS_MOODS} == {
        (trajectory, mood) for trajectory in TRAJECTORIES for mood in HARMLESS_MOODS
    }
    assert {each.mood for each in drawn} == {*HARMLESS_MOODS, *LOST_MOODS}
    assert drawn == list(draw_cases(300, seed=1)) != list(draw_cases(300, seed=2))


@needs_browser
def test_what_is_told() -> None:
    told = list(measure_backtrack(2, seed=1))
    assert told[0].startswith("Episodes: 2, ")
    assert "Wrong states accepted: 0" in told
    assert "Main tab touched: 0" in told
    [requests] = [each for each in told if each.startswith("Requests: ")]
    assert requests.startswith("Requests: GET ")
    assert "POST" not in requests
