"""A state is recognized despite banners and reordering, and other states are not."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.same_state import differ_in_order_only, state_difference
from forager.browsing.volatile import stable_url
from forager.domain.browser import Snapshot

URL = "http://shop.test/cart"
NAMES = ("Apple", "Pear", "Kiwi", "Plum", "Fig", "Lime")
WORD = st.text(st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=8)
BANNERS = (
    "- paragraph: The big summer sale is on now!",
    '- generic:\n  - paragraph: We sell plums again.\n  - link "Look":\n    - /url: /plums',
    '- complementary:\n  - text: Half the price today\n  - button "Hide"',
)
EMPTY = '- heading "Cart" [level=1]\n- paragraph: Your cart is empty.'
LOGIN = '- heading "Log in" [level=1]\n- textbox "Name"\n- textbox "Password"\n- button "Log in"'


def shown(tree: str, url: str = URL, title: str = "Shop") -> Snapshot:
    return Snapshot(url=url, title=title, tree=tree)


def page(
    rows: tuple[tuple[str, int], ...],
    *,
    heading: str = "Cart",
    note: str = "gift",
    banner: str = "",
) -> str:
    """A form below a table of goods with their numbers."""
    lines = [banner] if banner else []
    lines += [f'- heading "{heading}" [level=1]', "- table:", "  - row:"]
    lines += ['    - columnheader "#"', '    - columnheader "Name"', '    - columnheader "Qty"']
    for number, (name, count) in enumerate(rows, start=1):
        lines += ["  - row:", f'    - cell "{number}"', f'    - cell "{name}"', "    - cell:"]
        lines += [f'      - spinbutton "Qty of {name}": "{count}"']
    lines += [f'- textbox "Note": {note}', '- checkbox "Wrap" [checked]', '- button "Order"']
    return "\n".join(lines)


ROWS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(1, 9)),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row[0],
).map(tuple)


@given(ROWS, st.randoms(use_true_random=False), st.sampled_from(("", *BANNERS)))
def test_banners_reordering_and_new_numbers_keep_the_state(
    rows: tuple[tuple[str, int], ...], dice: random.Random, banner: str
) -> None:
    shuffled = tuple(dice.sample(rows, len(rows)))
    assert state_difference(shown(page(rows)), shown(page(shuffled, banner=banner))) == ""


@given(ROWS, st.sampled_from(("", *BANNERS)), WORD, st.data())
def test_a_changed_value_heading_or_item_is_another_state(
    rows: tuple[tuple[str, int], ...], banner: str, word: str, data: st.DataObject
) -> None:
    before = shown(page(rows))
    assert state_difference(before, shown(page(rows, note=f"gift {word}", banner=banner)))
    assert state_difference(before, shown(page(rows, heading=f"Cart {word}", banner=banner)))
    assert state_difference(before, shown(page(rows[1:], banner=banner)))
    place = data.draw(st.integers(0, len(rows) - 1))
    name, count = rows[place]
    for other in ((name, count + 1), (f"{name}{word}", count)):
        changed = (*rows[:place], other, *rows[place + 1 :])
        assert state_difference(before, shown(page(changed, banner=banner)))


@given(ROWS, ROWS)
def test_equality_is_symmetric_without_notices(
    rows: tuple[tuple[str, int], ...], others: tuple[tuple[str, int], ...]
) -> None:
    one, other = shown(page(rows)), shown(page(others))
    assert (
        bool(state_difference(one, other))
        == bool(state_difference(other, one))
        == (set(rows) != set(others))
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (page((("Apple", 1),)), EMPTY),
        (page((("Apple", 1),)), LOGIN),
        (page((("Apple", 1),)), '- heading "Cart" [level=1]\n- paragraph: Something went wrong.'),
        ("- paragraph: Fine", "- paragraph: Fine\n- paragraph: Your session has expired."),
        ("- paragraph: Fine", "- paragraph: Fine\n- status: Please log in again"),
        ("- paragraph: Fine", '- dialog "Hello":\n  - paragraph: You?\n- paragraph: Fine'),
        ("- paragraph: Fine", "- alert: Saved\n- paragraph: Fine"),
        ("- paragraph: Fine", '- paragraph: Fine\n- textbox "Code"'),
        ("- paragraph: Order 1001", "- paragraph: Order 1002"),
        ("- paragraph: Your slot is 10:30", "- paragraph: Your slot is 11:30"),
        ("- paragraph: Enter 8:22 AM as the time", "- paragraph: Enter 2:37 PM as the time"),
        ("- paragraph: Fine", "- paragraph: Fine\n- paragraph: E"),
        ("- text: 3 items left", "- text: 2 items left"),
        ('- link "Cart (2)"', '- link "Cart (3)"'),
        ('- link "Inbox (2)"', '- link "Inbox (0)"'),
        ('- checkbox "a" [checked]', '- checkbox "a"'),
        ('- tab "a" [selected]\n- tab "b"', '- tab "a"\n- tab "b" [selected]'),
        (
            "- radio [checked]\n- text: one\n- radio\n- text: two",
            "- radio\n- text: one\n- radio [checked]\n- text: two",
        ),
        (
            '- text: Home\n- generic: "2"\n- text: Away\n- generic: "1"',
            '- text: Home\n- generic: "1"\n- text: Away\n- generic: "2"',
        ),
        (
            '- combobox "Town":\n  - option "Rome" [selected]\n  - option "Oslo"',
            '- combobox "Town":\n  - option "Rome"\n  - option "Oslo" [selected]',
        ),
        (
            '- row:\n  - cell "Apple"\n  - cell "3"\n- row:\n  - cell "Pear"\n  - cell "5"',
            '- row:\n  - cell "Apple"\n  - cell "5"\n- row:\n  - cell "Pear"\n  - cell "3"',
        ),
        ("- list:\n  - listitem: Apple", "- list:\n  - listitem: Apple\n  - listitem: Pear"),
    ],
)
def test_different_states_are_distinguished(before: str, now: str) -> None:
    assert state_difference(shown(before), shown(now))


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("- text: It is 12:30 now", "- text: It is 12:31 now"),
        ("- text: 2026-11-21 18:30:01", "- text: 2026-11-22 09:00:59"),
        ("- text: Written 3 minutes ago", "- text: Written an hour ago"),
        ("- text: You are visitor 1,204 today", "- text: You are visitor 1,207 today"),
        ("- text: Updated on 1/2/2026 12:30", "- text: Updated on 1/2/2026 12:34"),
        ("- text: 'Time left: 58 / 60sec'", "- text: 'Time left: 7 / 60sec'"),
        ("- text: 12 visits", "- text: 13 visits"),
        ("- text: Rendered in 0.21 s", "- text: Rendered in 1.08 s"),
        ('- link "Inbox (2)"', '- link "Inbox (5)"'),
        ('- link "a"\n- link "b"', '- link "b"\n- link "a"'),
        (
            "- list:\n  - listitem: 1. Apple\n  - listitem: 2. Pear",
            "- list:\n  - listitem: 1. Pear\n  - listitem: 2. Apple",
        ),
        ("- paragraph: Fine", "- generic:\n  - generic:\n    - paragraph: Fine"),
        (
            '- generic:\n  - text: We use cookies.\n  - button "OK"\n- paragraph: Fine',
            "- paragraph: Fine",
        ),
        ('- button "Go" [ref=e1] [cursor=pointer]', '- button "Go" [active] [ref=e9]'),
    ],
)
def test_volatile_text_is_ignored(before: str, now: str) -> None:
    assert state_difference(shown(before), shown(now)) == ""
    assert state_difference(shown(now), shown(before)) == ""


def test_order_counts_if_asked_for() -> None:
    one = shown("- list:\n  - listitem: Apple\n  - listitem: Pear")
    other = shown("- list:\n  - listitem: Pear\n  - listitem: Apple")
    assert differ_in_order_only(one, other)
    assert not differ_in_order_only(one, one)
    assert state_difference(one, other, ordered=True)


def test_the_address_counts_without_session_ids_and_parameter_order() -> None:
    fine = "- paragraph: Fine"
    first = shown(fine, "http://a.test/p;jsessionid=77?b=2&a=1&PHPSESSID=x1")
    assert state_difference(first, shown(fine, "http://a.test/p?a=1&b=2&_=1700000000")) == ""
    assert state_difference(first, shown(fine, "http://a.test/p?a=1&b=3"))
    assert state_difference(first, shown(fine, "http://a.test/p?a=1&b=2#/other"))
    assert stable_url("http://A.test") == stable_url("http://a.test/")


def test_the_title_counts_without_counters() -> None:
    fine = "- paragraph: Fine"
    first = shown(fine, title="(2) Mail")
    assert state_difference(first, shown(fine, title="(3) Mail")) == ""
    assert state_difference(first, shown(fine, title="Calendar"))


def test_a_long_notice_is_another_page() -> None:
    fine = shown("- paragraph: Fine\n- paragraph: Good")
    assert state_difference(
        fine, shown(f"- paragraph: {'word ' * 60}\n- paragraph: Fine\n- paragraph: Good")
    )


def test_trees_of_any_depth_are_read() -> None:
    deep = "\n".join(f"{'  ' * level}- generic:" for level in range(2000))
    tree = f"{deep}\n{'  ' * 2000}- paragraph: Fine"
    assert state_difference(shown(tree), shown(tree)) == ""
    assert state_difference(shown(tree), shown(tree.replace("Fine", "Bad")))
