"""Actions are described in plain words."""

from typing import get_args

import pytest

from forager.browsing.action_text import ACTION_PHRASES, describe_action
from forager.domain.actions import IN_BROWSER, Action, Element, Kind

DELETE = Element(role="button", name="Delete", ancestors=("table Users", "row Dome 1887"))
SEARCH = Element(role="searchbox", name="Search")


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (
            Action(kind="click", target="e1", element=DELETE),
            "Click the button “Delete” in the row “Dome 1887”",
        ),
        (
            Action(kind="type", target="e2", element=SEARCH, value="dome  1887", submit=True),
            "Type “dome 1887” into the search field “Search” and press Enter",
        ),
        (Action(kind="press", value="Escape"), "Press Escape in the page"),
        (Action(kind="goto", target="http://host/"), "Open http://host/"),
        (Action(kind="scroll", target="down"), "Scroll down"),
        (Action(kind="stop"), "Stop"),
        (Action(kind="stop", value="1887"), "Stop with the answer “1887”"),
        (Action(kind="click", target="e9", element=Element(role="link")), "Click the link"),
    ],
)
def test_an_action_is_described_in_plain_words(action: Action, told: str) -> None:
    assert describe_action(action) == told


def test_every_kind_of_action_has_a_description() -> None:
    kinds = {kind for one in get_args(Kind) for kind in get_args(one) or (one,)}
    assert kinds == set(ACTION_PHRASES)
    assert kinds >= IN_BROWSER


def test_long_names_are_cut() -> None:
    element = Element(role="link", name="x" * 500)
    assert len(describe_action(Action(kind="click", element=element))) < 100
