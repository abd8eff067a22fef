"""The sessions and the recipes in the data folder, one line each."""

import time
from collections.abc import Sequence
from typing import get_args

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forager.errors import UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean
from graphs.reports.report import Standing
from graphs.sessions.listing import Lined, forget_recipe, found, recipes
from ui.plain import clean

HEADINGS = ("session", "asked", "status", "graph", "question")
NO_SESSIONS = "There are no sessions yet. Ask a question: forager ask QUESTION --site …"
STANDINGS = get_args(Standing)
RECIPES = ("recipe", "kept", "site", "question")


def list_sessions(settings: Settings, text: str = "", statuses: Sequence[str] = ()) -> None:
    """Print the sessions, the newest first; tab-separated where it is read by a program.

    With words those that say them all, with statuses those that stand so.
    """
    wrong = next((each for each in statuses if each not in STANDINGS), "")
    if wrong:
        raise UsageError(f"There is no status {wrong!r}.", did_you_mean(wrong, STANDINGS))
    rows = [row(item) for item in found(settings, text, statuses)]
    put(HEADINGS, rows, "No session is like that." if text or statuses else NO_SESSIONS)


def list_recipes(settings: Settings) -> None:
    """Print all recipes, the newest first."""
    rows = [
        (str(each.id), hour(each.kept), clean(each.recipe.site), line(each.recipe.question))
        for each in recipes(settings)
    ]
    put(RECIPES, rows, "There are no recipes yet: a run that answers through a browser keeps one.")


def delete_recipe(settings: Settings, number: int) -> None:
    """Forget a recipe."""
    forget_recipe(settings, number)
    typer.echo(f"Recipe {number} is deleted.")


def put(headings: Sequence[str], rows: Sequence[Sequence[str]], none: str) -> None:
    """Print rows: a table on a terminal, else a line for each, its cells parted by tabs."""
    console = Console(highlight=False)
    if not console.is_terminal:
        for cells in rows:
            typer.echo("\t".join(cells))
        return
    if not rows:
        console.print(none)
        return
    table = Table(*headings, box=None, header_style="dim")
    for cells in rows:
        table.add_row(*map(Text, cells))
    console.print(table)


def row(item: Lined) -> tuple[str, ...]:
    """Id, local time, status, graph and name of a session, a later turn's with its number."""
    session = item.line
    turn = f"({session.turn}) " if session.turn > 1 else ""
    said = turn + line(session.name)
    return session.id, hour(session.created), item.status, clean(session.graph), said


def hour(seconds: float) -> str:
    """Seconds since the epoch as local time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def line(text: str) -> str:
    """A text on one line, fit for a terminal."""
    return " ".join(clean(text).split())
