"""The command that searches: results on standard output, notes beside them."""

import asyncio
from collections.abc import Sequence

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from forager.domain.survey import Found
from forager.errors import UsageError
from forager.settings import Settings
from graphs.system.search import searched
from ui.faults import ABSTAINED
from ui.plain import clean

INDENT = 4


def find(settings: Settings, query: str, count: int, site: str, providers: Sequence[str]) -> Found:
    """What a search gives. Raises UsageError where there is nothing to search for."""
    if not query.strip():
        raise UsageError("There is nothing to search for.", "Write some words.")
    return asyncio.run(searched(settings, query, count, site, providers))


def put(found: Found, *, as_json: bool) -> None:
    """Print what was found. Exits with 4 where that is nothing."""
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
    else:
        _show(found)
    if not found.results:
        raise typer.Exit(ABSTAINED)


def _show(found: Found) -> None:
    errors = Console(stderr=True, highlight=False)
    for note in found.notes:
        errors.print(Text(f"Note: {clean(note)}", "dim"), soft_wrap=True)
    console = Console(highlight=False)
    for result in found.results:
        if result.rank > 1:
            console.print()
        title = clean(result.title) or result.url
        console.print(Text(f"{result.rank:>2}. {title} · {result.source}"), soft_wrap=True)
        for text, style in ((result.url, "cyan"), (clean(result.snippet), "")):
            if text:
                _put(Text(text, style), console)
    if not found.results:
        console.print("Nothing was found.")


def _put(text: Text, console: Console) -> None:
    """Wrapped and indented on a terminal, else in one line."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, INDENT), expand=False))
    else:
        console.print(Text(" " * INDENT).append_text(text), soft_wrap=True)
