"""Renders lines of a page as text: elements in brackets with their refs, long texts shortened."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.browsing.page.aria import CELL_ROLES, Node
from forager.browsing.page.controls import CONTAINER_ROLES, CONTROL_ROLES, control_name, field_value
from forager.browsing.page.lines import Line, Piece, Section, has_alphanumeric
from forager.prompts.sections import ENTRY_MARK, FENCE_MARK, INSTRUCTION_MARK, TEMPLATE_MARK
from forager.text.tokens import tokenize
from forager.text.unicode import break_marks, strip_invisible

ELEMENT_MARK = re.compile(r"\[(?=\s*(?:f\d+)?e\d)", re.IGNORECASE)
"""The beginning of an element in our notation; text of a page must not contain it."""
SHOWN_STATES = ("checked", "selected", "pressed", "expanded", "disabled", "active", "invalid")
OMITTED_ROLES = frozenset({"link", *CONTAINER_ROLES})
CLICKABLE_TEXT_ROLES = frozenset(
    {"img", "listitem", "gridcell", "columnheader", "rowheader", *CONTAINER_ROLES}
)
MAX_CLICKABLE_TEXT = 40
"""The most characters of a text that may be clickable although it is no control."""
NAME_WIDTH = 80
"""The most characters shown of an element's name."""
HEADING_WIDTH = 48
"""The most characters shown of a parent heading, a landmark or an option."""
VALUE_WIDTH = 60
MAX_OPTIONS = 8
CONTEXT_WORDS = (8, 16, 32)
"""Words kept on both sides of a relevant word: 8 around each, then up to 16 and 32 if they fit."""
ELLIPSIS = "…"
TermWeights = Mapping[str, float]


class RenderedLine(NamedTuple):
    """A line as text, with the refs it shows; a `bare` line consists of elements only."""

    text: str
    refs: tuple[str, ...]
    bare: bool


def plain_text(text: str) -> str:
    """A text on one line, with everything broken up that could pass for our own marks."""
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
    """Render a line in at most `width` characters, keeping the relevant words.

    `of` distinguishes its elements from others with the same name. With `texts`, clickable texts
    get refs too.
    """
    words: list[str] = []
    refs: list[str] = []
    for before, piece, after in _with_neighbours(_informative_pieces(line)):
        if piece.actionable or (texts and _may_be_clickable(piece) and piece.node.ref not in refs):
            words.append(render_element(piece, asked))
            refs.append(piece.node.ref)
        elif not _repeats_name(piece, before) and not _repeats_name(piece, after):
            words += plain_text(piece.text).split(" ")
    kept = _clip_words(words, asked, width)
    shown = tuple(ref for ref in refs if re.search(rf"\[{ref}[ \]]", kept))
    bare = all(piece.actionable for piece in line.pieces) and len(shown) == len(refs)
    return RenderedLine(f"{kept} of {plain_text(of)}" if of and bare else kept, shown, bare)


def _may_be_clickable(piece: Piece) -> bool:
    """May this text be clickable although it is no control?"""
    node = piece.node
    short = len(piece.text) <= MAX_CLICKABLE_TEXT and has_alphanumeric(piece.text)
    return bool(node.ref) and node.role in CLICKABLE_TEXT_ROLES and short


def render_element(piece: Piece, asked: TermWeights) -> str:
    """Render an element in brackets: ref, role, name, value, options and states."""
    node = piece.node
    role = "" if piece.actionable and node.role in OMITTED_ROLES else node.role
    name = _clip_words(plain_text(piece.text).split(" "), asked, NAME_WIDTH)
    content = _clip_words(plain_text(field_value(node)).split(" "), asked, VALUE_WIDTH)
    parts = [
        f"[{node.ref}",
        role,
        name,
        f"= {content}" if content else "",
        _render_options(node, asked),
    ]
    states = [state for state in SHOWN_STATES if state in node.states and state != "cursor"]
    return " ".join(filter(None, [*parts, *states])) + "]"


def render_header(section: Section, asked: TermWeights) -> str:
    """Render the heading or landmark of a section, after its parent heading."""
    own = (
        render_line(section.line, asked, NAME_WIDTH).text
        if section.line
        else _render_landmark(section)
    )
    parent = section.parent
    has_parent = parent is not None and parent.level > 1
    parent_name = (
        _clip_words(plain_text(parent.name).split(" "), asked, HEADING_WIDTH)
        if parent and has_parent
        else ""
    )
    return f"# {parent_name} › {own}" if parent_name else f"# {own}"


def _render_landmark(section: Section) -> str:
    return " ".join(filter(None, [section.landmark, plain_text(section.name)[:HEADING_WIDTH]]))


def _render_options(node: Node, asked: TermWeights) -> str:
    """The first options of a combobox, relevant ones preferred."""
    if node.role != "combobox":
        return ""
    names = [child.name or child.text for child in node.walk() if child.role == "option"]
    order = sorted(
        range(len(names)), key=lambda position: (-_text_weight(names[position], asked), position)
    )
    shown = [
        plain_text(names[position])[:HEADING_WIDTH] for position in sorted(order[:MAX_OPTIONS])
    ]
    more = [f"{ELLIPSIS} {len(names) - MAX_OPTIONS} more"] * (len(names) > MAX_OPTIONS)
    return f"({' | '.join([*shown, *more])})" if shown else ""


def _informative_pieces(line: Line) -> list[Piece]:
    """The pieces that carry information; punctuation beside elements does not."""
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
    """Does the text repeat the name of the element next to it?"""
    if other is None or not other.actionable or other.node.role not in CONTROL_ROLES:
        return False
    return piece.text.strip(" :*").casefold() == control_name(other.node).strip(" :*").casefold()


def _text_weight(text: str, asked: TermWeights) -> float:
    return sum(asked.get(term, 0.0) for term in set(tokenize(text))) if asked else 0.0


def _clip_words(words: Sequence[str], asked: TermWeights, width: int) -> str:
    """Keep the words that fit: around the relevant ones by weight, else from the beginning."""
    whole = " ".join(words)
    if len(whole) <= width:
        return whole
    weights = [_text_weight(atom, asked) for atom in words]
    relevant = [at for at, weight in enumerate(weights) if weight]
    relevant.sort(key=lambda at: -weights[at])
    kept: set[int] = set()
    room = width
    for at, around in [(at, by) for by in CONTEXT_WORDS for at in relevant] or [(0, len(words))]:
        beside = range(max(0, at - around), min(len(words), at + around + 1))
        for position in sorted(beside, key=lambda at_word: abs(at_word - at)):
            if position not in kept and len(words[position]) < room:
                kept.add(position)
                room -= len(words[position]) + 1
    return _join_kept(words, sorted(kept)) or f"{whole[: width - 1]}{ELLIPSIS}"


def _join_kept(words: Sequence[str], kept: Sequence[int]) -> str:
    pieces: list[str] = []
    for before, at in zip([-1, *kept], kept, strict=False):
        pieces += [ELLIPSIS] * (at > before + 1) + [words[at]]
    return " ".join(pieces + [ELLIPSIS] * (bool(kept) and kept[-1] < len(words) - 1))
