"""What the commands of the database do."""

import typer
from rich.console import Console

from forager.settings import Settings
from graphs.system.database import move_to_server
from ui.cli.logs import is_quiet
from ui.cli.printing.session_lists import print_rows

HEADINGS = ("table", "rows", "moved")
NONE = "The data folder holds no sessions, graphs or recipes."


def move(settings: Settings) -> None:
    """Copy what the data folder holds to the database, and print the counts."""
    console = Console(stderr=True, highlight=False)
    with console.status("connecting …") as status:
        moved = move_to_server(settings, lambda told: None if is_quiet() else status.update(told))
    rows = [(each.name, f"{each.rows:,}", f"{each.copied:,}") for each in moved]
    print_rows(Console(highlight=False), HEADINGS, rows, NONE)
    if moved:
        typer.echo(
            f"Moved. Pages, memory and pictures stay in {settings.data}; its files of sessions are "
            "not used while FORAGER_DATABASE_URL is set.",
            err=True,
        )
