"""Lists on the screen: a table on a terminal, tab-separated lines for a program."""

from collections.abc import Sequence
from typing import get_args

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from forager.errors import UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean
from graphs.sessions.listing import ListedLine, SessionStatus, find_sessions
from ui.cli.printing.terminal_text import local_time, one_line, strip_controls

SESSION_HEADINGS = ("session", "asked", "status", "graph", "question")
STATUSES = get_args(SessionStatus)
NO_SESSIONS = 'No sessions yet. Ask one: forager ask "QUESTION" --site ADDRESS'
NO_MATCH = "No sessions match."


def list_sessions(
    settings: Settings, text: str = "", statuses: Sequence[str] = (), tags: Sequence[str] = ()
) -> None:
    """Print the sessions, newest first; `text`, `statuses` and `tags` narrow the list."""
    unknown = next((each for each in statuses if each not in STATUSES), "")
    if unknown:
        raise UsageError(f"There is no status {unknown!r}.", did_you_mean(unknown, STATUSES))
    rows = [_make_session_row(item) for item in find_sessions(settings, text, statuses, tags)]
    none = NO_MATCH if text or statuses or tags else NO_SESSIONS
    print_rows(Console(highlight=False), SESSION_HEADINGS, rows, none)


def print_rows(
    console: Console,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    none: str,
    styles: Sequence[str] = (),
) -> None:
    """Print a table on a terminal, else tab-separated lines; without rows `none`, on stderr."""
    if not rows:
        typer.echo(none, err=True)
    elif not console.is_terminal:
        for cells in rows:
            typer.echo("\t".join(cells))
    else:
        table = Table(*headings, box=None, header_style="dim")
        for cells, style in zip(rows, styles or [""] * len(rows), strict=True):
            table.add_row(*map(Text, cells), style=style)
        console.print(table)


def _make_session_row(item: ListedLine) -> tuple[str, ...]:
    """Id, local time, status, graph and name of a session, with its tags and number of turns."""
    session = item.line
    turn = f"({session.turn}) " if session.turn > 1 else ""
    marks = (*(["pinned"] if session.pinned else []), *session.tags)
    name = "".join(f"[{one_line(mark)}] " for mark in marks) + turn + one_line(session.name)
    return (
        session.id,
        local_time(session.created),
        item.status,
        strip_controls(session.graph),
        name,
    )
