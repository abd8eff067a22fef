"""Which actions have the same effect, and which repeat an earlier one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.action_keys import effect_key, habit_key, look_digest, normalise_words
from forager.browsing.page.aria import node_by_ref, parse_aria
from forager.domain.actions import Action, Element
from forager.domain.browser import Snapshot

PAGE = "http://host/list/"
TREE = """\
- list [ref=e1]:
  - link "Dome" [ref=e2] [cursor=pointer]:
    - /url: ../dome.html?b=2&a=1
  - button "Dome" [ref=e3]
"""


def of(action: Action) -> str:
    return effect_key(action, node_by_ref(parse_aria(TREE), action.target), PAGE)


def test_a_click_on_a_link_goes_to_its_address() -> None:
    click = of(Action(kind="click", target="e2"))
    assert click == of(Action(kind="goto", target="http://host/dome.html?a=1&b=2"))
    assert click != of(Action(kind="click", target="e3"))
    assert click != of(Action(kind="new_tab", target="http://host/dome.html?a=1&b=2"))
    assert click != of(Action(kind="hover", target="e2"))


@pytest.mark.parametrize("url", ["#", "javascript:void(0)", "./#", "http://[", "http://host:x/"])
def test_links_handled_by_scripts_are_distinguished(url: str) -> None:
    tree = f'- link "Tab" [ref=e1]:\n  - /url: "{url}"\n- link "Next" [ref=e2]:\n  - /url: "{url}"'
    root = parse_aria(tree)
    effects = {
        effect_key(Action(kind="click", target=ref), node_by_ref(root, ref), PAGE)
        for ref in ("e1", "e2")
    }
    assert effects == {"click e1", "click e2"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Zip  code", "zip code", True),
        ("10203", "10204", False),
        ("ＡＢＣ", "abc", True),
        ("-5", "5", False),
    ],
)
def test_values_are_compared_as_words(one: str, other: str, same: bool) -> None:
    first, second = (Action(kind="type", target="e3", value=value) for value in (one, other))
    assert (of(first) == of(second)) is same
    assert of(first) != of(first.model_copy(update={"submit": True}))


def test_answers_agree_as_words() -> None:
    one, other = (Action(kind="stop", value=value) for value in ("In 1894.", "in  1894"))
    assert of(one) == of(other)
    assert of(one) != of(Action(kind="stop", value="in 1895"))
    assert of(one) != of(Action(kind="stop"))


@given(st.text())
def test_normalising_words_is_idempotent(text: str) -> None:
    assert normalise_words(normalise_words(text)) == normalise_words(text)
    assert normalise_words(f" {text}\n") == normalise_words(text)


def test_a_page_looks_the_same_whatever_its_clock_and_refs() -> None:
    one = Snapshot(url=f"{PAGE}?b=1&a=2", tree='- text: 10:24\n- button "Go" [ref=e3]')
    other = Snapshot(url=f"{PAGE}?a=2&b=1", tree='- text: 11:05\n- button "Go" [ref=e17]')
    assert look_digest(one) == look_digest(other)
    assert look_digest(one) != look_digest(
        one.model_copy(update={"tree": '- button "Stop" [ref=e3]'})
    )
    assert look_digest(one) != look_digest(one.model_copy(update={"url": "http://host/"}))


def test_a_habit_is_the_same_element_on_a_page_that_looks_the_same() -> None:
    button = Element(role="button", name="Go", ancestors=("row Dome",))
    first = Action(kind="click", target="e3", element=button)
    again = Action(kind="click", target="e17", element=button)
    assert habit_key(first, "x") == habit_key(again, "x")
    assert habit_key(first, "x") != habit_key(again, "y")
    other = button.model_copy(update={"ancestors": ("row Tower",)})
    assert habit_key(first, "x") != habit_key(first.model_copy(update={"element": other}), "x")
    goto = Action(kind="goto", target="http://host/?b=1&a=2")
    assert habit_key(goto, "x") == habit_key(
        goto.model_copy(update={"target": "http://host/?a=2&b=1"}), "x"
    )
