"""A session as a file for others, or on standard output."""

import sys
from pathlib import Path

import typer

from forager.errors import UsageError
from forager.settings import Settings
from graphs.reports.exports import FORMATS, PDF
from graphs.sessions.archive import ZIP
from ui.asking import with_sessions
from ui.faults import FULL


def export_session(settings: Settings, id: str, form: str, out: Path | None) -> None:
    """Write a session as a document; without a format the file's name tells it, or it is `md`."""
    named = out.suffix.removeprefix(".").lower() if out else ""
    form = form or (named if named in (*FORMATS, ZIP) else "md")
    if form in {PDF, ZIP} and out is None and sys.stdout.isatty():
        raise UsageError(
            f"A {form.upper()} is nothing for a terminal.", f"Name a file: --out FILE.{form}"
        )
    body = with_sessions(settings, lambda to: to.export(id, form))
    if out is None:
        typer.echo(body, nl=False)
        return
    try:
        out.write_bytes(body)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise UsageError(
            f"{out} cannot be written: {error.strerror}.", "Name another file for --out."
        ) from error


def import_session(settings: Settings, file: Path) -> None:
    """Take in a session that was exported whole."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.", "Name another.") from error
    id = with_sessions(settings, lambda to: to.import_(data))
    typer.echo(f"Session {id} is imported.")
