"""The sessions in the data folder, one line each."""

import time

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forager.settings import Settings
from graphs.listing import Listed, listed
from ui.plain import clean

HEADINGS = ("session", "asked", "status", "graph", "question")


def list_sessions(settings: Settings) -> None:
    """Print all sessions, the newest first; tab-separated where it is read by a program."""
    console = Console(highlight=False)
    rows = [row(item) for item in listed(settings)]
    if not console.is_terminal:
        for cells in rows:
            typer.echo("\t".join(cells))
        return
    if not rows:
        console.print("There are no sessions yet. Ask a question: forager ask QUESTION --site …")
        return
    table = Table(*HEADINGS, box=None, header_style="dim")
    for cells in rows:
        table.add_row(*map(Text, cells))
    console.print(table)


def row(item: Listed) -> tuple[str, ...]:
    """Id, local time, status, graph and question of a session."""
    session = item.session
    asked = time.strftime("%Y-%m-%d %H:%M", time.localtime(session.created))
    question = " ".join(clean(session.question.text).split())
    return session.id, asked, item.status, clean(session.graph), question
