"""The checkpoints of a session, one line each, and what one of them changed."""

import time
from collections.abc import Iterable

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forager.settings import Settings
from graphs.sessions.service import Point
from ui.asking import with_sessions
from ui.plain import clean

HEADINGS = ("step", "time", "ran", "next", "what")
ASIDE = "left"
"""Marks a step on a branch that was gone back from."""


def list_history(settings: Settings, id: str, turn: int | None) -> None:
    """Print a turn's checkpoints, oldest first; tab-separated where it is read by a program."""
    points = with_sessions(settings, lambda to: to.history(id, turn))
    console = Console(highlight=False)
    if not console.is_terminal:
        for point in points:
            typer.echo("\t".join(_cells(point)))
        return
    if not points:
        console.print("The session has not begun yet.")
        return
    table = Table(*HEADINGS, box=None, header_style="dim")
    for point in points:
        table.add_row(*map(Text, _cells(point)), style="" if point.on_path else "dim")
    console.print(table)


def show_step(settings: Settings, id: str, step: int, turn: int | None) -> None:
    """Print what a checkpoint changed."""
    for change in with_sessions(settings, lambda to: to.diff(id, step, turn)):
        typer.echo(" ".join(clean(str(change)).split()))


def _cells(point: Point) -> tuple[str, ...]:
    when = time.strftime("%H:%M:%S", time.localtime(point.time))
    what = point.message if point.on_path else f"({ASIDE}) {point.message}"
    return str(point.number), when, _names(point.ran), _names(point.next), clean(what)


def _names(nodes: Iterable[str]) -> str:
    """Each once, with how often it ran at the same time."""
    found = list(nodes)
    names = [
        f"{name} x{found.count(name)}" if found.count(name) > 1 else name
        for name in dict.fromkeys(found)
    ]
    return ", ".join(names)
