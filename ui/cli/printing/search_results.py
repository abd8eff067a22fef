"""The results of a search on standard output, with notes on standard error."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from forager.domain.survey import SearchResults
from ui.cli.printing.terminal_text import strip_controls

INDENT = 4


def print_results(found: SearchResults) -> None:
    """Print the results, or say that there are none."""
    errors = Console(stderr=True, highlight=False)
    for note in found.notes:
        errors.print(Text(f"Note: {strip_controls(note)}", "dim"), soft_wrap=True)
    console = Console(highlight=False)
    for result in found.results:
        if result.rank > 1:
            console.print()
        title = strip_controls(result.title) or result.url
        console.print(Text(f"{result.rank:>2}. {title} · {result.source}"), soft_wrap=True)
        for text, style in ((result.url, "cyan"), (strip_controls(result.snippet), "")):
            if text:
                _print_indented(Text(text, style), console)
    if not found.results:
        console.print("Nothing was found.")


def _print_indented(text: Text, console: Console) -> None:
    """Wrapped and indented on a terminal, else on one line."""
    if console.is_terminal:
        console.print(Padding(text, (0, 0, 0, INDENT), expand=False))
    else:
        console.print(Text(" " * INDENT).append_text(text), soft_wrap=True)
