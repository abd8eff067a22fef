"""What a model sees of a page: the lines that matter most to it, within a budget of tokens."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from forager.browsing.page.aria import Node, parse
from forager.browsing.page.line_text import GAP, Weights, Worded, header, worded
from forager.browsing.page.lines import Line, Piece, Place, lines
from forager.browsing.page.relevance import fresh, relevances, scores, terms_in, weights_on
from forager.domain.base import Frozen
from forager.domain.browser import Snapshot
from forager.prompts.sections import Item
from forager.prompts.token_count import estimate_tokens
from forager.text.tokens import keywords

BUDGET: Final = 1400
"""Tokens of an observation, at the most."""
SHARE: Final = 0.23
"""Of the tokens of the whole snapshot that an observation may take."""
FLOOR: Final = 110
"""Tokens that the smallest page may take."""
CHARACTERS = 3.5
"""Of a snapshot in a token, about; long ones need not be counted."""
WIDE, NARROW = 500, 180
"""Characters of a line: of one that was asked for, and of another."""
FEW = 2
"""Items that may be missing from a list without a word."""
LINE_END, NOTE, REST = 1.7, 5.0, 24.0
"""Tokens that a line takes beside its words, what is said of a list's rest, and of the page's."""
NEAR, ITEM = 4, 32
"""Lines before an element, and characters of the one, that tell it from others called alike."""
ALWAYS = 100.0
ON_A_LINE, SHORT = 6, 40
"""Short elements of a list that follow one another are put on a line."""


class Observation(Frozen):
    """Lines for a prompt in the page's order, and the refs in them; `left_out` counts lines."""

    lines: tuple[Item, ...]
    shown: frozenset[str] = frozenset()
    left_out: int = 0


def sought(texts: Iterable[str], known: Mapping[str, float] | None = None) -> dict[str, float]:
    """The index terms of what is asked, with the weights that are known, or 1."""
    known = known or {}
    return {term: known.get(term, 1.0) for text in texts for term in keywords(text)}


def observe(
    snapshot: Snapshot,
    before: Snapshot | None = None,
    asked: Weights | None = None,
    budget: int = BUDGET,
) -> Observation:
    """The page in at most `budget` tokens, and in no more than a share of the whole snapshot's.

    `asked` weighs index terms (see `sought`). What is new since `before` is marked with a star.
    """
    root = parse(snapshot.tree)
    found = lines(root)
    new = fresh(root, parse(before.tree)) if before else frozenset()
    terms = [terms_in(line) for line in found]
    weights = weights_on(terms, asked or {})
    relevance = relevances(found, terms, weights)
    worth = scores(found, relevance, new)
    limit = min(budget, max(FLOOR, round(SHARE * _tokens(snapshot.tree))))
    page = _Shown(found, weights, limit)
    for at in sorted(range(len(found)), key=lambda place: (-worth[place], place)):
        if not page.take(at, WIDE if relevance[at] else NARROW):
            break
    shown = page.with_refs() if len(page.words) == len(found) else page.with_rest()
    return Observation(
        lines=(*_items(found, worth, shown, weights, new), *_rest(found, shown, snapshot)),
        shown=frozenset(ref for each in shown.values() for ref in each.refs),
        left_out=len(found) - len(shown),
    )


def _tokens(tree: str) -> float:
    enough = BUDGET / SHARE * CHARACTERS * 2
    return len(tree) / CHARACTERS if len(tree) > enough else estimate_tokens(tree)


class _Shown:
    """The lines that are shown, by their places, and what is left of the budget."""

    def __init__(self, found: Sequence[Line], weights: Weights, limit: int) -> None:
        self.words: dict[int, Worded] = {}
        self._found = found
        self._weights = weights
        self._headed: set[Place | None] = {None}
        self._groups: set[Node] = set()
        self._costs: dict[int, float] = {}
        self._left = limit - LINE_END
        self._names = Counter(_name(piece) for line in found for piece in line.pieces if piece.acts)

    def take(self, at: int, width: int) -> bool:
        """Take a line if it fits; is there room for any more?"""
        line = self._found[at]
        words = worded(line, self._weights, width, of=self._of(at))
        heads = line.kind == "heading"
        cost = 0.0 if heads else estimate_tokens(words.text) + LINE_END
        if line.place and line.place not in self._headed:
            cost += estimate_tokens(header(line.place, self._weights)) + LINE_END
        cost += NOTE * (line.group.parent is not None and line.group not in self._groups)
        if cost <= self._left:
            self._left -= cost
            self.words[at] = words
            self._costs[at] = cost
            self._headed.add(line.place)
            self._groups.add(line.group)
        return self._left > LINE_END * 3

    def with_refs(self) -> dict[int, Worded]:
        """Where there is room, texts get refs too: what can be clicked need not look like it."""
        made = dict(self.words)
        for at, words in self.words.items():
            more = worded(self._found[at], self._weights, WIDE, of=self._of(at), texts=True)
            cost = estimate_tokens(more.text) - estimate_tokens(words.text)
            if self._found[at].kind != "heading" and cost <= self._left:
                made[at] = more
                self._left -= cost
        return made

    def with_rest(self) -> dict[int, Worded]:
        """Where lines are left out, the last ones make room for what is said of that."""
        made = dict(self.words)
        while self._left < REST and len(made) > 1:
            self._left += self._costs[made.popitem()[0]]
        return made

    def _of(self, at: int) -> str:
        """For elements called like others: the item they are in, or what stands before them."""
        line = self._found[at]
        if not self._alike(line):
            return ""
        before = [each for each in self._found[max(0, at - NEAR) : at] if not self._alike(each)]
        near = [each for each in before if each.place is line.place and each.group is line.group]
        item = line.item or next(reversed(near), None)
        return item.text()[:ITEM] if item else ""

    def _alike(self, line: Line) -> bool:
        acting = [piece for piece in line.pieces if piece.acts and piece.text]
        return any(self._names[_name(piece)] > 1 for piece in acting)


def _name(piece: Piece) -> tuple[str, str]:
    return piece.node.role, piece.text


class _Page:
    """The items of a page, as they are put down."""

    def __init__(self, weights: Weights) -> None:
        self.items: list[Item] = []
        self._weights = weights
        self._place: Place | None = None
        self._open = 0
        self._group: tuple[object, ...] = ()

    def put(self, line: Line, words: Worded, worth: float, *, new: bool) -> None:
        """A line below its heading; short elements of a list go on one."""
        if line.place is not self._place:
            self._place = line.place
            if line.place:
                self._add(header(line.place, self._weights), worth)
        if line.kind == "heading":
            return
        single = words.bare and len(words.text) <= SHORT
        group = (line.group, line.place, new)
        if single and group == self._group and self._open < ON_A_LINE:
            last = self.items[-1]
            most = max(worth, last.relevance)
            self.items[-1] = Item(text=f"{last.text} {words.text}", relevance=most)
            self._open += 1
            return
        self._add(f"{'*' if new else '-'} {words.text}", worth)
        self._group, self._open = (group, 1) if single else ((), 0)

    def note(self, text: str, worth: float) -> None:
        """Something of our own."""
        self._add(f"{GAP} {text}", worth)

    def _add(self, text: str, worth: float) -> None:
        self.items.append(Item(text=text, relevance=worth))
        self._group, self._open = (), 0


def _items(
    found: Sequence[Line],
    worth: Sequence[float],
    shown: Mapping[int, Worded],
    weights: Weights,
    new: frozenset[Node],
) -> Iterator[Item]:
    """The lines with their headings; of long runs of the same, how many more there are."""
    page = _Page(weights)
    groups = Counter(found[at].group for at in shown if found[at].group.parent)
    hidden = Counter(line.group for at, line in enumerate(found) if at not in shown)
    for at in sorted(shown):
        line = found[at]
        page.put(line, shown[at], worth[at], new=not new.isdisjoint(line.nodes))
        groups[line.group] -= 1
        if not groups[line.group] and hidden[line.group] > FEW:
            page.note(f"{hidden[line.group]} more", worth[at])
    yield from page.items


def _rest(found: Sequence[Line], shown: Mapping[int, Worded], snapshot: Snapshot) -> Iterator[Item]:
    """What of the page is not here."""
    left = [line for at, line in enumerate(found) if at not in shown]
    elements = sum(piece.acts for line in left for piece in line.pieces)
    if left:
        told = f"{len(left)} lines with {elements} elements are left out: find them by words"
        yield Item(text=f"{GAP} {told}", relevance=ALWAYS)
    if snapshot.above or snapshot.below:
        told = f"the window can be scrolled {snapshot.above} px up, {snapshot.below} px down"
        yield Item(text=f"{GAP} {told}", relevance=ALWAYS)
