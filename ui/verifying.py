"""What became of the quotes of an export, on the screen."""

import asyncio
from collections import Counter
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forager.settings import Settings
from graphs.reports.events import plural
from graphs.reports.exports.verify import Checked, Verified, verified
from ui.faults import UNVERIFIED
from ui.plain import clean

WORDS = {
    "verbatim": "verbatim",
    "elsewhere": "elsewhere on the page",
    "changed": "changed",
    "gone": "page gone",
    "not had": "page not had",
    "not stored": "not stored",
}
MOST = 60
"""Characters of a quote that tell it from the others."""


def verify_file(settings: Settings, file: Path, *, live: bool) -> None:
    """Check an export and print what was found; exits with 5 unless every quote stands."""
    found = asyncio.run(verified(file, settings, live=live))
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(table(found))
        console.print()
    else:
        for quote in found.quotes:
            typer.echo("\t".join(row(quote)))
    typer.echo(summary(found))
    if not found.stands:
        raise typer.Exit(UNVERIFIED)


def table(found: Verified) -> Table:
    """One row for each quote."""
    shown = Table(box=None, header_style="dim", expand=True)
    shown.add_column("")
    shown.add_column("quote", no_wrap=True, ratio=1)
    shown.add_column("outcome")
    shown.add_column("page", overflow="fold", ratio=1)
    for quote in found.quotes:
        id, said, outcome, page = map(Text, row(quote))
        outcome.stylize("green" if quote.stands else "red")
        shown.add_row(id, said, outcome, page)
    return shown


def row(quote: Checked) -> tuple[str, ...]:
    """Id, the quote's beginning, what became of it and why, and the address."""
    said = line(quote.quote)
    short = said if len(said) <= MOST else f"{said[: MOST - 1]}…"
    outcome = WORDS[quote.outcome]
    note = f"{outcome}: {line(quote.note)}" if quote.note else outcome
    return line(quote.id), short, note, line(quote.url)


def summary(found: Verified) -> str:
    """How many stand, and what became of the others."""
    where = "on the pages as they are now" if found.live else "in the stored pages"
    standing = sum(quote.stands for quote in found.quotes)
    total = plural(len(found.quotes), "quote")
    if found.stands:
        return f"{total}: all stand {where}."
    fallen = Counter(WORDS[quote.outcome] for quote in found.quotes if not quote.stands)
    told = ", ".join(f"{count} {outcome}" for outcome, count in fallen.items())
    return f"{total}: {standing} stand {where}; {told}."


def line(text: str) -> str:
    return " ".join(clean(text).split())
