"""Lines of a page in words: elements in brackets with their refs, long texts cut."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.browsing.page.aria import CELLS, Node
from forager.browsing.page.controls import CONTROLS, PLAIN, called, standing
from forager.browsing.page.lines import Line, Piece, Place, says
from forager.prompts.escaping import FENCE_MARK, INSTRUCTION_MARK, TEMPLATE_MARK
from forager.prompts.sections import ENTRY_MARK
from forager.text.tokens import tokenize
from forager.text.unicode import break_marks, strip_invisible

MARK = re.compile(r"\[(?=\s*(?:f\d+)?e\d)", re.IGNORECASE)
"""What text of a page must not begin an element of ours with."""
STATES = ("checked", "selected", "pressed", "expanded", "disabled", "active", "invalid")
UNSAID = frozenset({"link", *PLAIN})
CLICKED = frozenset({"img", "listitem", "gridcell", "columnheader", "rowheader", *PLAIN})
SHORT = 40
"""Characters of a text that may be there to be clicked though it is no element."""
NAME = 80
"""Characters of an element's name."""
PLACE = 48
"""Characters of a heading above."""
VALUE = 60
OPTIONS = 8
AROUND = (8, 16, 32)
"""Words that are kept on both sides of one that is asked for: a few of each, more if they fit."""
GAP = "…"
Weights = Mapping[str, float]


class Worded(NamedTuple):
    """A line in words, and the refs in it; a `bare` one is nothing but elements."""

    text: str
    refs: tuple[str, ...]
    bare: bool


def plain(text: str) -> str:
    """A text in one line that cannot pass for an element, nor when it is cut for another mark."""
    return break_marks(
        " ".join(strip_invisible(text).split()),
        MARK,
        ENTRY_MARK,
        FENCE_MARK,
        TEMPLATE_MARK,
        INSTRUCTION_MARK,
    )


def worded(line: Line, asked: Weights, width: int, *, of: str = "", texts: bool = False) -> Worded:
    """A line within so many characters, around what is asked; with `texts` they have refs too.

    `of` is what tells its elements from others that are called alike.
    """
    atoms: list[str] = []
    refs: list[str] = []
    for before, piece, after in _beside(_told(line)):
        if piece.acts or (texts and _pointed(piece) and piece.node.ref not in refs):
            atoms.append(element(piece, asked))
            refs.append(piece.node.ref)
        elif not _repeats(piece, before) and not _repeats(piece, after):
            atoms += plain(piece.text).split(" ")
    kept = _within(atoms, asked, width)
    shown = tuple(ref for ref in refs if re.search(rf"\[{ref}[ \]]", kept))
    bare = all(piece.acts for piece in line.pieces) and len(shown) == len(refs)
    return Worded(f"{kept} of {plain(of)}" if of and bare else kept, shown, bare)


def _pointed(piece: Piece) -> bool:
    """May a text be there to be clicked?"""
    node = piece.node
    short = len(piece.text) <= SHORT and says(piece.text)
    return bool(node.ref) and node.role in CLICKED and short


def element(piece: Piece, asked: Weights) -> str:
    """An element as a prompt shows it."""
    node = piece.node
    role = "" if piece.acts and node.role in UNSAID else node.role
    name = _within(plain(piece.text).split(" "), asked, NAME)
    held = _within(plain(standing(node)).split(" "), asked, VALUE)
    said = [f"[{node.ref}", role, name, f"= {held}" if held else "", _options(node, asked)]
    states = [state for state in STATES if state in node.states and state != "cursor"]
    return " ".join(filter(None, [*said, *states])) + "]"


def header(place: Place, asked: Weights) -> str:
    """Where lines stand: the heading or landmark and the one above it."""
    own = worded(place.line, asked, NAME).text if place.line else _landmark(place)
    above = place.above
    told = above is not None and above.level > 1
    over = _within(plain(above.name).split(" "), asked, PLACE) if above and told else ""
    return f"# {over} › {own}" if over else f"# {own}"


def _landmark(place: Place) -> str:
    return " ".join(filter(None, [place.landmark, plain(place.name)[:PLACE]]))


def _options(node: Node, asked: Weights) -> str:
    """The first options of a field, and those that were asked for."""
    if node.role != "combobox":
        return ""
    names = [child.name or child.text for child in node.walk() if child.role == "option"]
    first = sorted(range(len(names)), key=lambda place: (-_weight(names[place], asked), place))
    shown = [plain(names[place])[:PLACE] for place in sorted(first[:OPTIONS])]
    more = [f"{GAP} {len(names) - OPTIONS} more"] * (len(names) > OPTIONS)
    return f"({' | '.join([*shown, *more])})" if shown else ""


def _told(line: Line) -> list[Piece]:
    """The pieces that say something: marks beside elements do not."""
    elements = any(piece.acts for piece in line.pieces)
    return [
        piece
        for piece in line.pieces
        if piece.acts or not elements or piece.node.role in CELLS or says(piece.text)
    ]


def _beside(pieces: Sequence[Piece]) -> Iterable[tuple[Piece | None, Piece, Piece | None]]:
    return zip([None, *pieces], pieces, [*pieces[1:], None], strict=False)


def _repeats(piece: Piece, other: Piece | None) -> bool:
    """Is the text the name of an element beside it?"""
    if other is None or not other.acts or other.node.role not in CONTROLS:
        return False
    return piece.text.strip(" :*").casefold() == called(other.node).strip(" :*").casefold()


def _weight(text: str, asked: Weights) -> float:
    return sum(asked.get(term, 0.0) for term in set(tokenize(text))) if asked else 0.0


def _within(atoms: Sequence[str], asked: Weights, width: int) -> str:
    """As much as fits: around what is asked, the heaviest first, or else from the beginning."""
    whole = " ".join(atoms)
    if len(whole) <= width:
        return whole
    weights = [_weight(atom, asked) for atom in atoms]
    wanted = [at for at, weight in enumerate(weights) if weight]
    wanted.sort(key=lambda at: -weights[at])
    kept: set[int] = set()
    left = width
    for at, around in [(at, by) for by in AROUND for at in wanted] or [(0, len(atoms))]:
        beside = range(max(0, at - around), min(len(atoms), at + around + 1))
        for near in sorted(beside, key=lambda place: abs(place - at)):
            if near not in kept and len(atoms[near]) < left:
                kept.add(near)
                left -= len(atoms[near]) + 1
    return _joined(atoms, sorted(kept)) or f"{whole[: width - 1]}{GAP}"


def _joined(atoms: Sequence[str], kept: Sequence[int]) -> str:
    pieces: list[str] = []
    for before, at in zip([-1, *kept], kept, strict=False):
        pieces += [GAP] * (at > before + 1) + [atoms[at]]
    return " ".join(pieces + [GAP] * (bool(kept) and kept[-1] < len(atoms) - 1))
