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
"""The name of these says what is in them."""
MAX_ITEM_NAME = 80
"""Characters of an item that stand for its name."""


@dataclass(slots=True, eq=False)
class Node:
    """An element, or a `text` between elements; `text` is what stands in it itself.

    `states` are such as checked, disabled, selected, expanded, pressed, level, cursor, active.
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
        """This node and all below it, in the order of the page."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def text_content(self, limit: int = 0) -> str:
        """All that it says; no more pieces than fill `limit` characters."""
        pieces: list[str] = []
        length = 0
        waiting = [self]
        while waiting and not 0 < limit <= length:
            node = waiting.pop()
            if piece := node.name or node.text:
                pieces.append(piece)
                length += len(piece) + 1
            if not (node.name and node.role in CONTENT_NAMED_ROLES):
                waiting += reversed(node.children)
        return " ".join(pieces)

    def ancestors(self) -> Iterator["Node"]:
        """Its ancestors, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def parse_aria(tree: str) -> Node:
    """The root of a snapshot; lines that cannot be read are left out."""
    root = Node("fragment")
    stack: list[tuple[int, Node]] = [(-1, root)]
    for line in tree.split("\n"):
        if not (found := LINE.fullmatch(line)):
            continue
        depth, rest = len(found[1]), found[2]
        while stack[-1][0] >= depth:
            stack.pop()
        parent = stack[-1][1]
        if told := PROPERTY.fullmatch(rest):
            _set_property(parent, told[1], _parse_scalar(told[2]))
        elif node := _parse_node(rest):
            node.parent = parent
            parent.children.append(node)
            stack.append((depth, node))
    return root


def node_by_ref(root: Node, ref: str) -> Node | None:
    """The node with a ref."""
    return next((node for node in root.walk() if ref and node.ref == ref), None)


def to_element(node: Node) -> Element:
    """What a node is and says, and the named ones above it."""
    above = [f"{one.role} {called}" for one in node.ancestors() if (called := _ancestor_name(one))]
    return Element(
        role=node.role,
        name=node_label(node),
        value=node_value(node),
        ancestors=tuple(reversed(above)),
    )


def node_label(node: Node) -> str:
    """What a node is called: its name, its placeholder, or the words in it."""
    return node.name or node.placeholder or ("" if is_fillable(node) else node.text_content())


def node_value(node: Node) -> str:
    """What stands in a field, or which options of it are selected."""
    if node.role in {"combobox", "listbox"} and node.children:
        chosen = [each.name for each in node.walk() if "selected" in each.states]
        return ", ".join(chosen) or node.text
    if is_fillable(node):
        return node.text or " ".join(child.text for child in node.children if child.text)
    return node.states.get("checked", "")


def is_fillable(node: Node) -> bool:
    """Does it take text?"""
    return node.role in {"textbox", "searchbox", "spinbutton", "combobox", "slider"}


def _ancestor_name(node: Node) -> str:
    """What tells an ancestor from others of its kind: its name, or the words of a row or item."""
    if node.role in NAMELESS_ROLES:
        return ""
    return node.name or (_item_text(node) if node.role in ITEM_ROLES else "")


def _item_text(node: Node) -> str:
    return " ".join(node.text_content(MAX_ITEM_NAME).split())[:MAX_ITEM_NAME]


def _parse_node(rest: str) -> Node | None:
    key, tail = rest, ""
    if quoted := QUOTED_KEY.fullmatch(rest):
        key, tail = quoted[1].replace("''", "'"), quoted[2]
    found = KEY.match(key)
    if not found:
        return None
    node = Node(found[1], _parse_name(found[2] or ""))
    end = found.end()
    states: dict[str, str] = {}
    while state := STATE.match(key, end):
        states[state[1]] = state[2] or "true"
        end = state.end()
    node.ref = states.pop("ref", "")
    node.states = states
    node.text = _parse_scalar((tail or key[end:]).strip().removeprefix(":").strip())
    return node


def _parse_name(written: str) -> str:
    """A name as JSON writes it; a regular expression stays as it is."""
    return _parse_scalar(written) if written[:1] == '"' else written


def _set_property(node: Node, name: str, said: str) -> None:
    if name == "url":
        node.url = said
    elif name == "placeholder":
        node.placeholder = said


def _parse_scalar(text: str) -> str:
    """A plain or quoted scalar."""
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
    """An escape as JSON has it, which has none of two digits."""
    return f"\\u00{found[1]}" if found[1] else found[0]
