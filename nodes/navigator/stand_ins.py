"""Short forms of what other files will bring: guesses without a model."""

from collections.abc import Mapping
from typing import NamedTuple

from forager.action import Action
from forager.aria import Node, describe, label
from forager.tokens import tokenize


class Guess(NamedTuple):
    """An action by rule."""

    action: Action
    score: float


def guesses(root: Node, terms: Mapping[str, float]) -> tuple[Guess, ...]:
    """Links by the share of what is asked that they name."""
    found = [
        Guess(Action(kind="click", target=node.ref, element=describe(node)), _overlap(node, terms))
        for node in root.walk()
        if node.role == "link" and node.ref
    ]
    return tuple(sorted(found, key=lambda each: -each.score))


def _overlap(node: Node, terms: Mapping[str, float]) -> float:
    total = sum(terms.values()) or 1.0
    named = set(tokenize(label(node)))
    return sum(weight for term, weight in terms.items() if term in named) / total
