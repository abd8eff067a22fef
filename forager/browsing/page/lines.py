"""A page as lines: what stands together in its accessibility tree, below which headings."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from forager.browsing.page.aria import CELLS, ITEMS, NAMED_BY_CONTENT, Node
from forager.browsing.page.controls import CONTROLS, PLAIN, acts, called, own_words

LANDMARKS: Final = frozenset(
    """
    navigation banner contentinfo complementary search form dialog alertdialog alert region iframe
    main menu tablist
    """.split()  # noqa: SIM905
)
BLOCKS: Final = LANDMARKS | frozenset(
    """
    paragraph heading list listitem table grid treegrid row rowgroup blockquote article status term
    definition group radiogroup tabpanel menubar toolbar tree figure separator document feed log
    caption
    """.split()  # noqa: SIM905
)
WHOLE: Final = frozenset({"term", "definition", "caption", "option"})
GROUPS: Final = frozenset({"list", "table", "grid", "treegrid", "tree", "feed", "listbox"})
ITEM_CHARACTERS = 300
GROUP_CHARACTERS = 160
LEAVES = range(2, 11)
"""Of a small group that is shown in a line: a label and its buttons."""
USUAL_LEVEL = 2
PAIR = 2
BETWEEN_CELLS = "|"


class Piece(NamedTuple):
    """A text, or an element that can be acted on; `node` has its ref, if it has one."""

    text: str
    node: Node
    acts: bool = False


@dataclass(slots=True, eq=False)
class Place:
    """A landmark or a heading and what is above it; `line` is the heading's own."""

    name: str
    level: int
    above: "Place | None" = None
    line: "Line | None" = None
    landmark: str = ""


@dataclass(slots=True, eq=False)
class Line:
    """What stands together; `group` is the list or table it is of, `nodes` all that is in it.

    `item` is the line of the list's item that it stands below.
    """

    place: Place | None
    group: Node
    kind: str = "text"
    pieces: list[Piece] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    item: "Line | None" = None

    def text(self) -> str:
        """All that it says."""
        return " ".join(piece.text for piece in self.pieces if piece.text)


@dataclass(slots=True)
class _Scope:
    """Where lines of a container go; `whole`: all in one line, `mute`: its words are known.

    The first line of a scope that `heads` is the item of those after it.
    """

    group: Node
    line: Line | None = None
    whole: bool = False
    mute: bool = False
    item: Line | None = None
    heads: bool = False


@dataclass(slots=True)
class _Size:
    """What is in a node, itself included."""

    characters: int = 0
    leaves: int = 0
    blocks: int = 0
    acting: int = 0


def lines(root: Node) -> list[Line]:
    """The lines of a page in its order, empty ones left out."""
    return [line for line in _Layout(root).made if _tells(line)]


def _tells(line: Line) -> bool:
    return any(piece.acts or says(piece.text) for piece in line.pieces)


def says(text: str) -> bool:
    """Is there a letter or a digit in it?"""
    return any(map(str.isalnum, text))


class _Layout:
    """Goes through a tree without recursion, for pages nest deeply."""

    def __init__(self, root: Node) -> None:
        self.made: list[Line] = []
        self._heads: dict[Node, Line] = {}
        self._place: Place | None = None
        self._sizes = _sizes(root)
        waiting: list[tuple[Node | None, _Scope, Place | None]] = [(root, _Scope(root), None)]
        while waiting:
            node, scope, place = waiting.pop()
            if node is None:
                self._place = place
                continue
            inner = self._enter(node, scope)
            if node.role in LANDMARKS:
                waiting.append((None, scope, self._place))
                self._place = Place(node.name, 0, None, None, node.role)
            if inner:
                waiting += [(child, inner, None) for child in reversed(node.children)]

    def _enter(self, node: Node, scope: _Scope) -> _Scope | None:
        """Put down what a node says itself; where its children go, if they are to be shown."""
        size = self._sizes[node]
        if acts(node) and (size.acting == 1 or size.characters <= GROUP_CHARACTERS):
            return self._element(node, scope, size)
        if node.role == "combobox":  # one that was not given a ref
            return None
        if scope.whole:
            return self._within(node, scope)
        if self._inline(node):
            self._open(node, scope).nodes.append(node)
            return self._within(node, _Scope(scope.group, scope.line, whole=True))
        scope.line = None
        group = node if node.role in GROUPS or _many(node) else scope.group
        inner = _Scope(group, item=scope.item, heads=node.role in ITEMS)
        if self._whole(node):
            inner.whole = True
            self._open(node, inner)
            return self._within(node, inner)
        if acts(node):
            self._open(node, inner).pieces.append(Piece("", node, acts=True))
        self._say(node, inner)
        return inner

    def _element(self, node: Node, scope: _Scope, size: _Size) -> _Scope | None:
        """An element; one around a single other is taken for it, or the other for it."""
        own = own_words(node)
        around = size.acting == PAIR and not own
        if around and node.role not in CONTROLS and node.role != "link":
            return _Scope(scope.group, scope.line, scope.whole, scope.mute)
        apart = not scope.whole and node.role in PLAIN and size.leaves > 1
        scope.line = None if apart else scope.line
        line = self._open(node, scope)
        line.nodes += node.walk() if size.leaves <= GROUP_CHARACTERS else [node]
        scope.line = None if apart else scope.line
        if size.acting == 1 or node.role == "combobox" or (around and _nothing_else(node)):
            line.pieces.append(Piece(called(node), node, acts=True))
            return None
        line.pieces.append(Piece(own, node, acts=True))
        return _Scope(scope.group, line, whole=True, mute=True)

    def _within(self, node: Node, scope: _Scope) -> _Scope:
        """What a node adds to its line; where it holds elements, they say its name."""
        if node.role in CELLS and scope.line and scope.line.pieces:
            scope.line.pieces.append(Piece(BETWEEN_CELLS, node))
        known = bool(node.name) and node.role in NAMED_BY_CONTENT
        if known and self._sizes[node].acting:
            return scope
        if not scope.mute:
            self._say(node, scope)
        return _Scope(scope.group, scope.line, True, scope.mute or known)

    def _say(self, node: Node, scope: _Scope) -> None:
        text = node.name if node.role in NAMED_BY_CONTENT or node.role == "img" else ""
        if text := text or node.text:
            line = self._open(node, scope)
            line.nodes.append(node)
            held = node.parent if node.role == "text" and node.parent else node
            line.pieces.append(Piece(text, held))

    def _open(self, node: Node, scope: _Scope) -> Line:
        """The line that is being written, or a new one."""
        if scope.line is None:
            scope.line = Line(self._place, scope.group, item=scope.item)
            if scope.heads:
                scope.item, scope.heads = scope.line, False
            if any(child.role == "columnheader" for child in node.children):
                self._heads[scope.group] = scope.line
            scope.line.item = scope.line.item or self._heads.get(scope.group)
            if node.role == "heading":
                self._head(node, scope.line)
            elif node.role in ITEMS:
                scope.line.kind = node.role
            self.made.append(scope.line)
        return scope.line

    def _head(self, node: Node, line: Line) -> None:
        said = node.states.get("level", "")
        level = int(said) if said.isdecimal() else USUAL_LEVEL
        above = self._place
        while above and above.level >= level:
            above = above.above
        self._place = line.place = Place(node.words(GROUP_CHARACTERS), level, above, line)
        line.kind = "heading"

    def _inline(self, node: Node) -> bool:
        if node.role in BLOCKS or node.role in CELLS:
            return False
        if node.role not in PLAIN:
            return True
        mixed = any(each.role == "text" for each in node.parent.children) if node.parent else False
        return mixed and not self._sizes[node].blocks

    def _whole(self, node: Node) -> bool:
        """Is all that is in it one line?"""
        size = self._sizes[node]
        if node.role in {"paragraph", "heading"}:
            return True
        if size.blocks > (node.role in BLOCKS):
            return False
        if node.role in ITEMS or node.role in CELLS:
            return size.characters <= ITEM_CHARACTERS
        if node.role not in PLAIN:
            return node.role in WHOLE
        if not node.children or any(child.role == "text" for child in node.children):
            return True
        small = size.leaves in LEAVES and size.characters <= GROUP_CHARACTERS
        return small and bool(size.acting) and _repeated(node)


def _nothing_else(node: Node) -> bool:
    """Is the one element in it a link or an area, which does the same?"""
    inner = next(each for each in node.walk() if each is not node and acts(each))
    return inner.role == "link" or inner.role in PLAIN


def _many(node: Node) -> bool:
    """Does a nameless container hold a long run of the same?"""
    return len(node.children) > LEAVES.stop and node.role in PLAIN


def _repeated(node: Node) -> bool:
    """Are there others like it beside it?"""
    beside = node.parent.children if node.parent else []
    shape = [child.role for child in node.children]
    return any(
        each is not node and [child.role for child in each.children] == shape for each in beside
    )


def _sizes(root: Node) -> dict[Node, _Size]:
    order = list(root.walk())
    sizes = {node: _Size() for node in order}
    for node in reversed(order):
        size = sizes[node]
        size.characters += len(node.name or node.text)
        size.leaves += not node.children
        size.blocks += node.role in BLOCKS
        size.acting += acts(node)
        if node.parent is not None and node is not root:
            above = sizes[node.parent]
            above.characters += size.characters
            above.leaves += size.leaves
            above.blocks += size.blocks
            above.acting += size.acting
    return sizes
