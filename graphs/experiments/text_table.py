"""Figures in columns, for a terminal and for a file alike."""

from collections.abc import Iterable, Sequence

NOTHING = "–"


def align_columns(head: Sequence[str], body: Iterable[Sequence[str]], texts: int = 1) -> list[str]:
    """Lines of columns as wide as they need; the first `texts` of them begin at the left."""
    lines = [head, *body]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if place < texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def format_percent(share: float | None) -> str:
    """A share of 1 in percent."""
    return NOTHING if share is None else f"{100 * share:.0f}"


def format_figure(value: float | None, digits: int = 1) -> str:
    """A number."""
    return NOTHING if value is None else f"{value:.{digits}f}"
