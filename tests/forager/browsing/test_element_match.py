"""An element is found again by role and words, and a wrong one never."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.element_match import Match, match_element
from forager.browsing.page import aria
from forager.browsing.page.aria import Node, parse_aria, to_element
from forager.domain.actions import Element

WORDS = st.sampled_from(("Apple", "Pear", "Kiwi", "Plum", "Fig", "Lime", "Date", "Quince"))


def again(before: str, ref: str, now: str) -> Match:
    """Find an element of one tree in another, with all that is known about it."""
    seen = aria.node_by_ref(parse_aria(before), ref)
    assert seen is not None
    return match_element(to_element(seen), parse_aria(now), seen)


def described(before: str, ref: str, now: str) -> Match:
    """Find an element by its description only."""
    seen = aria.node_by_ref(parse_aria(before), ref)
    assert seen is not None
    return match_element(to_element(seen), parse_aria(now))


def ref(found: Match) -> str:
    assert found.node is not None, found.why
    return found.node.ref


def table(*rows: tuple[int, str]) -> str:
    """A table with a button in each row; its ref is the row's name in lower case."""
    lines = ["- table [ref=t]:"]
    for number, name in rows:
        lines += [
            f"  - row [ref=r{name}]:",
            f'    - cell "{number}" [ref=n{name}]',
            f'    - cell "{name}" [ref=c{name}]',
            f'    - cell "in stock" [ref=s{name}]',
            f'    - button "Open" [ref={name.lower()}]',
        ]
    return "\n".join(lines)


def products(names: Sequence[str], *, first: str = "") -> str:
    """Products without roles, each with a button; its ref is the name in lower case."""
    lines = ["- generic [ref=g]:", *([f"  - paragraph [ref=p]: {first}"] if first else [])]
    for place, name in enumerate(names):
        lines += [
            f"  - generic [ref=g{place}]:",
            f"    - text: {name} for sale",
            f'    - button "Add" [ref={name.lower()}]',
        ]
    return "\n".join(lines)


def test_an_element_is_found_wherever_it_stands() -> None:
    before = '- generic:\n  - button "Save" [ref=e1]\n  - button "Cancel" [ref=e2]'
    now = '- main:\n  - generic:\n    - button "Cancel" [ref=e8]\n    - button "Save" [ref=e9]'
    assert ref(described(before, "e1", now)) == "e9"


def test_case_blanks_and_marks_around_a_label_do_not_matter() -> None:
    before = '- textbox "E-mail address: *" [ref=e1]'
    assert ref(described(before, "e1", '- textbox "e-mail  Address" [ref=e5]')) == "e5"


def test_a_count_may_change() -> None:
    before = '- link "Inbox (3)" [ref=e1]\n- link "Sent" [ref=e2]'
    assert ref(described(before, "e1", '- link "Inbox (12)" [ref=e7]')) == "e7"


def test_a_figure_that_is_not_distinctive_may_change() -> None:
    before = '- button "Show 3 comments" [ref=e1]'
    now = '- button "Show 4 comments" [ref=e7]'
    assert ref(again(before, "e1", now)) == "e7"
    assert described(before, "e1", now).node is None


def test_a_distinctive_figure_must_match() -> None:
    before = '- link "Order 1001" [ref=e1]\n- link "Order 1002" [ref=e2]'
    assert again(before, "e1", '- link "Order 1002" [ref=e1]').node is None
    assert ref(again(before, "e2", '- link "Order 1002" [ref=e1]')) == "e1"


def test_other_words_are_another_element() -> None:
    found = described('- button "Save" [ref=e1]', "e1", '- button "Save as draft" [ref=e1]')
    assert found.node is None
    assert "Save" in found.why


def test_another_role_is_another_element() -> None:
    assert (
        match_element(
            Element(role="link", name="Next"), parse_aria('- button "Next" [ref=e1]')
        ).node
        is None
    )


def test_rows_are_identified_by_words_not_by_position() -> None:
    before = table((1, "Apple"), (2, "Pear"), (3, "Plum"))
    now = table((1, "Plum"), (2, "Fig"), (3, "Apple"))
    assert ref(again(before, "apple", now)) == "apple"
    assert ref(described(before, "apple", now)) == "apple"


def test_a_missing_row_has_no_match() -> None:
    before = table((1, "Apple"), (2, "Pear"), (3, "Plum"))
    for now in (table((1, "Pear"), (2, "Plum")), table((1, "Pear"))):
        assert again(before, "apple", now).node is None
        assert described(before, "apple", now).node is None


def test_products_without_roles_are_identified_by_their_surroundings() -> None:
    before = products(["Apple", "Pear", "Plum"])
    now = products(["Plum", "Apple", "Kiwi"], first="Today everything is half the price!")
    assert ref(again(before, "apple", now)) == "apple"
    assert again(before, "pear", now).node is None
    assert again(before, "pear", products(["Plum"])).node is None


def test_indistinguishable_twins_are_ambiguous() -> None:
    tree = '- button "Next" [ref=e1]\n- paragraph: Much text.\n- button "Next" [ref=e2]'
    found = described(tree, "e1", tree)
    assert found.node is None
    assert "2 elements" in found.why


def test_twins_are_found_by_position_on_an_unchanged_page() -> None:
    tree = "- checkbox [ref=e1]\n- checkbox [ref=e2]\n- checkbox [checked] [ref=e3]"
    assert ref(again(tree, "e2", tree.replace("ref=e", "ref=f"))) == "f2"
    assert again(tree, "e2", f"- text: News\n{tree}").node is None


def test_equal_bars_above_and_below_a_page_are_interchangeable() -> None:
    bar = (
        '- navigation:\n  - text: Index of all modules\n  - textbox "Search" [ref={}]\n'
        '  - button "Go"'
    )
    tree = f"{bar.format('e1')}\n- paragraph: Much text.\n{bar.format('e2')}"
    now = f"- paragraph: News, news, news!\n{tree}"
    assert ref(again(tree, "e1", now)) == "e1"
    assert ref(again(tree, "e2", now)) == "e2"


def test_an_element_in_a_long_item_is_found() -> None:
    long = " ".join(f"word{number}" for number in range(60))
    tree = f'- list:\n  - listitem [ref=l]:\n    - text: {long}\n    - button "Go on" [ref=e1]'
    assert ref(again(tree, "e1", tree)) == "e1"
    assert ref(described(tree, "e1", tree)) == "e1"


def test_links_to_the_same_page_are_one() -> None:
    link = '- link "Next" [ref={}]:\n  - /url: /page/2'
    tree = f"{link.format('e1')}\n- paragraph: Much text.\n{link.format('e2')}"
    assert ref(described(tree, "e2", tree)) in {"e1", "e2"}


def test_a_nameless_field_is_identified_by_the_words_beside_it() -> None:
    tree = "- radio [ref=e1]\n- text: one\n- radio [ref=e2]\n- text: two"
    assert ref(again(tree, "e2", tree)) == "e2"
    shuffled = (
        "- radio [ref=e1]\n- text: one\n- radio [ref=e3]\n- text: three\n"
        "- radio [ref=e2]\n- text: two"
    )
    before = (
        "- radio [ref=e1]\n- text: one\n- radio [ref=e2]\n- text: two\n"
        "- radio [ref=e3]\n- text: three"
    )
    found = again(before, "e2", shuffled)
    assert found.node is None or found.node.ref == "e2"


def test_a_dialog_about_another_thing_does_not_match() -> None:
    before = '- dialog "Edit Apple" [ref=d]:\n  - textbox "Name" [ref=e1]: Apple'
    now = '- dialog "Edit Pear" [ref=d]:\n  - textbox "Name" [ref=e1]: Pear'
    assert described(before, "e1", now).node is None


def test_a_value_may_change_but_distinguishes_twins() -> None:
    before = '- spinbutton "Qty" [ref=e1]: 1\n- spinbutton "Qty" [ref=e2]: 5'
    now = '- spinbutton "Qty" [ref=e7]: 5\n- spinbutton "Qty" [ref=e8]: 1'
    assert ref(described(before, "e1", now)) == "e8"
    alone = '- textbox "City" [ref=e1]: Rome'
    assert ref(described(alone, "e1", '- textbox "City" [ref=e4]')) == "e4"


@given(st.lists(WORDS, min_size=2, max_size=6, unique=True), st.data())
def test_a_shuffled_element_is_found_and_a_removed_one_is_not(
    names: list[str], data: st.DataObject
) -> None:
    target = data.draw(st.sampled_from(names))
    others = data.draw(st.permutations(names))
    rows = table(*enumerate(names, start=1))
    assert ref(again(rows, target.lower(), table(*enumerate(others, start=1)))) == target.lower()
    less = [name for name in others if name != target]
    assert again(rows, target.lower(), table(*enumerate(less, start=1))).node is None
    bare = products(names)
    assert ref(again(bare, target.lower(), products(others))) == target.lower()
    assert again(bare, target.lower(), products(less)).node is None


def test_nodes_of_a_large_page_are_found_quickly() -> None:
    tree = table(*((number, f"Row{number}x{chr(97 + number % 26)}") for number in range(800)))
    assert ref(again(tree, "row400xk", tree)) == "row400xk"


def test_a_match_is_a_node_of_the_searched_page() -> None:
    root = parse_aria('- button "Go" [ref=e3]')
    found = match_element(Element(role="button", name="Go"), root)
    assert isinstance(found.node, Node)
    assert found.node in list(root.walk())
