"""Short forms of what other files will bring: what is shown, offered, guessed, and matched."""

from collections.abc import Mapping
from typing import NamedTuple

from forager.action import Action
from forager.aria import Node, describe, label, parse, value
from forager.element import Element
from forager.frozen import Frozen
from forager.sections import Item, one_line
from forager.tokens import tokenize
from forager.view import Snapshot

ACTED_ON = frozenset({"link", "button", "textbox", "searchbox", "combobox", "checkbox", "radio"})


class Observation(Frozen):
    """Lines of a page, and the refs in them."""

    lines: tuple[Item, ...]
    shown: frozenset[str] = frozenset()


class Guess(NamedTuple):
    """An action by rule."""

    action: Action
    score: float


def observe(
    snapshot: Snapshot, before: Snapshot | None, asked: Mapping[str, float], budget: int
) -> Observation:
    """Every named node, one a line."""
    lines = [
        Item(text=_line(node), relevance=_overlap(node, asked) + bool(node.ref))
        for node in parse(snapshot.tree).walk()
        if label(node) or node.role in ACTED_ON
    ]
    return Observation(lines=tuple(lines))


def find(snapshot: Snapshot, words: str) -> tuple[str, ...]:
    """The lines that have one of the words."""
    wanted = set(tokenize(words))
    nodes = parse(snapshot.tree).walk()
    return tuple(_line(node) for node in nodes if wanted & set(tokenize(label(node))))[:20]


def guesses(root: Node, terms: Mapping[str, float]) -> tuple[Guess, ...]:
    """Links by the share of what is asked that they name."""
    found = [
        Guess(Action(kind="click", target=node.ref, element=describe(node)), _overlap(node, terms))
        for node in root.walk()
        if node.role == "link" and node.ref
    ]
    return tuple(sorted(found, key=lambda each: -each.score))


def match(element: Element, root: Node) -> Node | None:
    """The one node of this description."""
    found = [node for node in root.walk() if node.ref and describe(node) == element]
    return found[0] if len(found) == 1 else None


def _overlap(node: Node, terms: Mapping[str, float]) -> float:
    total = sum(terms.values()) or 1.0
    named = set(tokenize(label(node)))
    return sum(weight for term, weight in terms.items() if term in named) / total


def _line(node: Node) -> str:
    ref = f"{node.ref} " if node.ref else ""
    stands = f" = {value(node)}" if value(node) else ""
    return f"{ref}{node.role} {one_line(label(node))}{stands}"
