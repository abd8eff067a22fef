"""Lines of a page in words: elements in brackets with their refs, long texts cut."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.browsing.page.aria import CELL_ROLES, Node
from forager.browsing.page.controls import CONTAINER_ROLES, CONTROL_ROLES, control_name, field_value
from forager.browsing.page.lines import Line, Piece, Section, has_alphanumeric
from forager.prompts.escaping import FENCE_MARK, INSTRUCTION_MARK, TEMPLATE_MARK
from forager.prompts.sections import ENTRY_MARK
from forager.text.tokens import tokenize
from forager.text.unicode import break_marks, strip_invisible

ELEMENT_MARK = re.compile(r"\[(?=\s*(?:f\d+)?e\d)", re.IGNORECASE)
"""What text of a page must not begin an element of ours with."""
SHOWN_STATES = ("checked", "selected", "pressed", "expanded", "disabled", "active", "invalid")
OMITTED_ROLES = frozenset({"link", *CONTAINER_ROLES})
CLICKABLE_TEXT_ROLES = frozenset(
    {"img", "listitem", "gridcell", "columnheader", "rowheader", *CONTAINER_ROLES}
)
MAX_CLICKABLE_TEXT = 40
"""Characters of a text that may be there to be clicked though it is no element."""
NAME_WIDTH = 80
"""Characters of an element's name."""
HEADING_WIDTH = 48
"""Characters of a heading above."""
VALUE_WIDTH = 60
MAX_OPTIONS = 8
CONTEXT_WORDS = (8, 16, 32)
"""Words that are kept on both sides of one that is asked for: a few of each, more if they fit."""
ELLIPSIS = "…"
TermWeights = Mapping[str, float]


class RenderedLine(NamedTuple):
    """A line in words, and the refs in it; a `bare` one is nothing but elements."""

    text: str
    refs: tuple[str, ...]
    bare: bool


def plain_text(text: str) -> str:
    """A text in one line that cannot pass for an element, nor when it is cut for another mark."""
    return break_marks(
        " ".join(strip_invisible(text).split()),
        ELEMENT_MARK,
        ENTRY_MARK,
        FENCE_MARK,
        TEMPLATE_MARK,
        INSTRUCTION_MARK,
    )


def render_line(
    line: Line, asked: TermWeights, width: int, *, of: str = "", texts: bool = False
) -> RenderedLine:
    """A line within so many characters, around what is asked; with `texts` they have refs too.

    `of` is what tells its elements from others that are called alike.
    """
    atoms: list[str] = []
    refs: list[str] = []
    for before, piece, after in _with_neighbours(_informative_pieces(line)):
        if piece.actionable or (texts and _may_be_clickable(piece) and piece.node.ref not in refs):
            atoms.append(render_element(piece, asked))
            refs.append(piece.node.ref)
        elif not _repeats_name(piece, before) and not _repeats_name(piece, after):
            atoms += plain_text(piece.text).split(" ")
    kept = _clip_words(atoms, asked, width)
    shown = tuple(ref for ref in refs if re.search(rf"\[{ref}[ \]]", kept))
    bare = all(piece.actionable for piece in line.pieces) and len(shown) == len(refs)
    return RenderedLine(f"{kept} of {plain_text(of)}" if of and bare else kept, shown, bare)


def _may_be_clickable(piece: Piece) -> bool:
    """May a text be there to be clicked?"""
    node = piece.node
    short = len(piece.text) <= MAX_CLICKABLE_TEXT and has_alphanumeric(piece.text)
    return bool(node.ref) and node.role in CLICKABLE_TEXT_ROLES and short


def render_element(piece: Piece, asked: TermWeights) -> str:
    """An element as a prompt shows it."""
    node = piece.node
    role = "" if piece.actionable and node.role in OMITTED_ROLES else node.role
    name = _clip_words(plain_text(piece.text).split(" "), asked, NAME_WIDTH)
    held = _clip_words(plain_text(field_value(node)).split(" "), asked, VALUE_WIDTH)
    said = [f"[{node.ref}", role, name, f"= {held}" if held else "", _render_options(node, asked)]
    states = [state for state in SHOWN_STATES if state in node.states and state != "cursor"]
    return " ".join(filter(None, [*said, *states])) + "]"


def render_header(place: Section, asked: TermWeights) -> str:
    """Where lines stand: the heading or landmark and the one above it."""
    own = render_line(place.line, asked, NAME_WIDTH).text if place.line else _render_landmark(place)
    above = place.parent
    told = above is not None and above.level > 1
    over = (
        _clip_words(plain_text(above.name).split(" "), asked, HEADING_WIDTH)
        if above and told
        else ""
    )
    return f"# {over} › {own}" if over else f"# {own}"


def _render_landmark(place: Section) -> str:
    return " ".join(filter(None, [place.landmark, plain_text(place.name)[:HEADING_WIDTH]]))


def _render_options(node: Node, asked: TermWeights) -> str:
    """The first options of a field, and those that were asked for."""
    if node.role != "combobox":
        return ""
    names = [child.name or child.text for child in node.walk() if child.role == "option"]
    first = sorted(range(len(names)), key=lambda place: (-_text_weight(names[place], asked), place))
    shown = [plain_text(names[place])[:HEADING_WIDTH] for place in sorted(first[:MAX_OPTIONS])]
    more = [f"{ELLIPSIS} {len(names) - MAX_OPTIONS} more"] * (len(names) > MAX_OPTIONS)
    return f"({' | '.join([*shown, *more])})" if shown else ""


def _informative_pieces(line: Line) -> list[Piece]:
    """The pieces that say something: marks beside elements do not."""
    elements = any(piece.actionable for piece in line.pieces)
    return [
        piece
        for piece in line.pieces
        if piece.actionable
        or not elements
        or piece.node.role in CELL_ROLES
        or has_alphanumeric(piece.text)
    ]


def _with_neighbours(pieces: Sequence[Piece]) -> Iterable[tuple[Piece | None, Piece, Piece | None]]:
    return zip([None, *pieces], pieces, [*pieces[1:], None], strict=False)


def _repeats_name(piece: Piece, other: Piece | None) -> bool:
    """Is the text the name of an element beside it?"""
    if other is None or not other.actionable or other.node.role not in CONTROL_ROLES:
        return False
    return piece.text.strip(" :*").casefold() == control_name(other.node).strip(" :*").casefold()


def _text_weight(text: str, asked: TermWeights) -> float:
    return sum(asked.get(term, 0.0) for term in set(tokenize(text))) if asked else 0.0


def _clip_words(atoms: Sequence[str], asked: TermWeights, width: int) -> str:
    """As much as fits: around what is asked, the heaviest first, or else from the beginning."""
    whole = " ".join(atoms)
    if len(whole) <= width:
        return whole
    weights = [_text_weight(atom, asked) for atom in atoms]
    wanted = [at for at, weight in enumerate(weights) if weight]
    wanted.sort(key=lambda at: -weights[at])
    kept: set[int] = set()
    left = width
    for at, around in [(at, by) for by in CONTEXT_WORDS for at in wanted] or [(0, len(atoms))]:
        beside = range(max(0, at - around), min(len(atoms), at + around + 1))
        for near in sorted(beside, key=lambda place: abs(place - at)):
            if near not in kept and len(atoms[near]) < left:
                kept.add(near)
                left -= len(atoms[near]) + 1
    return _join_kept(atoms, sorted(kept)) or f"{whole[: width - 1]}{ELLIPSIS}"


def _join_kept(atoms: Sequence[str], kept: Sequence[int]) -> str:
    pieces: list[str] = []
    for before, at in zip([-1, *kept], kept, strict=False):
        pieces += [ELLIPSIS] * (at > before + 1) + [atoms[at]]
    return " ".join(pieces + [ELLIPSIS] * (bool(kept) and kept[-1] < len(atoms) - 1))
