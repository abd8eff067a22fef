"""The check of an export's quotes, on the screen."""

from collections import Counter

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from graphs.reports.events import format_count
from graphs.reports.exports.verify import CheckedQuote, Verification
from ui.cli.printing.terminal_text import one_line

OUTCOMES = {
    "verbatim": "verbatim",
    "elsewhere": "elsewhere on the page",
    "changed": "changed",
    "gone": "page gone",
    "not had": "page not available",
    "not stored": "not stored",
}
QUOTE_LENGTH = 60
"""Characters of a quote that are shown; they tell it from the others."""


def print_quote_check(found: Verification, console: Console) -> None:
    """Print each quote with its outcome, then a summary."""
    if console.is_terminal:
        console.print(_draw_table(found))
        console.print()
    else:
        for quote in found.quotes:
            typer.echo("\t".join(_make_row(quote)))
    typer.echo(summarize(found))


def summarize(found: Verification) -> str:
    """How many quotes were found, and what became of the others."""
    where = "on the pages as they are now" if found.live else "in the stored pages"
    matching = sum(quote.stands for quote in found.quotes)
    total = format_count(len(found.quotes), "quote")
    if found.all_stand:
        return f"{total}: all found {where}."
    others = Counter(OUTCOMES[quote.outcome] for quote in found.quotes if not quote.stands)
    counts = ", ".join(f"{count} {outcome}" for outcome, count in others.items())
    return f"{total}: {matching} found {where}; {counts}."


def _draw_table(found: Verification) -> Table:
    table = Table(box=None, header_style="dim", expand=True)
    table.add_column("")
    table.add_column("quote", no_wrap=True, ratio=1)
    table.add_column("outcome")
    table.add_column("page", overflow="fold", ratio=1)
    for quote in found.quotes:
        id, text, outcome, page = map(Text, _make_row(quote))
        outcome.stylize("green" if quote.stands else "red")
        table.add_row(id, text, outcome, page)
    return table


def _make_row(quote: CheckedQuote) -> tuple[str, ...]:
    """Id, the beginning of the quote, its outcome and why, and the address."""
    outcome = OUTCOMES[quote.outcome]
    note = f"{outcome}: {one_line(quote.note)}" if quote.note else outcome
    return one_line(quote.id), one_line(quote.quote, QUOTE_LENGTH), note, one_line(quote.url)
