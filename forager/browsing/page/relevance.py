"""Scores the lines of a page by what they are, what is asked, and what is new."""

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
"""Factor for each further line of the same kind."""
SAME_NAME_FACTOR = 0.8
"""Factor for each further element with the same name."""
HEADING_FACTOR = 0.5
"""Weight of a term in the heading, relative to one in the line."""
NEIGHBOUR_FACTOR = 0.2
SIMILAR_FACTOR, MIN_PREFIX = 0.5, 4
"""Weight of a term that begins like an asked one, and the fewest letters to compare."""
NEW_PAGE_SHARE = 0.5
"""Above this share of new elements, it counts as another page."""
FIELD_ROLES: Final = frozenset(
    "textbox searchbox combobox listbox spinbutton slider checkbox radio switch".split()  # noqa: SIM905
)
DIALOG_ROLES: Final = frozenset({"dialog", "alertdialog", "alert"})
OUTSIDE_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary"})


def changed_nodes(root: Node, before: Node) -> frozenset[Node]:
    """The nodes that are new or changed; none if it is another page."""
    known = {node.ref: _node_signature(node) for node in before.walk() if node.ref}
    nodes = [node for node in root.walk() if node.ref]
    changed = [node for node in nodes if known.get(node.ref) != _node_signature(node)]
    return frozenset() if len(changed) > NEW_PAGE_SHARE * len(nodes) else frozenset(changed)


def _node_signature(node: Node) -> tuple[object, ...]:
    texts = tuple(child.text for child in node.children if child.role == "text")
    states = {
        name: state for name, state in node.states.items() if name not in {"active", "cursor"}
    }
    return node.role, node.name, node.text, texts, tuple(sorted(states.items()))


def weigh_by_rarity(terms: Sequence[frozenset[str]], asked: TermWeights) -> dict[str, float]:
    """Weigh asked terms by their rarity among the lines' `terms` (inverse document frequency).

    A term that no line has is replaced by terms that begin like it, with less weight.
    """
    frequencies = Counter(term for each in terms for term in each)
    weights: dict[str, float] = {}
    for term, weight in asked.items():
        replacements = (
            {term: weight}
            if term in frequencies
            else dict.fromkeys(_similar_terms(term, frequencies), SIMILAR_FACTOR * weight)
        )
        for replacement, base in replacements.items():
            rarity = math.log(1 + len(terms) / frequencies[replacement])
            weights[replacement] = max(weights.get(replacement, 0.0), base * rarity)
    return weights


def _similar_terms(term: str, known: Iterable[str]) -> list[str]:
    """Terms that share at least the first three quarters of this term's letters."""
    length = max(MIN_PREFIX, -(-len(term) * 3 // 4))
    prefix = term[:length]
    return [
        other
        for other in known
        if other.startswith(prefix) and len(other) <= len(term) + length // 2
    ]


def terms_in(line: Line) -> frozenset[str]:
    """The index terms of a line."""
    return frozenset(tokenize(line.text()))


def line_relevances(
    lines: Sequence[Line], terms: Sequence[frozenset[str]], weights: TermWeights
) -> list[float]:
    """The weighted share of the asked terms that each line has.

    A term counts less if only the heading or the line's item has it, and less still if only an
    adjacent line has it.
    """
    total = sum(weights.values()) or 1.0
    asked = weights.keys()
    line_terms = [each & asked for each in terms]
    by_line = dict(zip(lines, line_terms, strict=True))
    heading_terms: dict[Section | None, Set[str]] = {None: frozenset()}
    shares = []
    for position, line in enumerate(lines):
        if line.section not in heading_terms:
            heading_terms[line.section] = asked & tokenize(
                line.section.name if line.section else ""
            )
        context = heading_terms[line.section] | (by_line[line.item] if line.item else frozenset())
        adjacent = [
            line_terms[neighbour]
            for neighbour in (position - 1, position + 1)
            if 0 <= neighbour < len(lines)
        ]
        nearby = frozenset().union(*adjacent) - context - line_terms[position]
        share = sum(weights[term] for term in line_terms[position])
        share += HEADING_FACTOR * sum(weights[term] for term in context - line_terms[position])
        shares.append((share + NEIGHBOUR_FACTOR * sum(weights[term] for term in nearby)) / total)
    return shares


def line_scores(
    lines: Sequence[Line], relevance: Sequence[float], new: frozenset[Node]
) -> list[float]:
    """Score each line by its relevance, its elements, and whether it is new."""
    kinds: Counter[tuple[object, ...]] = Counter()
    names: Counter[tuple[str, str]] = Counter()
    totals = []
    for line, share in zip(lines, relevance, strict=True):
        elements = [piece for piece in line.pieces if piece.actionable]
        kind_key = (line.group, line.kind, tuple(piece.node.role for piece in elements))
        name_key = (elements[0].node.role, elements[0].text) if elements else ("", "")
        score = (
            _base_score(line)
            * SAME_KIND_FACTOR ** kinds[kind_key]
            * SAME_NAME_FACTOR ** names[name_key]
        )
        kinds[kind_key] += 1
        names[name_key] += bool(elements)
        score += RELEVANCE_WEIGHT * share + NEW_BONUS * (not new.isdisjoint(line.nodes))
        totals.append(
            score
            + DIALOG_BONUS * (line.section is not None and line.section.landmark in DIALOG_ROLES)
        )
    return totals


def _base_score(line: Line) -> float:
    outside = line.section is not None and line.section.landmark in OUTSIDE_ROLES
    control_scores = [
        _control_score(piece.node, piece.text) for piece in line.pieces if piece.actionable
    ]
    score = max(control_scores, default=TEXT_SCORE)
    if line.kind == "heading" and line.section:
        score = max(score, TITLE_SCORE if line.section.level == 1 else HEADING_SCORE)
    return score * (OUTSIDE_FACTOR if outside and score < AREA_SCORE else 1.0)


def _control_score(node: Node, name: str) -> float:
    if node.role in FIELD_ROLES:
        return FIELD_SCORE
    if node.role == "link":
        return LINK_SCORE
    if node.role == "generic":
        return AREA_SCORE if name else LINK_SCORE
    return BUTTON_SCORE
