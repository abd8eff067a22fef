"""Fills the filter forms of a page with what a question names: fields, options and values."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.browsing.page import control_words
from forager.browsing.page.aria import CELL_ROLES, Node, is_fillable, node_label
from forager.offline.search_box import rank_words
from forager.questions.search_queries import QUOTED, find_names
from forager.text.tokens import keywords, tokenize, word_terms

COLUMN_WITHIN = 2
"""A value's column is named at most this many words before it."""
SAMPLE_CELLS = 30
SORT_ARROWS = re.compile(r"[▲▼▴▾↑↓⇅⬍]")
CODE = re.compile(r"\b(?=[\w./-]*\d)[\w][\w./-]*\w\b|\b\d\b")
MAX_VALUES = 3
MAX_FILLINGS = 6
LABEL_WITHIN = 3
BUTTON_LEVELS = 6
"""Levels from a button up to the element that holds its fields."""


class FieldValue(NamedTuple):
    """A field and the value it should hold; `chosen` if that is an option of a list."""

    field: Node
    value: str
    chosen: bool


class Filling(NamedTuple):
    """A way to fill a form: its fields in order, the button, and how well it fits (0 to 1)."""

    fills: tuple[FieldValue, ...]
    button: Node | None
    fit: float


class _Form(NamedTuple):
    fields: tuple[Node, ...]
    button: Node | None


def find_fillings(
    root: Node, texts: Sequence[str], terms: Mapping[str, float]
) -> tuple[Filling, ...]:
    """The ways to fill the forms of a page for these texts, best fit first."""
    found = [way for form in _find_forms(root) for way in _fillings_of(form, root, texts, terms)]
    return tuple(sorted(found, key=lambda way: -way.fit))[:MAX_FILLINGS]


def named_values(text: str, terms: Mapping[str, float]) -> tuple[str, ...]:
    """What a text names for a field: quotes, codes, names, or else its weightiest word.

    The capital of a sentence's first word does not make it a name.
    """
    quoted = [one or other for one, other in QUOTED.findall(text)]
    coded = [found[0] for found in CODE.finditer(text)]
    named = [name for name in find_names(text) if name not in quoted]
    coded = [code for code in coded if not any(code in name for name in (*quoted, *named))]
    order = [*quoted, *(code for code in coded if not code.isdigit()), *named]
    order += [code for code in coded if code.isdigit()]
    return tuple(dict.fromkeys(order or rank_words(text, terms)[:1]))[:MAX_VALUES]


def _find_forms(root: Node) -> list[_Form]:
    """The forms of a page: each button that sends, with the nearest fields no other button has."""
    taken: set[int] = set()
    found: list[_Form] = []
    for button in root.walk():
        if button.role != "button" or not control_words.contains_phrase(
            button.name, control_words.APPLY
        ):
            continue
        for _, above in zip(range(BUTTON_LEVELS), button.ancestors(), strict=False):
            fields = [
                node for node in above.walk() if _is_usable_field(node) and id(node) not in taken
            ]
            if fields:
                taken |= {id(node) for node in fields}
                found.append(_Form(tuple(fields), button))
                break
    return found


def _is_usable_field(node: Node) -> bool:
    usable = "disabled" not in node.states and "readonly" not in node.states
    return bool(node.ref) and usable and (is_fillable(node) or node.role == "listbox")


def _fillings_of(
    form: _Form, root: Node, texts: Sequence[str], terms: Mapping[str, float]
) -> Iterable[Filling]:
    for text in texts:
        yield from _fill_by_column(form, root, text, terms)
        if fills := _fill_by_label(form, text, terms):
            held = {term for fill in fills for term in tokenize(fill.value)}
            yield Filling(tuple(fills), form.button, min(1.0, 0.6 + 0.1 * len(held)))


def _fill_by_column(
    form: _Form, root: Node, text: str, terms: Mapping[str, float]
) -> Iterable[Filling]:
    """For a form of column, operator and value: each value, with the columns it fits best."""
    places = [place for place, node in enumerate(form.fields) if _lists_operators(node)]
    if not places or not 0 < places[0] < len(form.fields) - 1:
        return
    column, operator, field = form.fields[places[0] - 1 : places[0] + 2]
    if not _option_names(column) or not is_fillable(field):
        return
    table = read_columns(root)
    for rank, value in enumerate(named_values(text, terms)):
        for fit, name in rank_columns(_option_names(column), table, value, text)[:2]:
            chosen = _choose_operator(operator, value)
            picked = (FieldValue(column, name, True), FieldValue(operator, chosen, True))
            yield Filling(
                (*picked, FieldValue(field, value, False)),
                form.button,
                max(0.1, min(1.0, fit) - 0.1 * rank),
            )


def read_columns(root: Node) -> dict[str, list[str]]:
    """The cells of the page's tables, by folded column header."""
    table: dict[str, list[str]] = {}
    for node in root.walk():
        if node.role not in {"table", "grid", "treegrid"}:
            continue
        heads: list[str] = []
        for row in node.walk():
            if row.role != "row":
                continue
            cells = [cell for cell in row.children if cell.role in CELL_ROLES]
            if cells and all(cell.role == "columnheader" for cell in cells):
                heads = [
                    control_words.fold_phrase(SORT_ARROWS.sub("", cell.text_content()))
                    for cell in cells
                ]
            for head, cell in zip(heads, cells, strict=False):
                if cell.role != "columnheader":
                    table.setdefault(head, []).append(cell.text_content())
    return table


def rank_columns(
    options: Sequence[str], table: Mapping[str, Sequence[str]], value: str, text: str
) -> list[tuple[float, str]]:
    """How well a value fits each column that is an option, best first; only those that fit."""
    rated = [
        (
            _column_fit(option, table.get(control_words.fold_phrase(option), ()), value, text),
            -place,
            option,
        )
        for place, option in enumerate(options)
        if tokenize(option) and not option.startswith("-")
    ]
    return [(fit, option) for fit, _, option in sorted(rated, reverse=True) if fit > 0]


def _column_fit(column: str, cells: Sequence[str], value: str, text: str) -> float:
    own = set(tokenize(column))
    before = word_terms(text.partition(value)[0])[-COLUMN_WITHIN:]
    beside = bool(own & set(before))
    asked = own <= set(tokenize(text)) and not beside
    coded = any(letter.isdigit() for letter in value)
    usual = control_words.contains_phrase(
        column, control_words.CODE_FIELD if coded else control_words.NAME_FIELD
    )
    sample = [cell for cell in cells[:SAMPLE_CELLS] if cell]
    alike = sum(_likeness_of_shape(value, cell) for cell in sample) / len(sample) if sample else 0.0
    return 0.5 * beside + 0.25 * usual + 0.5 * alike - 0.4 * asked


def _likeness_of_shape(value: str, cell: str) -> float:
    """1 if both are written in the same shape, 0.5 if with the same kinds of characters."""
    one, other = _shape_of(value), _shape_of(cell)
    if value.casefold() == cell.casefold() or one == other:
        return 1.0
    return 0.5 if set(one) - {" "} == set(other) - {" "} else 0.0


def _shape_of(text: str) -> str:
    """The text with runs of digits, capitals and small letters as `9`, `A` and `a`."""
    shape = re.sub(r"\d+", "9", text.strip())
    shape = re.sub(r"[^\W\d_a-z]+(?=[a-z])|[A-Z]+", "A", shape)
    return re.sub(r"[^\W\d_A]+", "a", shape)


def _fill_by_label(form: _Form, text: str, terms: Mapping[str, float]) -> list[FieldValue]:
    """Lists with an option that the text names, and fields whose label stands by a value in it."""
    fills: list[FieldValue] = []
    asked = set(keywords(text))
    for node in form.fields:
        if _lists_operators(node):
            return []
        if options := _option_names(node):
            named = [(len(set(tokenize(name))), name) for name in options if _is_named(name, asked)]
            if named:
                fills.append(FieldValue(node, max(named)[1], True))
        elif value := _labelled_value(node_label(node), text, terms):
            fills.append(FieldValue(node, value, False))
    return fills


def _is_named(option: str, asked: set[str]) -> bool:
    """Does the text have all words of an option, one of them a content word?"""
    own = set(tokenize(option))
    return bool(keywords(option)) and own <= asked


def _labelled_value(said: str, text: str, terms: Mapping[str, float]) -> str:
    """The value in a text that belongs into a field with this label; empty if none does."""
    own = set(keywords(said))
    if not own or control_words.contains_phrase(said, control_words.NOT_SEARCH):
        return ""
    known = named_values(text, terms)
    for value in known:
        before = word_terms(text.partition(value)[0])[-LABEL_WITHIN:]
        if own & set(before):
            return value
    names = [value for value in known if not value.isdigit()]
    return (
        names[0] if names and control_words.contains_phrase(said, control_words.NAME_FIELD) else ""
    )


def _lists_operators(node: Node) -> bool:
    options = _option_names(node)
    return sum(map(_is_operator, options)) * 2 > len(options)


def _is_operator(option: str) -> bool:
    known = control_words.CONTAINS | control_words.EQUALS | control_words.COMPARES
    return option.strip() in control_words.COMPARISON_SIGNS or control_words.contains_phrase(
        option, known
    )


def _choose_operator(node: Node, value: str) -> str:
    """The option for "contains" with a name, for "equals" with a number, or whichever exists."""
    options = _option_names(node)
    holding = [each for each in options if control_words.is_phrase(each, control_words.CONTAINS)]
    equal = [
        each
        for each in options
        if each.strip() in {"=", "=="} or control_words.is_phrase(each, control_words.EQUALS)
    ]
    order = (*equal, *holding) if value.isdigit() else (*holding, *equal)
    return next(iter(order), options[0])


def _option_names(node: Node) -> tuple[str, ...]:
    return tuple(each.name for each in node.walk() if each.role == "option" and each.name)
