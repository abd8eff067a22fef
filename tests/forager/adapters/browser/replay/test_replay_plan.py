"""Where a way can be begun again, and which of its views are still open at its end."""

from collections.abc import Sequence

import pytest

from forager.adapters.browser.replay.replay_plan import Stage, last_stage_by_tab, possible_starts
from forager.domain.actions import Action, Kind
from forager.domain.browser import SentRequest, Snapshot, Tab, View
from forager.domain.state import Step
from forager.errors import ReplayError


def stage(kind: Kind, *urls: str, active: int = 0, target: str = "", harm: str = "") -> Stage:
    """A step after which these tabs were open."""
    view = View(url=urls[active], blob="b", tabs=tuple(Tab(url=url) for url in urls), active=active)
    action = Action(kind=kind, target=target)
    step = Step(id="1.1", round=1, number=1, action=action, outcome="moved", view=view, harm=harm)
    return Stage(step, view, Snapshot(url=view.url))


A, B, C = "http://h/a", "http://h/b", "http://h/c"


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ([stage("goto", A), stage("click", A), stage("click", B), stage("type", B)], [2, 0]),
        ([stage("goto", A), stage("click", B), stage("back", A)], [2, 0]),
        (
            [stage("goto", A), stage("click", B), stage("click", C), stage("back", B)],
            [3, 1, 0],
        ),
        (
            [stage("goto", A), stage("click", B), stage("back", A), stage("forward", B)],
            [3, 0],
        ),
        (
            [
                stage("goto", A),
                stage("click", B),
                stage("new_tab", B, C, active=1),
                stage("focus_tab", B, C, active=0),
                stage("back", A, C, active=0),
            ],
            [4, 0],
        ),
        ([stage("goto", A), stage("click", A + "?sid=1"), stage("click", B)], [2, 0]),
    ],
)
def test_where_a_way_can_be_begun(way: Sequence[Stage], expected: list[int]) -> None:
    """Never where a later step goes back or forward to what only earlier ones opened."""
    assert list(possible_starts(way)) == expected


def test_a_way_begins_no_earlier_than_its_last_harm() -> None:
    read, wrote = stage("goto", A), stage("click", A, harm="It was bought.")
    assert list(possible_starts([read, wrote, stage("click", B)])) == [2, 1]
    led = stage("click", B, harm="It was bought.")
    with pytest.raises(ReplayError, match="might repeat: It was bought"):
        list(possible_starts([read, led]))
    sent = (SentRequest(method="POST", url=A, resource="document"),)
    posted = Stage(led.step.model_copy(update={"sent": sent}), led.view, led.shown)
    assert list(possible_starts([read, posted])) == [1]


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ([stage("goto", A), stage("click", B)], [1]),
        ([stage("goto", A), stage("click", A, B, active=1)], [0, 1]),
        ([stage("goto", A), stage("click", A, B, C, active=2)], [0, None, 1]),
        (
            [stage("goto", A), stage("click", A, B, active=1), stage("click", A)],
            [2],
        ),
        (
            [
                stage("goto", A),
                stage("new_tab", A, B, active=1),
                stage("new_tab", A, B, B, active=2),
                stage("focus_tab", A, B, B, active=0),
                stage("close_tab", A, B, active=0, target="1"),
            ],
            [4, 2],
        ),
        (
            [
                stage("goto", A),
                stage("new_tab", A, A, active=1),
                stage("focus_tab", A, A, active=0),
                stage("close_tab", A, active=0),
            ],
            [3],
        ),
    ],
)
def test_which_stage_showed_a_tab_last(way: Sequence[Stage], expected: list[int | None]) -> None:
    assert last_stage_by_tab(way) == expected
