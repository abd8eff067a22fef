"""How much each line of a page matters: by what it is, what is asked, and what is new."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import Final

from forager.browsing.page.aria import Node
from forager.browsing.page.line_text import Weights
from forager.browsing.page.lines import Line, Place
from forager.text.tokens import tokenize

FIELD, BUTTON, AREA, LINK, TEXT, HEADING, TITLE = 1.0, 0.8, 0.5, 0.25, 0.1, 0.3, 0.6
ASKED, FRESH, DIALOG, OUTSIDE = 2.0, 0.8, 1.5, 0.6
LIKE = 0.93
"""What each further line of the same kind is worth of the one before."""
NAMED_LIKE = 0.8
"""What each further element of the same name is worth of the one before."""
ABOVE = 0.5
"""What a word in a heading counts of one in the line."""
BESIDE = 0.2
NEAR, SHORTEST = 0.5, 4
"""What a term that begins like the one asked for counts of it, and the letters that it takes."""
MOSTLY_NEW = 0.5
"""The share of new elements from which on it is another page."""
FIELDS: Final = frozenset(
    "textbox searchbox combobox listbox spinbutton slider checkbox radio switch".split()  # noqa: SIM905
)
APART: Final = frozenset({"dialog", "alertdialog", "alert"})
AROUND_PAGE: Final = frozenset({"navigation", "banner", "contentinfo", "complementary"})


def fresh(root: Node, before: Node) -> frozenset[Node]:
    """What is new or says something else; nothing where the page is another one."""
    known = {node.ref: _sign(node) for node in before.walk() if node.ref}
    now = [node for node in root.walk() if node.ref]
    other = [node for node in now if known.get(node.ref) != _sign(node)]
    return frozenset() if len(other) > MOSTLY_NEW * len(now) else frozenset(other)


def _sign(node: Node) -> tuple[object, ...]:
    texts = tuple(child.text for child in node.children if child.role == "text")
    states = {name: said for name, said in node.states.items() if name not in {"active", "cursor"}}
    return node.role, node.name, node.text, texts, tuple(sorted(states.items()))


def weights_on(terms: Sequence[frozenset[str]], asked: Weights) -> dict[str, float]:
    """What each term is worth where lines hold these terms: the commonest tell least.

    In place of a term that no line holds stand those that begin like it, for less.
    """
    held = Counter(term for each in terms for term in each)
    worth: dict[str, float] = {}
    for term, weight in asked.items():
        near = {term: weight} if term in held else dict.fromkeys(_near(term, held), NEAR * weight)
        for one, less in near.items():
            rare = math.log(1 + len(terms) / held[one])
            worth[one] = max(worth.get(one, 0.0), less * rare)
    return worth


def _near(term: str, held: Iterable[str]) -> list[str]:
    """Terms that have the longer part of their letters in common with this one, from the first."""
    least = max(SHORTEST, -(-len(term) * 3 // 4))
    begins = term[:least]
    return [one for one in held if one.startswith(begins) and len(one) <= len(term) + least // 2]


def terms_in(line: Line) -> frozenset[str]:
    """The index terms of a line."""
    return frozenset(tokenize(line.text()))


def relevances(
    found: Sequence[Line], terms: Sequence[frozenset[str]], weights: Weights
) -> list[float]:
    """The weighted share of what is asked that each line says.

    A word counts less where only the heading or the table's head above says it, or the item that
    the line is of, and less still where a line beside does.
    """
    total = sum(weights.values()) or 1.0
    asked = weights.keys()
    own = [each & asked for each in terms]
    by_line = dict(zip(found, own, strict=True))
    above: dict[Place | None, Set[str]] = {None: frozenset()}
    made = []
    for at, line in enumerate(found):
        if line.place not in above:
            above[line.place] = asked & tokenize(line.place.name if line.place else "")
        over = above[line.place] | (by_line[line.item] if line.item else frozenset())
        near = [own[by] for by in (at - 1, at + 1) if 0 <= by < len(found)]
        beside = frozenset().union(*near) - over - own[at]
        said = sum(weights[term] for term in own[at])
        said += ABOVE * sum(weights[term] for term in over - own[at])
        made.append((said + BESIDE * sum(weights[term] for term in beside)) / total)
    return made


def scores(found: Sequence[Line], relevance: Sequence[float], new: frozenset[Node]) -> list[float]:
    """How much each line matters."""
    kinds: Counter[tuple[object, ...]] = Counter()
    names: Counter[tuple[str, str]] = Counter()
    made = []
    for line, asked in zip(found, relevance, strict=True):
        acting = [piece for piece in line.pieces if piece.acts]
        kind = (line.group, line.kind, tuple(piece.node.role for piece in acting))
        named = (acting[0].node.role, acting[0].text) if acting else ("", "")
        score = _base(line) * LIKE ** kinds[kind] * NAMED_LIKE ** names[named]
        kinds[kind] += 1
        names[named] += bool(acting)
        score += ASKED * asked + FRESH * (not new.isdisjoint(line.nodes))
        made.append(score + DIALOG * (line.place is not None and line.place.landmark in APART))
    return made


def _base(line: Line) -> float:
    outside = line.place is not None and line.place.landmark in AROUND_PAGE
    acting = [_worth(piece.node, piece.text) for piece in line.pieces if piece.acts]
    worth = max(acting, default=TEXT)
    if line.kind == "heading" and line.place:
        worth = max(worth, TITLE if line.place.level == 1 else HEADING)
    return worth * (OUTSIDE if outside and worth < AREA else 1.0)


def _worth(node: Node, name: str) -> float:
    if node.role in FIELDS:
        return FIELD
    if node.role == "link":
        return LINK
    if node.role == "generic":
        return AREA if name else LINK
    return BUTTON
