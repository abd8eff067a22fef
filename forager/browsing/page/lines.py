"""Splits the accessibility tree of a page into lines, each below its heading."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from forager.browsing.page.aria import CELL_ROLES, CONTENT_NAMED_ROLES, ITEM_ROLES, Node
from forager.browsing.page.controls import (
    CONTAINER_ROLES,
    CONTROL_ROLES,
    control_name,
    is_actionable,
    own_words,
)

LANDMARK_ROLES: Final = frozenset(
    """
    navigation banner contentinfo complementary search form dialog alertdialog alert region iframe
    main menu tablist
    """.split()  # noqa: SIM905
)
BLOCK_ROLES: Final = LANDMARK_ROLES | frozenset(
    """
    paragraph heading list listitem table grid treegrid row rowgroup blockquote article status term
    definition group radiogroup tabpanel menubar toolbar tree figure separator document feed log
    caption
    """.split()  # noqa: SIM905
)
ONE_LINE_ROLES: Final = frozenset({"term", "definition", "caption", "option"})
GROUP_ROLES: Final = frozenset({"list", "table", "grid", "treegrid", "tree", "feed", "listbox"})
MAX_ITEM_CHARACTERS = 300
MAX_GROUP_CHARACTERS = 160
SMALL_GROUP_LEAVES = range(2, 11)
"""How many leaves a group may have to fit on one line, such as a label and its buttons."""
DEFAULT_LEVEL = 2
PAIR = 2
CELL_SEPARATOR = "|"


class Piece(NamedTuple):
    """A text, or an element that can be acted on."""

    text: str
    node: Node
    actionable: bool = False


@dataclass(slots=True, eq=False)
class Section:
    """A landmark or a heading, and its parent section; `line` is the line of the heading."""

    name: str
    level: int
    parent: "Section | None" = None
    line: "Line | None" = None
    landmark: str = ""


@dataclass(slots=True, eq=False)
class Line:
    """Pieces that belong together; `group` is the list or table they are in.

    `nodes` are all nodes of the line. `item` is the first line of the list item or the header
    line of the table that the line belongs to.
    """

    section: Section | None
    group: Node
    kind: str = "text"
    pieces: list[Piece] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    item: "Line | None" = None

    def text(self) -> str:
        """The text of all its pieces."""
        return " ".join(piece.text for piece in self.pieces if piece.text)


@dataclass(slots=True)
class _Scope:
    """How the nodes of a container are split into lines.

    `whole`: all go on one line. `mute`: the text is already known from the element's name.
    `heads`: the first line becomes the `item` of the lines after it.
    """

    group: Node
    line: Line | None = None
    whole: bool = False
    mute: bool = False
    item: Line | None = None
    heads: bool = False


@dataclass(slots=True)
class _NodeSize:
    """Counts over a node and its descendants."""

    characters: int = 0
    leaves: int = 0
    blocks: int = 0
    actionable: int = 0


def page_lines(root: Node) -> list[Line]:
    """The lines of a page in document order, without empty ones."""
    return [line for line in _LineReader(root).lines if _has_content(line)]


def _has_content(line: Line) -> bool:
    return any(piece.actionable or has_alphanumeric(piece.text) for piece in line.pieces)


def has_alphanumeric(text: str) -> bool:
    """Does the text contain a letter or a digit?"""
    return any(map(str.isalnum, text))


class _LineReader:
    """Collects the lines of a tree without recursion, since pages nest deeply."""

    def __init__(self, root: Node) -> None:
        self.lines: list[Line] = []
        self._heads: dict[Node, Line] = {}
        self._place: Section | None = None
        self._sizes = _measure_nodes(root)
        stack: list[tuple[Node | None, _Scope, Section | None]] = [(root, _Scope(root), None)]
        while stack:
            node, scope, section = stack.pop()
            if node is None:
                self._place = section
                continue
            inner = self._enter_node(node, scope)
            if node.role in LANDMARK_ROLES:
                stack.append((None, scope, self._place))
                self._place = Section(node.name, 0, None, None, node.role)
            if inner:
                stack += [(child, inner, None) for child in reversed(node.children)]

    def _enter_node(self, node: Node, scope: _Scope) -> _Scope | None:
        """Add a node's own text; return the scope for its children, or None to skip them."""
        size = self._sizes[node]
        if is_actionable(node) and (
            size.actionable == 1 or size.characters <= MAX_GROUP_CHARACTERS
        ):
            return self._add_element(node, scope, size)
        if node.role == "combobox":  # a combobox without a ref cannot be used
            return None
        if scope.whole:
            return self._enter_inline(node, scope)
        if self._is_inline(node):
            self._open_line(node, scope).nodes.append(node)
            return self._enter_inline(node, _Scope(scope.group, scope.line, whole=True))
        scope.line = None
        group = node if node.role in GROUP_ROLES or _is_long_run(node) else scope.group
        inner = _Scope(group, item=scope.item, heads=node.role in ITEM_ROLES)
        if self._fits_one_line(node):
            inner.whole = True
            self._open_line(node, inner)
            return self._enter_inline(node, inner)
        if is_actionable(node):
            self._open_line(node, inner).pieces.append(Piece("", node, actionable=True))
        self._add_text(node, inner)
        return inner

    def _add_element(self, node: Node, scope: _Scope, size: _NodeSize) -> _Scope | None:
        """Add an element; of an element that wraps a single other, only one is added."""
        own = own_words(node)
        around = size.actionable == PAIR and not own
        if around and node.role not in CONTROL_ROLES and node.role != "link":
            return _Scope(scope.group, scope.line, scope.whole, scope.mute)
        apart = not scope.whole and node.role in CONTAINER_ROLES and size.leaves > 1
        scope.line = None if apart else scope.line
        line = self._open_line(node, scope)
        line.nodes += node.walk() if size.leaves <= MAX_GROUP_CHARACTERS else [node]
        scope.line = None if apart else scope.line
        if size.actionable == 1 or node.role == "combobox" or (around and _holds_same_target(node)):
            line.pieces.append(Piece(control_name(node), node, actionable=True))
            return None
        line.pieces.append(Piece(own, node, actionable=True))
        return _Scope(scope.group, line, whole=True, mute=True)

    def _enter_inline(self, node: Node, scope: _Scope) -> _Scope:
        """Add a node's text to the current line, unless elements inside it already say its name."""
        if node.role in CELL_ROLES and scope.line and scope.line.pieces:
            scope.line.pieces.append(Piece(CELL_SEPARATOR, node))
        known = bool(node.name) and node.role in CONTENT_NAMED_ROLES
        if known and self._sizes[node].actionable:
            return scope
        if not scope.mute:
            self._add_text(node, scope)
        return _Scope(scope.group, scope.line, True, scope.mute or known)

    def _add_text(self, node: Node, scope: _Scope) -> None:
        text = node.name if node.role in CONTENT_NAMED_ROLES or node.role == "img" else ""
        if text := text or node.text:
            line = self._open_line(node, scope)
            line.nodes.append(node)
            source = node.parent if node.role == "text" and node.parent else node
            line.pieces.append(Piece(text, source))

    def _open_line(self, node: Node, scope: _Scope) -> Line:
        """The current line of the scope, or a new one."""
        if scope.line is None:
            scope.line = Line(self._place, scope.group, item=scope.item)
            if scope.heads:
                scope.item, scope.heads = scope.line, False
            if any(child.role == "columnheader" for child in node.children):
                self._heads[scope.group] = scope.line
            scope.line.item = scope.line.item or self._heads.get(scope.group)
            if node.role == "heading":
                self._start_section(node, scope.line)
            elif node.role in ITEM_ROLES:
                scope.line.kind = node.role
            self.lines.append(scope.line)
        return scope.line

    def _start_section(self, node: Node, line: Line) -> None:
        written = node.states.get("level", "")
        level = int(written) if written.isdecimal() else DEFAULT_LEVEL
        parent = self._place
        while parent and parent.level >= level:
            parent = parent.parent
        self._place = line.section = Section(
            node.text_content(MAX_GROUP_CHARACTERS), level, parent, line
        )
        line.kind = "heading"

    def _is_inline(self, node: Node) -> bool:
        if node.role in BLOCK_ROLES or node.role in CELL_ROLES:
            return False
        if node.role not in CONTAINER_ROLES:
            return True
        mixed = any(each.role == "text" for each in node.parent.children) if node.parent else False
        return mixed and not self._sizes[node].blocks

    def _fits_one_line(self, node: Node) -> bool:
        """Does the whole content of the node go on one line?"""
        size = self._sizes[node]
        if node.role in {"paragraph", "heading"}:
            return True
        if size.blocks > (node.role in BLOCK_ROLES):
            return False
        if node.role in ITEM_ROLES or node.role in CELL_ROLES:
            return size.characters <= MAX_ITEM_CHARACTERS
        if node.role not in CONTAINER_ROLES:
            return node.role in ONE_LINE_ROLES
        if not node.children or any(child.role == "text" for child in node.children):
            return True
        small = size.leaves in SMALL_GROUP_LEAVES and size.characters <= MAX_GROUP_CHARACTERS
        return small and bool(size.actionable) and _has_similar_sibling(node)


def _holds_same_target(node: Node) -> bool:
    """Is the only actionable element inside it a link or a clickable area, with the same effect?"""
    inner = next(each for each in node.walk() if each is not node and is_actionable(each))
    return inner.role == "link" or inner.role in CONTAINER_ROLES


def _is_long_run(node: Node) -> bool:
    """Does a container without a role of its own hold a long run of children?"""
    return len(node.children) > SMALL_GROUP_LEAVES.stop and node.role in CONTAINER_ROLES


def _has_similar_sibling(node: Node) -> bool:
    """Does it have a sibling of the same structure?"""
    siblings = node.parent.children if node.parent else []
    shape = [child.role for child in node.children]
    return any(
        sibling is not node and [child.role for child in sibling.children] == shape
        for sibling in siblings
    )


def _measure_nodes(root: Node) -> dict[Node, _NodeSize]:
    nodes = list(root.walk())
    sizes = {node: _NodeSize() for node in nodes}
    for node in reversed(nodes):
        size = sizes[node]
        size.characters += len(node.name or node.text)
        size.leaves += not node.children
        size.blocks += node.role in BLOCK_ROLES
        size.actionable += is_actionable(node)
        if node.parent is not None and node is not root:
            parent_size = sizes[node.parent]
            parent_size.characters += size.characters
            parent_size.leaves += size.leaves
            parent_size.blocks += size.blocks
            parent_size.actionable += size.actionable
    return sizes
