"""The page that a browser shows, and the path to it."""

from forager.browsing.shown_page import (
    EMPTY_PAGE,
    ShownPage,
    count_habits,
    describe_step,
    describe_tabs,
    shown_page,
)
from forager.domain.actions import Action
from forager.domain.browser import Snapshot, Tab, View
from forager.domain.state import Step
from tests.fakes import MemoryBlobs
from tests.nodes.states import failed, state, url

TREE = '- button "Go" [ref=e1]\n'


def test_without_a_browser_the_page_is_empty() -> None:
    assert shown_page(state(), MemoryBlobs()).snapshot == EMPTY_PAGE
    assert not count_habits(state(), MemoryBlobs())


def test_the_same_click_on_an_equal_looking_page_is_one_habit() -> None:
    one = ShownPage(Snapshot(url=url(), tree=TREE))
    two = ShownPage(Snapshot(url=url(), tree=TREE.replace("e1", "e7")))
    click = Action(kind="click", target="e1")
    assert one.habit_key(click) == two.habit_key(click)
    assert one.find_words("lamp") == ("Nothing has 'lamp'.",)


def test_a_step_is_described_with_its_outcome() -> None:
    assert describe_step(failed(url("a"))) == f"Open {url('a')}: failed. It answered 404."
    view = View(url=url(), notes=("A dialog opened.",))
    done = Step(
        id="1.1",
        round=1,
        number=1,
        action=Action(kind="back"),
        outcome="moved",
        view=view,
        harm="A form was sent.",
    )
    assert describe_step(done) == (
        "Go back: now at . It changed something: A form was sent. A dialog opened."
    )


def test_tabs_are_listed_if_there_are_several() -> None:
    tabs = (Tab(url=url("a"), title="A"), Tab(url=url("b")))
    assert describe_tabs(View(url=url("a"), tabs=tabs[:1])) == ()
    assert describe_tabs(View(url=url("a"), tabs=tabs, active=1)) == (
        "tab 0: A",
        f"tab 1, shown: {url('b')}",
    )
    assert describe_tabs(None) == ()
