"""How much each line of a page matters: by what it is, what is asked, and what is new."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from forager.aria import Node
from forager.sighting import Line, Place
from forager.tokens import tokenize
from forager.wording import Weights

FIELD, BUTTON, AREA, LINK, TEXT, HEADING, TITLE = 1.0, 0.8, 0.5, 0.25, 0.1, 0.3, 0.6
ASKED, FRESH, DIALOG, OUTSIDE = 2.0, 0.8, 1.5, 0.6
LIKE = 0.93
"""What each further line of the same kind is worth of the one before."""
NAMED_LIKE = 0.8
"""What each further element of the same name is worth of the one before."""
ABOVE = 0.5
"""What a word in a heading counts of one in the line."""
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
    """What each term is worth where lines hold these terms: the commonest tell least."""
    held = Counter(term for each in terms for term in each if term in asked)
    return {term: asked[term] * math.log(1 + len(terms) / held[term]) for term in held}


def terms_in(line: Line) -> frozenset[str]:
    """The index terms of a line."""
    return frozenset(tokenize(line.text()))


def relevances(
    found: Sequence[Line], terms: Sequence[frozenset[str]], weights: Weights
) -> list[float]:
    """The weighted share of what is asked that each line says, or for half, the heading above."""
    total = sum(weights.values()) or 1.0
    above: dict[Place | None, frozenset[str]] = {None: frozenset()}
    made = []
    for line, own in zip(found, terms, strict=True):
        if line.place not in above:
            above[line.place] = frozenset(tokenize(line.place.name if line.place else ""))
        said = sum(weight for term, weight in weights.items() if term in own)
        over = sum(weights[term] for term in above[line.place] - own if term in weights)
        made.append((said + ABOVE * over) / total)
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
