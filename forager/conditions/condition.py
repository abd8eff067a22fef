"""Conditions on figures: their types are checked when they are read, so that holding is total."""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from forager.conditions.figures import FIGURES, Figure, Kind
from forager.conditions.syntax import (
    REFERENCE,
    Comparison,
    Joined,
    Literal,
    Named,
    Negation,
    Tree,
    Value,
    parse_tree,
    quote_value,
)
from forager.domain.state import State
from forager.errors import ConditionError
from forager.util.suggest import did_you_mean

COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
NUMBER, YES_NO, TEXT = "a number", "yes or no", "a text"
KIND_NAMES: Final[Mapping[Kind, str]] = {
    "count": NUMBER,
    "amount": NUMBER,
    "yes or no": YES_NO,
    "text": TEXT,
}


@dataclass(frozen=True)
class Condition:
    """A condition whose names and types are right, with the figures it names."""

    text: str
    tree: Tree
    figures: Mapping[str, Figure]

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Does it hold for these values of its figures?"""
        return bool(_evaluate(self.tree, values))

    def holds_in(self, state: State) -> bool:
        """Does it hold in a state?"""
        return self.holds({name: figure.read(state) for name, figure in self.figures.items()})


def read_condition(text: str, known: Mapping[str, Figure] = FIGURES) -> Condition:
    """The condition in a text. Raises ConditionError with the place of the fault."""
    tree = parse_tree(text)
    if _check_type(tree, known) != YES_NO:
        raise ConditionError(
            "It is a value that is not compared.", "Compare it, for example: open == 0.", 1
        )
    names = dict.fromkeys(each.name for each in walk(tree) if isinstance(each, Named))
    return Condition(text, tree, {name: known[name] for name in names})


def references(text: str) -> frozenset[str]:
    """The names of the parameters that a condition refers to."""
    return frozenset(found[1] for found in REFERENCE.finditer(text) if found[1])


def fill_references(text: str, values: Mapping[str, Value]) -> str:
    """The condition with the values of parameters in place of `$name`; unknown ones stay."""
    return REFERENCE.sub(
        lambda found: quote_value(values[found[1]]) if found[1] in values else found[0], text
    )


def walk(tree: Tree) -> Iterator[Tree]:
    """The tree and all that is inside it."""
    yield tree
    match tree:
        case Comparison(left, _, right):
            inside: tuple[Tree, ...] = (left, right)
        case Negation(of):
            inside = (of,)
        case Joined(_, items):
            inside = items
        case _:
            inside = ()
    for each in inside:
        yield from walk(each)


def _evaluate(tree: Tree, values: Mapping[str, Value]) -> Value:
    match tree:
        case Literal(value):
            return value
        case Named(name):
            return values[name]
        case Negation(of):
            return not _evaluate(of, values)
        case Joined("and", items):
            return all(_evaluate(item, values) for item in items)
        case Joined(_, items):
            return any(_evaluate(item, values) for item in items)
        case Comparison(left, sign, right):
            return COMPARE[sign](_evaluate(left, values), _evaluate(right, values))


def _check_type(tree: Tree, known: Mapping[str, Figure]) -> str:
    """What the tree is: a number, a text, or yes or no. Raises ConditionError."""
    match tree:
        case Literal(value):
            return YES_NO if isinstance(value, bool) else TEXT if isinstance(value, str) else NUMBER
        case Named(name, place):
            if name not in known:
                raise ConditionError(
                    f"There is no figure {name!r}.", _suggest_figure(name, known), place
                )
            return KIND_NAMES[known[name].kind]
        case Negation(of, place):
            _expect_yes_no(of, "not", place, known)
        case Joined(word, items, place):
            for item in items:
                _expect_yes_no(item, word, place, known)
        case Comparison():
            _check_comparison(tree, known)
    return YES_NO


def _suggest_figure(name: str, known: Mapping[str, Figure]) -> str:
    words = {
        choice: figure.name for figure in known.values() for choice in figure.choices if choice
    }
    if name in words:
        return f"Put the text in quotes, such as {words[name]} == {quote_value(name)}."
    return did_you_mean(name, known)


def _expect_yes_no(tree: Tree, word: str, place: int, known: Mapping[str, Figure]) -> None:
    if (kind := _check_type(tree, known)) != YES_NO:
        raise ConditionError(
            f"{word!r} joins conditions, and {_describe(tree)} is {kind}.",
            "Compare it, for example: open == 0.",
            place,
        )


def _check_comparison(tree: Comparison, known: Mapping[str, Figure]) -> None:
    kinds = [_check_type(side, known) for side in (tree.left, tree.right)]
    if kinds[0] != kinds[1]:
        raise ConditionError(
            f"{_describe(tree.left)} is {kinds[0]}, {_describe(tree.right)} is {kinds[1]}.",
            "Compare values of one type.",
            tree.place,
        )
    if kinds[0] != NUMBER and tree.sign not in {"==", "!="}:
        raise ConditionError(
            f"{tree.sign!r} compares numbers, and {_describe(tree.left)} is {kinds[0]}.",
            "Use == or !=.",
            tree.place,
        )
    for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
        if isinstance(side, Named) and isinstance(other, Literal):
            choices = known[side.name].choices
            if choices and other.value not in choices:
                raise ConditionError(
                    f"{side.name!r} is never {quote_value(other.value)}.",
                    did_you_mean(str(other.value), filter(None, choices)),
                    other.place,
                )


def _describe(tree: Tree) -> str:
    match tree:
        case Named(name):
            return repr(name)
        case Literal(value):
            return quote_value(value)
        case _:
            return "the condition beside it"
