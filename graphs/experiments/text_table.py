"""Tables of plain text."""

from collections.abc import Iterable, Sequence

NOTHING = "–"


def align_columns(head: Sequence[str], body: Iterable[Sequence[str]], texts: int = 1) -> list[str]:
    """The rows with columns as wide as needed; the first `texts` columns are left-aligned."""
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
    """A share (0 to 1) in percent; a dash for None."""
    return NOTHING if share is None else f"{100 * share:.0f}"


def format_figure(value: float | None, digits: int = 1) -> str:
    """A number; a dash for None."""
    return NOTHING if value is None else f"{value:.{digits}f}"
