from bench.miniwob.oracle_run import ORACLES, play_tasks, summary_lines
from tests.browsers import needs_browser

PLAYED = (
    "click-menu",
    "choose-date-nodelay",
    "choose-list",
    "click-scroll-list",
    "drag-items",
    "enter-date",
    "form-sequence",
    "multi-layouts",
    "scroll-text-2",
    "search-engine",
    "use-autocomplete-nodelay",
    "use-spinner",
)


def test_there_are_enough_oracles() -> None:
    assert len(ORACLES) >= 40


@needs_browser
async def test_tasks_are_solved_by_what_the_browser_does() -> None:
    said: list[str] = []
    result = await play_tasks(
        {task: ORACLES[task] for task in PLAYED}, 1, open_all=False, say=said.append
    )
    assert [each.task for each in result.episodes if each.reward < 1] == [], said
    assert "12 tasks, 12 episodes: 1.000 succeeded." in summary_lines(result)


@needs_browser
async def test_an_oracle_that_is_lost_wins_nothing() -> None:
    lost = {"click-test": ORACLES["click-tab"]}
    result = await play_tasks(lost, 1, open_all=False, say=lambda _: None)
    assert result.success == 0
    assert "no link called" in result.episodes[0].fault
