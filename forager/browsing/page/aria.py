"""Reads an accessibility tree as Playwright writes it (`aria_snapshot(mode="ai")`)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from forager.domain.actions import Element

LINE = re.compile(r"( *)- (.*)", re.DOTALL)
QUOTED_KEY = re.compile(r"'((?:[^']|'')*)'(.*)", re.DOTALL)
KEY = re.compile(r'([a-z][\w-]*)(?: ("(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/(?=$|[ :])))?', re.DOTALL)
STATE = re.compile(r" \[([\w-]+)(?:=([^\]]*))?\]")
PROPERTY = re.compile(r"/(\w+): ?(.*)", re.DOTALL)
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|.)", re.DOTALL)
NAMELESS_ROLES = frozenset({"generic", "text", "fragment"})
ITEM_ROLES = frozenset({"row", "listitem", "article", "treeitem"})
CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
CONTENT_NAMED_ROLES = frozenset(
    """
    button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio
    option radio row rowheader switch tab tooltip treeitem
    """.split()  # noqa: SIM905
)
"""Roles whose accessible name is computed from their content."""
MAX_ITEM_NAME = 80
"""How many characters of a row's or item's text serve as its name."""


@dataclass(slots=True, eq=False)
class Node:
    """An element, or a `text` node between elements; `text` is its own text, without children's.

    `states` maps names such as checked, disabled, selected, expanded, pressed, level, cursor and
    active to their values.
    """

    role: str
    name: str = ""
    ref: str = ""
    text: str = ""
    url: str = ""
    placeholder: str = ""
    states: Mapping[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list, repr=False)
    parent: "Node | None" = field(default=None, repr=False)

    def walk(self) -> Iterator["Node"]:
        """Iterate over this node and its descendants in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    def text_content(self, limit: int = 0) -> str:
        """The text of the node and its descendants; with `limit`, about as many characters."""
        pieces: list[str] = []
        length = 0
        stack = [self]
        while stack and not 0 < limit <= length:
            node = stack.pop()
            if piece := node.name or node.text:
                pieces.append(piece)
                length += len(piece) + 1
            if not (node.name and node.role in CONTENT_NAMED_ROLES):
                stack += reversed(node.children)
        return " ".join(pieces)

    def ancestors(self) -> Iterator["Node"]:
        """Iterate over its ancestors, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def parse_aria(tree: str) -> Node:
    """Parse a snapshot's tree and return its root; unreadable lines are skipped."""
    root = Node("fragment")
    stack: list[tuple[int, Node]] = [(-1, root)]
    for line in tree.split("\n"):
        if not (match := LINE.fullmatch(line)):
            continue
        indent, rest = len(match[1]), match[2]
        while stack[-1][0] >= indent:
            stack.pop()
        parent = stack[-1][1]
        if property_match := PROPERTY.fullmatch(rest):
            _set_property(parent, property_match[1], _parse_scalar(property_match[2]))
        elif node := _parse_node(rest):
            node.parent = parent
            parent.children.append(node)
            stack.append((indent, node))
    return root


def node_by_ref(root: Node, ref: str) -> Node | None:
    """The node with this ref, or None."""
    return next((node for node in root.walk() if ref and node.ref == ref), None)


def to_element(node: Node) -> Element:
    """Describe a node by role, name and value, and by its named ancestors (outermost first)."""
    ancestors = [
        f"{ancestor.role} {name}"
        for ancestor in node.ancestors()
        if (name := _ancestor_name(ancestor))
    ]
    return Element(
        role=node.role,
        name=node_label(node),
        value=node_value(node),
        ancestors=tuple(reversed(ancestors)),
    )


def node_label(node: Node) -> str:
    """A node's name, else its placeholder, else its text."""
    return node.name or node.placeholder or ("" if is_fillable(node) else node.text_content())


def node_value(node: Node) -> str:
    """The content of a field, its selected options, or the state of a check box."""
    if node.role in {"combobox", "listbox"} and node.children:
        chosen = [each.name for each in node.walk() if "selected" in each.states]
        return ", ".join(chosen) or node.text
    if is_fillable(node):
        return node.text or " ".join(child.text for child in node.children if child.text)
    return node.states.get("checked", "")


def is_fillable(node: Node) -> bool:
    """Is it a field that takes text?"""
    return node.role in {"textbox", "searchbox", "spinbutton", "combobox", "slider"}


def _ancestor_name(node: Node) -> str:
    """The name of an ancestor, or the text of a row or item; empty for nameless roles."""
    if node.role in NAMELESS_ROLES:
        return ""
    return node.name or (_item_text(node) if node.role in ITEM_ROLES else "")


def _item_text(node: Node) -> str:
    return " ".join(node.text_content(MAX_ITEM_NAME).split())[:MAX_ITEM_NAME]


def _parse_node(rest: str) -> Node | None:
    key, tail = rest, ""
    if quoted := QUOTED_KEY.fullmatch(rest):
        key, tail = quoted[1].replace("''", "'"), quoted[2]
    role_match = KEY.match(key)
    if not role_match:
        return None
    node = Node(role_match[1], _parse_name(role_match[2] or ""))
    end = role_match.end()
    states: dict[str, str] = {}
    while state := STATE.match(key, end):
        states[state[1]] = state[2] or "true"
        end = state.end()
    node.ref = states.pop("ref", "")
    node.states = states
    node.text = _parse_scalar((tail or key[end:]).strip().removeprefix(":").strip())
    return node


def _parse_name(written: str) -> str:
    """Unquote a name; a regular expression is kept as it is."""
    return _parse_scalar(written) if written[:1] == '"' else written


def _set_property(node: Node, name: str, content: str) -> None:
    if name == "url":
        node.url = content
    elif name == "placeholder":
        node.placeholder = content


def _parse_scalar(text: str) -> str:
    """The value of a plain or quoted YAML scalar."""
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        if "\\" not in text:
            return text[1:-1]
        try:
            return str(json.loads(ESCAPE.sub(_to_json_escape, text), strict=False))
        except json.JSONDecodeError:
            return text[1:-1]
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    return text


def _to_json_escape(found: re.Match[str]) -> str:
    """Convert a YAML escape to JSON's, which has no two-digit escapes."""
    return f"\\u00{found[1]}" if found[1] else found[0]
