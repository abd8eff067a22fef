"""Reads an accessibility tree as Playwright writes it (`aria_snapshot(mode="ai")`)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from forager.element import Element

LINE = re.compile(r"(?P<indent> *)- (?P<rest>.*)")
QUOTED_KEY = re.compile(r"'(?P<key>(?:[^']|'')*)'(?P<rest>:?.*)")
KEY = re.compile(r'(?P<role>[a-z]+)(?: (?P<name>"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/))?')
STATE = re.compile(r"\[(\w+)(?:=([^\]]*))?\]")
PROPERTY = re.compile(r"/(\w+): ?(.*)")
NAMELESS = frozenset({"generic", "text", "fragment"})
ITEMS = frozenset({"row", "listitem", "article", "treeitem"})
ITEM_WORDS = 80
"""Characters of an item that stand for its name."""


@dataclass(slots=True)
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
    children: list["Node"] = field(default_factory=list)
    parent: "Node | None" = field(default=None, repr=False)

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, in the order of the page."""
        yield self
        for child in self.children:
            yield from child.walk()

    def words(self) -> str:
        """All that it says: its name, or else its text and that of what it holds."""
        pieces = [self.name or self.text, *(child.words() for child in self.children)]
        return " ".join(piece for piece in pieces if piece)

    def above(self) -> Iterator["Node"]:
        """Its ancestors, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def parse(tree: str) -> Node:
    """The root of a snapshot; lines that cannot be read are left out."""
    root = Node("fragment")
    stack: list[tuple[int, Node]] = [(-1, root)]
    for line in tree.splitlines():
        if not (found := LINE.fullmatch(line)):
            continue
        depth = len(found["indent"])
        while stack[-1][0] >= depth:
            stack.pop()
        parent = stack[-1][1]
        if told := PROPERTY.fullmatch(found["rest"]):
            _tell(parent, told[1], _scalar(told[2]))
        elif node := _node(found["rest"]):
            node.parent = parent
            parent.children.append(node)
            stack.append((depth, node))
    return root


def by_ref(root: Node, ref: str) -> Node | None:
    """The node with a ref."""
    return next((node for node in root.walk() if node.ref == ref), None)


def describe(node: Node) -> Element:
    """What a node is and says, and the named ones above it."""
    above = [f"{one.role} {_called(one)}" for one in node.above() if _called(one)]
    return Element(
        role=node.role, name=label(node), value=value(node), ancestors=tuple(reversed(above))
    )


def label(node: Node) -> str:
    """What a node is called: its name, its placeholder, or the words in it."""
    return node.name or node.placeholder or ("" if fillable(node) else node.words())


def value(node: Node) -> str:
    """What stands in a field, or which options of it are selected."""
    if node.role in {"combobox", "listbox"} and node.children:
        chosen = [each.name for each in node.walk() if "selected" in each.states]
        return ", ".join(chosen) or node.text
    if fillable(node):
        return node.text or " ".join(child.text for child in node.children if child.text)
    return node.states.get("checked", "")


def fillable(node: Node) -> bool:
    """Does it take text?"""
    return node.role in {"textbox", "searchbox", "spinbutton", "combobox", "slider"}


def _called(node: Node) -> str:
    """What tells an ancestor from others of its kind: its name, or the words of a row or item."""
    if node.role in NAMELESS:
        return ""
    return node.name or (" ".join(node.words().split())[:ITEM_WORDS] if node.role in ITEMS else "")


def _node(rest: str) -> Node | None:
    if quoted := QUOTED_KEY.fullmatch(rest):
        key, tail = quoted["key"].replace("''", "'"), quoted["rest"]
    else:
        key, tail = rest, ""
    found = KEY.match(key)
    if not found:
        return None
    name = found["name"] or ""
    node = Node(found["role"], json.loads(name, strict=False) if name[:1] == '"' else name)
    end = found.end()
    states: dict[str, str] = {}
    while state := STATE.match(key, end + 1):
        states[state[1]] = state[2] or "true"
        end = state.end()
    node.ref = states.pop("ref", "")
    node.states = states
    node.text = _scalar((tail or key[end:]).removeprefix(":").strip())
    return node


def _tell(node: Node, name: str, said: str) -> None:
    if name == "url":
        node.url = said
    elif name == "placeholder":
        node.placeholder = said


def _scalar(text: str) -> str:
    """A plain or quoted scalar."""
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        try:
            return str(json.loads(text, strict=False))
        except json.JSONDecodeError:
            return text[1:-1]
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    return text
