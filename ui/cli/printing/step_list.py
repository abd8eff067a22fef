"""The steps of a session, one line each, and what one of them changed."""

import time
from collections.abc import Iterable, Sequence

import typer
from rich.console import Console

from graphs.sessions.service import Change, HistoryPoint
from ui.cli.printing.session_lists import print_rows
from ui.cli.printing.terminal_text import one_line, strip_controls

HEADINGS = ("step", "time", "ran", "next", "what")
NO_STEPS = "The session has not started yet."
ABANDONED = "left"
"""Marks a step on a branch that the session went back from."""


def print_steps(points: Sequence[HistoryPoint], console: Console) -> None:
    """Print a turn's checkpoints, oldest first; steps on an abandoned branch are dim."""
    rows = [_make_row(point) for point in points]
    styles = ["" if point.on_path else "dim" for point in points]
    print_rows(console, HEADINGS, rows, NO_STEPS, styles)


def print_changes(changes: Iterable[Change]) -> None:
    """Print what a checkpoint changed."""
    for change in changes:
        typer.echo(one_line(str(change)))


def _make_row(point: HistoryPoint) -> tuple[str, ...]:
    when = time.strftime("%H:%M:%S", time.localtime(point.time))
    what = point.message if point.on_path else f"({ABANDONED}) {point.message}"
    ran, following = _count_nodes(point.ran), _count_nodes(point.next)
    return str(point.number), when, ran, following, strip_controls(what)


def _count_nodes(nodes: Iterable[str]) -> str:
    """Each node once, with how many of it ran at the same time."""
    every = list(nodes)
    return ", ".join(
        f"{name} x{every.count(name)}" if every.count(name) > 1 else name
        for name in dict.fromkeys(every)
    )
