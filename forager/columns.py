"""Which column of a table a value would stand in, by its name and by what stands there now."""

import re
from collections.abc import Mapping, Sequence

from forager.browsing.page import control_words
from forager.browsing.page.aria import CELLS, Node
from forager.text.tokens import tokenize

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
