"""How a filter form is filled with what a question says: fields, options and values, by rule."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forager.browsing.page import control_words
from forager.browsing.page.aria import CELLS, Node, fillable, label
from forager.offline.search_box import telling
from forager.questions.search_queries import QUOTED, names
from forager.text.tokens import keywords, tokenize

NEXT_TO = 2
"""Words before a value in which its column may be named."""
SAMPLE = 30
ARROWS = re.compile(r"[▲▼▴▾↑↓⇅⬍]")


def read(root: Node) -> dict[str, list[str]]:
    """The cells of the page's tables, by folded column header."""
    table: dict[str, list[str]] = {}
    for node in root.walk():
        if node.role not in {"table", "grid", "treegrid"}:
            continue
        heads: list[str] = []
        for row in node.walk():
            if row.role != "row":
                continue
            cells = [cell for cell in row.children if cell.role in CELLS]
            if cells and all(cell.role == "columnheader" for cell in cells):
                heads = [control_words.fold(ARROWS.sub("", cell.words())) for cell in cells]
            for head, cell in zip(heads, cells, strict=False):
                if cell.role != "columnheader":
                    table.setdefault(head, []).append(cell.words())
    return table


def fitting(
    options: Sequence[str], table: Mapping[str, Sequence[str]], value: str, text: str
) -> list[tuple[float, str]]:
    """How well a value fits each column, the best first; none that only names nothing."""
    rated = [
        (_fit(option, table.get(control_words.fold(option), ()), value, text), -place, option)
        for place, option in enumerate(options)
        if tokenize(option) and not option.startswith("-")
    ]
    return [(fit, option) for fit, _, option in sorted(rated, reverse=True) if fit > 0]


def _fit(column: str, cells: Sequence[str], value: str, text: str) -> float:
    own = set(tokenize(column))
    before = tokenize(text.partition(value)[0])[-NEXT_TO:]
    beside = bool(own & set(before))
    asked = own <= set(tokenize(text)) and not beside
    coded = any(letter.isdigit() for letter in value)
    usual = control_words.says(column, control_words.CODING if coded else control_words.NAMING)
    sample = [cell for cell in cells[:SAMPLE] if cell]
    alike = sum(_alike(value, cell) for cell in sample) / len(sample) if sample else 0.0
    return 0.5 * beside + 0.25 * usual + 0.5 * alike - 0.4 * asked


def _alike(value: str, cell: str) -> float:
    """Are they written alike: 1 for the same shape, half for the same kinds of signs."""
    one, other = _shape(value), _shape(cell)
    if value.casefold() == cell.casefold() or one == other:
        return 1.0
    return 0.5 if set(one) - {" "} == set(other) - {" "} else 0.0


def _shape(text: str) -> str:
    """Runs of digits, capitals and small letters, each as one sign."""
    shape = re.sub(r"\d+", "9", text.strip())
    shape = re.sub(r"[^\W\d_a-z]+(?=[a-z])|[A-Z]+", "A", shape)
    return re.sub(r"[^\W\d_A]+", "a", shape)


NUMBERED = re.compile(r"\b(?=[\w./-]*\d)[\w][\w./-]*\w\b|\b\d\b")
MOST_VALUES = 3
MOST_WAYS = 6
NEAR_WORDS = 3
SCOPE = 6
"""Levels from a field up to the button that sends it."""


class Fill(NamedTuple):
    """One field and what it is to hold; `chosen` for an option of a list."""

    field: Node
    value: str
    chosen: bool


class Way(NamedTuple):
    """One way to fill a form: its fields in order, the button, and how well it fits (0 to 1)."""

    fills: tuple[Fill, ...]
    button: Node | None
    fit: float


def ways(root: Node, texts: Sequence[str], terms: Mapping[str, float]) -> tuple[Way, ...]:
    """The ways to fill the forms of a page, the most fitting first."""
    found = [way for form in _forms(root) for way in _ways(form, root, texts, terms)]
    return tuple(sorted(found, key=lambda way: -way.fit))[:MOST_WAYS]


def values(text: str, terms: Mapping[str, float]) -> tuple[str, ...]:
    """What a text names and a field may want: quoted words, codes, names, or its weightiest word.

    A word that begins a sentence is no name for its capital.
    """
    quoted = [one or other for one, other in QUOTED.findall(text)]
    coded = [found[0] for found in NUMBERED.finditer(text)]
    named = [name for name in names(text) if name not in quoted]
    coded = [code for code in coded if not any(code in name for name in (*quoted, *named))]
    order = [*quoted, *(code for code in coded if not code.isdigit()), *named]
    order += [code for code in coded if code.isdigit()]
    return tuple(dict.fromkeys(order or telling(text, terms)[:1]))[:MOST_VALUES]


class _Form(NamedTuple):
    fields: tuple[Node, ...]
    button: Node | None


def _forms(root: Node) -> list[_Form]:
    """Fields that one button sends, by button; the nearest takes them."""
    taken: set[int] = set()
    found: list[_Form] = []
    for button in root.walk():
        if button.role != "button" or not control_words.says(button.name, control_words.APPLY):
            continue
        for _, above in zip(range(SCOPE), button.above(), strict=False):
            fields = [node for node in above.walk() if _field(node) and id(node) not in taken]
            if fields:
                taken |= {id(node) for node in fields}
                found.append(_Form(tuple(fields), button))
                break
    return found


def _field(node: Node) -> bool:
    usable = "disabled" not in node.states and "readonly" not in node.states
    return bool(node.ref) and usable and (fillable(node) or node.role == "listbox")


def _ways(
    form: _Form, root: Node, texts: Sequence[str], terms: Mapping[str, float]
) -> Iterable[Way]:
    for text in texts:
        yield from _by_column(form, root, text, terms)
        if fills := _by_label(form, text, terms):
            held = {term for fill in fills for term in tokenize(fill.value)}
            yield Way(tuple(fills), form.button, min(1.0, 0.6 + 0.1 * len(held)))


def _by_column(form: _Form, root: Node, text: str, terms: Mapping[str, float]) -> Iterable[Way]:
    """The pattern of column, operator and value: in which column each value may stand."""
    places = [place for place, node in enumerate(form.fields) if _operators(node)]
    if not places or not 0 < places[0] < len(form.fields) - 1:
        return
    column, operator, field = form.fields[places[0] - 1 : places[0] + 2]
    if not _options(column) or not fillable(field):
        return
    table = read(root)
    for rank, value in enumerate(values(text, terms)):
        for fit, name in fitting(_options(column), table, value, text)[:2]:
            chosen = _operator(operator, value)
            picked = (Fill(column, name, True), Fill(operator, chosen, True))
            yield Way(
                (*picked, Fill(field, value, False)),
                form.button,
                max(0.1, min(1.0, fit) - 0.1 * rank),
            )


def _by_label(form: _Form, text: str, terms: Mapping[str, float]) -> list[Fill]:
    """Lists with an option that the text names, and fields whose label stands beside a value."""
    fills: list[Fill] = []
    asked = set(keywords(text))
    for node in form.fields:
        if _operators(node):
            return []
        if options := _options(node):
            named = [(len(set(tokenize(name))), name) for name in options if _named(name, asked)]
            if named:
                fills.append(Fill(node, max(named)[1], True))
        elif value := _beside(label(node), text, terms):
            fills.append(Fill(node, value, False))
    return fills


def _named(option: str, asked: set[str]) -> bool:
    """Are all words of an option in the text, and one of them a word that tells something?"""
    own = set(tokenize(option))
    return bool(keywords(option)) and own <= asked


def _beside(said: str, text: str, terms: Mapping[str, float]) -> str:
    """The value in a text that a field of this label wants, if the text has its label."""
    own = set(keywords(said))
    if not own or control_words.says(said, control_words.OTHERWISE):
        return ""
    known = values(text, terms)
    for value in known:
        before = tokenize(text.partition(value)[0])[-NEAR_WORDS:]
        if own & set(before):
            return value
    names = [value for value in known if not value.isdigit()]
    return names[0] if names and control_words.says(said, control_words.NAMING) else ""


def _operators(node: Node) -> bool:
    options = _options(node)
    return sum(map(_compares, options)) * 2 > len(options)


def _compares(option: str) -> bool:
    known = control_words.HOLDING | control_words.EQUAL | control_words.COMPARING
    return option.strip() in control_words.SIGNS or control_words.says(option, known)


def _operator(node: Node, value: str) -> str:
    """To hold a name, to equal a number; whichever there is."""
    options = _options(node)
    holding = [each for each in options if control_words.reads(each, control_words.HOLDING)]
    equal = [
        each
        for each in options
        if each.strip() in {"=", "=="} or control_words.reads(each, control_words.EQUAL)
    ]
    order = (*equal, *holding) if value.isdigit() else (*holding, *equal)
    return next(iter(order), options[0])


def _options(node: Node) -> tuple[str, ...]:
    return tuple(each.name for each in node.walk() if each.role == "option" and each.name)
