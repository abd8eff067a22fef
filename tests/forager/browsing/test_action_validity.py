"""Only possible actions are offered, and a rejection suggests a correction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.action_validity import action_fault, possible_kinds
from forager.browsing.page.aria import parse_aria
from forager.domain.actions import IN_BROWSER, Action
from forager.domain.browser import Snapshot

TREE = """
- generic [active] [ref=e1]:
  - heading "Shop" [level=1] [ref=e2]
  - link "Home" [ref=e3] [cursor=pointer]:
    - /url: /
  - textbox "Search" [ref=e4]
  - spinbutton "How many" [ref=e5]: "1"
  - combobox "Size" [ref=e6]:
    - option "Small" [selected]
    - option "Large"
    - option "Huge" [disabled]
  - button "Buy" [disabled] [ref=e7]
  - checkbox "Gift" [ref=e8]
  - group "Off" [disabled] [ref=e9]:
    - textbox "Inside" [ref=e10]
  - combobox "City" [ref=e11]
  - generic [ref=e12]: words
"""
ROOT = parse_aria(TREE)
PLAIN = parse_aria("- generic [ref=e1]: Nothing to do here.")
ALWAYS = {"goto", "new_tab", "find"}


def shop(**more: int | bool) -> Snapshot:
    return Snapshot(url="http://x.org/", tree=TREE).model_copy(update=more)


def act(kind: str, target: str = "", value: str = "") -> Action:
    return Action.model_validate({"kind": kind, "target": target, "value": value})


def test_a_page_of_text_offers_almost_no_actions() -> None:
    assert set(possible_kinds(PLAIN, Snapshot(url="http://x.org/"))) == ALWAYS


def test_the_actions_that_a_form_offers() -> None:
    assert set(possible_kinds(ROOT, shop())) == ALWAYS | {
        "click",
        "type",
        "select",
        "hover",
        "press",
    }


@pytest.mark.parametrize(
    ("kind", "more", "tabs"),
    [
        ("scroll", {"below": 9}, 1),
        ("scroll", {"above": 9}, 1),
        ("back", {"back": True}, 1),
        ("forward", {"forward": True}, 1),
        ("drag", {"drags": True}, 1),
        ("focus_tab", {}, 2),
        ("close_tab", {}, 2),
    ],
)
def test_other_actions_are_offered_only_if_possible(
    kind: str, more: dict[str, int | bool], tabs: int
) -> None:
    assert kind not in possible_kinds(ROOT, shop())
    assert kind in possible_kinds(ROOT, shop(**more), tabs)


def test_no_select_without_a_list_and_no_typing_without_a_field() -> None:
    tree = parse_aria(
        '- generic [ref=e1]:\n  - button "Go" [ref=e2]\n  - textbox [disabled] [ref=e3]'
    )
    assert set(possible_kinds(tree, Snapshot(url="x"))) == ALWAYS | {"click", "hover", "press"}


@pytest.mark.parametrize(
    "action",
    [
        act("click", "e3"),
        act("click", "e12"),
        act("hover", "e7"),
        act("type", "e4", "shoes"),
        act("type", "e5", "-2.5"),
        act("type", "e11", "Rome"),
        act("type", "e12", "an editor, maybe"),
        act("select", "e6", "large"),
        act("select", "e6", "Small, Large"),
        act("select", "e11", "Rome"),
        act("drag", "e12", "e4"),
        act("drag", "e12", "+30,-10"),
        act("drag", "e5", "7"),
        act("press", "", "Escape"),
        act("press", "e4", "Control+A Delete ArrowDown*3"),
        act("goto", "https://x.org/a"),
        act("new_tab"),
        act("find", "shoes"),
        act("stop"),
    ],
)
def test_possible_actions_have_no_fault(action: Action) -> None:
    assert action_fault(action, ROOT, shop()) == ""


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (act("click", "e99"), "There is no element 'e99' in this view."),
        (act("click", "Home"), "Did you mean e3 (link 'Home')?"),
        (act("click", "e7"), "e7 (button 'Buy') is disabled"),
        (act("type", "e10", "x"), "e10 (textbox 'Inside') is disabled"),
        (act("type", "e3", "x"), "takes no text. Fields are e4 (textbox 'Search'), e5"),
        (act("type", "e6", "Large"), "select one of its options. Options are 'Small', 'Large'."),
        (act("type", "e5", "two"), "takes a number, not 'two'"),
        (act("select", "e8", "x"), "e8 (checkbox 'Gift') has no options: click it."),
        (act("select", "e4", "x"), "type into it. Lists are e6 (combobox 'Size'), e11"),
        (act("select", "e6", "Tiny"), "has no option 'Tiny'. Options are 'Small', 'Large'."),
        (act("select", "e6", "huge"), "The option 'huge' of e6 (combobox 'Size') is disabled."),
        (act("drag", "e12", "e99"), "no element 'e99' in this view to drag to"),
        (act("drag", "e12", "e12"), "onto itself"),
        (act("drag", "e12", "left"), "give the ref of an element"),
        (act("press", "e4", "Return"), "'Return' is not a key. Keys are such as Enter"),
        (act("press"), "'' is not a key"),
        (act("scroll", "down"), "nothing more to see further down"),
        (act("scroll", "left"), "scroll up or down"),
        (act("scroll", "down", "e99"), "no element 'e99' in this view to scroll"),
        (act("back"), "no page to go back to"),
        (act("forward"), "no page to go forward to"),
        (act("goto", "file:///etc/passwd"), "is not an address"),
        (act("goto", "http://[x"), "is not an address"),
        (act("goto", "http://x:99999/"), "is not an address"),
        (act("new_tab", "shoes"), "is not an address"),
        (act("focus_tab", "0"), "There is only one tab."),
        (act("find", " "), "Name the words"),
    ],
)
def test_impossible_actions_are_explained_with_a_correction(action: Action, says: str) -> None:
    assert says in action_fault(action, ROOT, shop())


def test_tabs_are_counted() -> None:
    assert action_fault(act("focus_tab", "1"), ROOT, shop(), tabs=2) == ""
    assert action_fault(act("close_tab"), ROOT, shop(), tabs=2) == ""
    assert "from 0 to 1" in action_fault(act("focus_tab", "2"), ROOT, shop(), tabs=2)


@given(kind=st.sampled_from(sorted(IN_BROWSER)), target=st.text(), value=st.text())
def test_any_action_is_accepted_or_explained(kind: str, target: str, value: str) -> None:
    assert isinstance(action_fault(act(kind, target, value), ROOT, shop(), 2), str)
