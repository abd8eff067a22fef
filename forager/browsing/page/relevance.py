"""How much each line of a page matters: by what it is, what is asked, and what is new."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import Final

from forager.browsing.page.aria import Node
from forager.browsing.page.line_text import TermWeights
from forager.browsing.page.lines import Line, Section
from forager.text.tokens import tokenize

FIELD_SCORE, BUTTON_SCORE, AREA_SCORE, LINK_SCORE, TEXT_SCORE, HEADING_SCORE, TITLE_SCORE = (
    1.0,
    0.8,
    0.5,
    0.25,
    0.1,
    0.3,
    0.6,
)
RELEVANCE_WEIGHT, NEW_BONUS, DIALOG_BONUS, OUTSIDE_FACTOR = 2.0, 0.8, 1.5, 0.6
SAME_KIND_FACTOR = 0.93
"""What each further line of the same kind is worth of the one before."""
SAME_NAME_FACTOR = 0.8
"""What each further element of the same name is worth of the one before."""
HEADING_FACTOR = 0.5
"""What a word in a heading counts of one in the line."""
NEIGHBOUR_FACTOR = 0.2
SIMILAR_FACTOR, MIN_PREFIX = 0.5, 4
"""What a term that begins like the one asked for counts of it, and the letters that it takes."""
NEW_PAGE_SHARE = 0.5
"""The share of new elements from which on it is another page."""
FIELD_ROLES: Final = frozenset(
    "textbox searchbox combobox listbox spinbutton slider checkbox radio switch".split()  # noqa: SIM905
)
DIALOG_ROLES: Final = frozenset({"dialog", "alertdialog", "alert"})
OUTSIDE_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary"})


def changed_nodes(root: Node, before: Node) -> frozenset[Node]:
    """What is new or says something else; nothing where the page is another one."""
    known = {node.ref: _node_signature(node) for node in before.walk() if node.ref}
    now = [node for node in root.walk() if node.ref]
    other = [node for node in now if known.get(node.ref) != _node_signature(node)]
    return frozenset() if len(other) > NEW_PAGE_SHARE * len(now) else frozenset(other)


def _node_signature(node: Node) -> tuple[object, ...]:
    texts = tuple(child.text for child in node.children if child.role == "text")
    states = {name: said for name, said in node.states.items() if name not in {"active", "cursor"}}
    return node.role, node.name, node.text, texts, tuple(sorted(states.items()))


def weigh_by_rarity(terms: Sequence[frozenset[str]], asked: TermWeights) -> dict[str, float]:
    """What each term is worth where lines hold these terms: the commonest tell least.

    In place of a term that no line holds stand those that begin like it, for less.
    """
    held = Counter(term for each in terms for term in each)
    worth: dict[str, float] = {}
    for term, weight in asked.items():
        near = (
            {term: weight}
            if term in held
            else dict.fromkeys(_similar_terms(term, held), SIMILAR_FACTOR * weight)
        )
        for one, less in near.items():
            rare = math.log(1 + len(terms) / held[one])
            worth[one] = max(worth.get(one, 0.0), less * rare)
    return worth


def _similar_terms(term: str, held: Iterable[str]) -> list[str]:
    """Terms that have the longer part of their letters in common with this one, from the first."""
    least = max(MIN_PREFIX, -(-len(term) * 3 // 4))
    begins = term[:least]
    return [one for one in held if one.startswith(begins) and len(one) <= len(term) + least // 2]


def terms_in(line: Line) -> frozenset[str]:
    """The index terms of a line."""
    return frozenset(tokenize(line.text()))


def line_relevances(
    found: Sequence[Line], terms: Sequence[frozenset[str]], weights: TermWeights
) -> list[float]:
    """The weighted share of what is asked that each line says.

    A word counts less where only the heading or the table's head above says it, or the item that
    the line is of, and less still where a line beside does.
    """
    total = sum(weights.values()) or 1.0
    asked = weights.keys()
    own = [each & asked for each in terms]
    by_line = dict(zip(found, own, strict=True))
    above: dict[Section | None, Set[str]] = {None: frozenset()}
    made = []
    for at, line in enumerate(found):
        if line.section not in above:
            above[line.section] = asked & tokenize(line.section.name if line.section else "")
        over = above[line.section] | (by_line[line.item] if line.item else frozenset())
        near = [own[by] for by in (at - 1, at + 1) if 0 <= by < len(found)]
        beside = frozenset().union(*near) - over - own[at]
        said = sum(weights[term] for term in own[at])
        said += HEADING_FACTOR * sum(weights[term] for term in over - own[at])
        made.append((said + NEIGHBOUR_FACTOR * sum(weights[term] for term in beside)) / total)
    return made


def line_scores(
    found: Sequence[Line], relevance: Sequence[float], new: frozenset[Node]
) -> list[float]:
    """How much each line matters."""
    kinds: Counter[tuple[object, ...]] = Counter()
    names: Counter[tuple[str, str]] = Counter()
    made = []
    for line, asked in zip(found, relevance, strict=True):
        acting = [piece for piece in line.pieces if piece.actionable]
        kind = (line.group, line.kind, tuple(piece.node.role for piece in acting))
        named = (acting[0].node.role, acting[0].text) if acting else ("", "")
        score = (
            _base_score(line) * SAME_KIND_FACTOR ** kinds[kind] * SAME_NAME_FACTOR ** names[named]
        )
        kinds[kind] += 1
        names[named] += bool(acting)
        score += RELEVANCE_WEIGHT * asked + NEW_BONUS * (not new.isdisjoint(line.nodes))
        made.append(
            score
            + DIALOG_BONUS * (line.section is not None and line.section.landmark in DIALOG_ROLES)
        )
    return made


def _base_score(line: Line) -> float:
    outside = line.section is not None and line.section.landmark in OUTSIDE_ROLES
    acting = [_control_score(piece.node, piece.text) for piece in line.pieces if piece.actionable]
    worth = max(acting, default=TEXT_SCORE)
    if line.kind == "heading" and line.section:
        worth = max(worth, TITLE_SCORE if line.section.level == 1 else HEADING_SCORE)
    return worth * (OUTSIDE_FACTOR if outside and worth < AREA_SCORE else 1.0)


def _control_score(node: Node, name: str) -> float:
    if node.role in FIELD_ROLES:
        return FIELD_SCORE
    if node.role == "link":
        return LINK_SCORE
    if node.role == "generic":
        return AREA_SCORE if name else LINK_SCORE
    return BUTTON_SCORE
