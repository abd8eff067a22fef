"""What a model sees of a page: its most relevant lines, within a token budget."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from forager.browsing.page.aria import Node, parse_aria
from forager.browsing.page.line_text import (
    ELLIPSIS,
    RenderedLine,
    TermWeights,
    render_header,
    render_line,
)
from forager.browsing.page.lines import Line, Piece, Section, page_lines
from forager.browsing.page.relevance import (
    changed_nodes,
    line_relevances,
    line_scores,
    terms_in,
    weigh_by_rarity,
)
from forager.domain.base import Frozen
from forager.domain.browser import Snapshot
from forager.prompts.sections import Item
from forager.prompts.token_count import estimate_tokens
from forager.text.tokens import keywords

MAX_TOKENS: Final = 1400
"""The most tokens of an observation."""
MAX_SHARE: Final = 0.23
"""The largest share of a snapshot's tokens that an observation may take."""
MIN_TOKENS: Final = 110
"""Tokens that an observation may always take, however small the page."""
CHARACTERS_PER_TOKEN = 3.5
"""Characters per token of a snapshot, approximately; used for long snapshots."""
WIDE_LINE, NARROW_LINE = 500, 180
"""The most characters of a relevant line, and of any other line."""
MAX_SILENT_OMISSIONS = 2
"""The most items that may be left out of a list without a note."""
LINE_END_TOKENS, NOTE_TOKENS, REST_TOKENS = 1.7, 5.0, 24.0
"""Tokens of a line besides its words, of a note on a list's rest, and of the page's rest."""
LINES_BEFORE, ITEM_WIDTH = 4, 32
"""How many lines before an element may distinguish it from namesakes, and how many characters."""
NOTE_RELEVANCE = 100.0
MAX_ELEMENTS_PER_LINE, SHORT_ELEMENT = 6, 40
"""Up to 6 consecutive elements of a list share a line if each has at most 40 characters."""


class Observation(Frozen):
    """Lines for a prompt in document order, the refs they show, and how many were left out."""

    lines: tuple[Item, ...]
    shown: frozenset[str] = frozenset()
    left_out: int = 0


def weigh_terms(
    texts: Iterable[str], weights: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The index terms of texts with their known weights; other terms weigh 1."""
    weights = weights or {}
    return {term: weights.get(term, 1.0) for text in texts for term in keywords(text)}


def observe(
    snapshot: Snapshot,
    before: Snapshot | None = None,
    asked: TermWeights | None = None,
    budget: int = MAX_TOKENS,
) -> Observation:
    """Show a page in at most `budget` tokens, and at most `MAX_SHARE` of the snapshot's tokens.

    `asked` weighs index terms (see `weigh_terms`). Lines that are new since `before` are marked
    with a star.
    """
    root = parse_aria(snapshot.tree)
    lines = page_lines(root)
    changed = changed_nodes(root, parse_aria(before.tree)) if before else frozenset()
    terms = [terms_in(line) for line in lines]
    weights = weigh_by_rarity(terms, asked or {})
    relevance = line_relevances(lines, terms, weights)
    ranks = line_scores(lines, relevance, changed)
    limit = min(budget, max(MIN_TOKENS, round(MAX_SHARE * _snapshot_tokens(snapshot.tree))))
    selection = _LineSelection(lines, weights, limit)
    for at in sorted(range(len(lines)), key=lambda place: (-ranks[place], place)):
        if not selection.take_line(at, WIDE_LINE if relevance[at] else NARROW_LINE):
            break
    shown = (
        selection.with_refs()
        if len(selection.words) == len(lines)
        else selection.with_room_for_rest()
    )
    return Observation(
        lines=(
            *_render_items(lines, ranks, shown, weights, changed),
            *_describe_rest(lines, shown, snapshot),
        ),
        shown=frozenset(ref for each in shown.values() for ref in each.refs),
        left_out=len(lines) - len(shown),
    )


def _snapshot_tokens(tree: str) -> float:
    enough = MAX_TOKENS / MAX_SHARE * CHARACTERS_PER_TOKEN * 2
    return len(tree) / CHARACTERS_PER_TOKEN if len(tree) > enough else estimate_tokens(tree)


class _LineSelection:
    """The lines selected so far, by position, and the rest of the token budget."""

    def __init__(self, found: Sequence[Line], weights: TermWeights, limit: int) -> None:
        self.words: dict[int, RenderedLine] = {}
        self._found = found
        self._weights = weights
        self._headed: set[Section | None] = {None}
        self._groups: set[Node] = set()
        self._costs: dict[int, float] = {}
        self._left = limit - LINE_END_TOKENS
        self._names = Counter(
            _role_and_name(piece) for line in found for piece in line.pieces if piece.actionable
        )

    def take_line(self, at: int, width: int) -> bool:
        """Take a line if it fits; returns whether there may be room for another."""
        line = self._found[at]
        words = render_line(line, self._weights, width, of=self._distinguishing_text(at))
        heads = line.kind == "heading"
        cost = 0.0 if heads else estimate_tokens(words.text) + LINE_END_TOKENS
        if line.section and line.section not in self._headed:
            cost += estimate_tokens(render_header(line.section, self._weights)) + LINE_END_TOKENS
        cost += NOTE_TOKENS * (line.group.parent is not None and line.group not in self._groups)
        if cost <= self._left:
            self._left -= cost
            self.words[at] = words
            self._costs[at] = cost
            self._headed.add(line.section)
            self._groups.add(line.group)
        return self._left > LINE_END_TOKENS * 3

    def with_refs(self) -> dict[int, RenderedLine]:
        """The lines with refs for texts too, where there is room: they may be clickable."""
        lines = dict(self.words)
        for at, words in self.words.items():
            with_texts = render_line(
                self._found[at],
                self._weights,
                WIDE_LINE,
                of=self._distinguishing_text(at),
                texts=True,
            )
            cost = estimate_tokens(with_texts.text) - estimate_tokens(words.text)
            if self._found[at].kind != "heading" and cost <= self._left:
                lines[at] = with_texts
                self._left -= cost
        return lines

    def with_room_for_rest(self) -> dict[int, RenderedLine]:
        """The lines without the last ones, so that there is room for the note on the rest."""
        lines = dict(self.words)
        while self._left < REST_TOKENS and len(lines) > 1:
            self._left += self._costs[lines.popitem()[0]]
        return lines

    def _distinguishing_text(self, at: int) -> str:
        """For elements with namesakes: the text of their item, or of the line before them."""
        line = self._found[at]
        if not self._has_namesake(line):
            return ""
        before = [
            each
            for each in self._found[max(0, at - LINES_BEFORE) : at]
            if not self._has_namesake(each)
        ]
        candidates = [
            each for each in before if each.section is line.section and each.group is line.group
        ]
        item = line.item or next(reversed(candidates), None)
        return item.text()[:ITEM_WIDTH] if item else ""

    def _has_namesake(self, line: Line) -> bool:
        acting = [piece for piece in line.pieces if piece.actionable and piece.text]
        return any(self._names[_role_and_name(piece)] > 1 for piece in acting)


def _role_and_name(piece: Piece) -> tuple[str, str]:
    return piece.node.role, piece.text


class _ItemWriter:
    """Writes lines as items of a prompt."""

    def __init__(self, weights: TermWeights) -> None:
        self.items: list[Item] = []
        self._weights = weights
        self._place: Section | None = None
        self._open = 0
        self._group: tuple[object, ...] = ()

    def put_line(self, line: Line, words: RenderedLine, worth: float, *, new: bool) -> None:
        """Add a line below its heading; short elements of a list share a line."""
        if line.section is not self._place:
            self._place = line.section
            if line.section:
                self._add_item(render_header(line.section, self._weights), worth)
        if line.kind == "heading":
            return
        single = words.bare and len(words.text) <= SHORT_ELEMENT
        group = (line.group, line.section, new)
        if single and group == self._group and self._open < MAX_ELEMENTS_PER_LINE:
            last = self.items[-1]
            relevance = max(worth, last.relevance)
            self.items[-1] = Item(text=f"{last.text} {words.text}", relevance=relevance)
            self._open += 1
            return
        self._add_item(f"{'*' if new else '-'} {words.text}", worth)
        self._group, self._open = (group, 1) if single else ((), 0)

    def put_note(self, text: str, worth: float) -> None:
        """Add a note of our own."""
        self._add_item(f"{ELLIPSIS} {text}", worth)

    def _add_item(self, text: str, worth: float) -> None:
        self.items.append(Item(text=text, relevance=worth))
        self._group, self._open = (), 0


def _render_items(
    found: Sequence[Line],
    worth: Sequence[float],
    shown: Mapping[int, RenderedLine],
    weights: TermWeights,
    new: frozenset[Node],
) -> Iterator[Item]:
    """The lines with their headings, and how many items of each list are left out."""
    page = _ItemWriter(weights)
    groups = Counter(found[at].group for at in shown if found[at].group.parent)
    hidden = Counter(line.group for at, line in enumerate(found) if at not in shown)
    for at in sorted(shown):
        line = found[at]
        page.put_line(line, shown[at], worth[at], new=not new.isdisjoint(line.nodes))
        groups[line.group] -= 1
        if not groups[line.group] and hidden[line.group] > MAX_SILENT_OMISSIONS:
            page.put_note(f"{hidden[line.group]} more", worth[at])
    yield from page.items


def _describe_rest(
    found: Sequence[Line], shown: Mapping[int, RenderedLine], snapshot: Snapshot
) -> Iterator[Item]:
    """Notes on the lines that are left out, and on how far the window can be scrolled."""
    hidden = [line for at, line in enumerate(found) if at not in shown]
    elements = sum(piece.actionable for line in hidden for piece in line.pieces)
    if hidden:
        note = f"{len(hidden)} lines with {elements} elements are left out: find them by words"
        yield Item(text=f"{ELLIPSIS} {note}", relevance=NOTE_RELEVANCE)
    if snapshot.above or snapshot.below:
        note = f"the window can be scrolled {snapshot.above} px up, {snapshot.below} px down"
        yield Item(text=f"{ELLIPSIS} {note}", relevance=NOTE_RELEVANCE)
