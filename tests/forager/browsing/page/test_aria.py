"""Trees in Playwright's notation are parsed correctly."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.page.aria import (
    Node,
    node_by_ref,
    node_label,
    node_value,
    parse_aria,
    to_element,
)

WORDS = st.lists(
    st.sampled_from(
        ["a", "b: c", "'", '"', "\\", "[ref=e1]", "- button", "/url: x", "#", "\n", "ü"]
    )
    | st.text(max_size=4),
    max_size=4,
).map(" ".join)
NAMES = WORDS.map(str.strip)
ROLES = st.sampled_from(["generic", "button", "link", "listitem", "row"])
TREES = st.recursive(
    st.builds(Node, ROLES, NAMES, text=NAMES),
    lambda inner: st.builds(
        lambda role, name, children: Node(role, name, children=children),
        ROLES,
        NAMES,
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


def written(node: Node, depth: int = 0) -> str:
    """A node in Playwright's notation: keys and values quoted as YAML requires."""
    key = node.role + (f" {json.dumps(node.name, ensure_ascii=False)}" if node.name else "")
    key += " [level=1]" if node.role == "row" else ""
    key += f" [ref={node.ref}]" if node.ref else ""
    if any(mark in key for mark in ": '#\\"):
        key = f"'{key}'" if "'" not in key else "'" + key.replace("'", "''") + "'"
    text = f": {json.dumps(node.text)}" if node.text else ":" if node.children else ""
    lines = [f"{'  ' * depth}- {key}{text}"]
    return "\n".join([*lines, *(written(child, depth + 1) for child in node.children)])


def shape(node: Node) -> list[tuple[str, str, str, int]]:
    """The nodes of a tree, in order."""
    return [(each.role, each.name, each.text, len(each.children)) for each in node.walk()]


@given(TREES)
def test_a_written_tree_is_read_back(node: Node) -> None:
    root = parse_aria(written(node))
    assert shape(root.children[0]) == shape(node)


@given(st.text(alphabet="-'\"[]:/ \n\\generic=refe1x", max_size=80))
def test_malformed_lines_are_skipped(text: str) -> None:
    for node in parse_aria(text).walk():
        assert node.role


@given(st.lists(st.text(max_size=12), max_size=8))
def test_no_text_makes_a_node(texts: list[str]) -> None:
    root = parse_aria("\n".join(f"- text: {json.dumps(text)}" for text in texts))
    assert [node.text for node in root.children] == texts


@pytest.mark.parametrize(
    ("line", "name", "text"),
    [
        ('- button "He said \\"yes\\" [ref=e9]" [ref=e1]', 'He said "yes" [ref=e9]', ""),
        ("- 'heading \"It''s: so\" [ref=e1]'", "It's: so", ""),
        ("- 'button \"a: b\" [ref=e1]': more", "a: b", "more"),
        ('- textbox "Two\\nlines" [ref=e1]: "one\\ntwo"', "Two\nlines", "one\ntwo"),
        ("- button /Save \\d+ files/ [ref=e1]", "/Save \\d+ files/", ""),
        ('- button "bell" [ref=e1]: "\\x07\\x07 \\\\x07"', "bell", "\a\a \\x07"),
        ('- link "line\u2028end\x85" [ref=e1]', "line\u2028end\x85", ""),
        ("- button [disabled] [ref=e1] [cursor=pointer]: Go", "", "Go"),
    ],
)
def test_a_line_is_parsed_to_name_and_text(line: str, name: str, text: str) -> None:
    node = node_by_ref(parse_aria(line), "e1")
    assert node is not None
    assert (node.name, node.text) == (name, text)


def test_properties_belong_to_the_line_above() -> None:
    root = parse_aria(
        '- link "A" [ref=e1]:\n  - /url: "#x"\n- textbox [ref=e2]:\n  - /placeholder: City'
    )
    link, box = root.children
    assert (link.url, box.placeholder, node_label(box)) == ("#x", "City", "City")


def test_a_page_may_nest_deeply() -> None:
    depth = 1500
    lines = [f"{'  ' * n}- listitem [ref=e{n}]:" for n in range(depth)]
    root = parse_aria("\n".join([*lines, "  " * depth + '- button "Deep" [ref=last]']))
    deep = node_by_ref(root, "last")
    assert deep is not None
    assert sum(1 for _ in root.walk()) == depth + 2
    assert len(list(deep.ancestors())) == depth + 1
    assert root.text_content() == "Deep"
    assert len(to_element(deep).ancestors) == depth
    assert "Deep" not in repr(root)


def test_a_long_tree_is_read_fast() -> None:
    line = '  - link "A name of some length" [ref=e{}] [cursor=pointer]:\n    - /url: page.html'
    tree = "- list:\n" + "\n".join(line.format(n) for n in range(4000))
    assert len(tree) > 300_000
    began = time.process_time()
    assert len(parse_aria(tree).children[0].children) == 4000
    assert time.process_time() - began < 1.0  # usually 0.05


def test_text_content_has_no_repeated_words() -> None:
    root = parse_aria(
        '- link "A b" [ref=e1]:\n  - code: A\n  - text: b\n- generic "c":\n  - text: d'
    )
    assert root.text_content() == "A b c d"
    assert root.text_content(3) == "A b"


def test_the_value_of_a_field() -> None:
    select = parse_aria('- combobox "Color":\n  - option "Red"\n  - option "Blue" [selected]')
    assert node_value(select.children[0]) == "Blue"
    assert node_value(parse_aria("- textbox: x").children[0]) == "x"
    assert node_value(parse_aria('- checkbox "A" [checked=mixed]').children[0]) == "mixed"


def test_an_element_is_described_by_its_named_ancestors() -> None:
    root = parse_aria(
        '- dialog "Edit":\n  - generic:\n    - listitem:\n      - text: First\n'
        '      - button "Save" [ref=e1]'
    )
    node = node_by_ref(root, "e1")
    assert node is not None
    assert to_element(node).ancestors == ("dialog Edit", "listitem First Save")
