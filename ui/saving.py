"""The verbs of saved graphs: their versions, saving, restoring, and files."""

from pathlib import Path

import typer

from forager.errors import UsageError
from forager.settings import Settings
from graphs.spec.library import Version, open_library
from ui.faults import FULL
from ui.listing import hour, line, put
from ui.plain import clean

HEADINGS = ("version", "saved", "by", "hash", "from", "note")


def list_versions(settings: Settings, name: str) -> None:
    """Print the versions of a graph, the newest first."""
    rows = [
        (
            each.reference,
            hour(each.time),
            clean(each.author),
            each.hash[:12],
            each.origin,
            line(each.note),
        )
        for each in open_library(settings).versions(name)
    ]
    put(HEADINGS, rows, "")


def save_graph(settings: Settings, name: str, reference: str, note: str, base: int | None) -> None:
    """Save what a reference names as a new version."""
    library = open_library(settings)
    text, origin = library.text(reference)
    _said(library.save(name, text, note, base, settings.user, origin=origin))


def restore_graph(settings: Settings, name: str, number: int, note: str) -> None:
    """Make an earlier version the newest one."""
    _said(open_library(settings).restore(name, number, note, settings.user))


def rename_graph(settings: Settings, name: str, new: str) -> None:
    """Call a graph otherwise."""
    _said(open_library(settings).rename(name, new, settings.user))


def export_graph(settings: Settings, reference: str, out: Path | None) -> None:
    """Write the text of a graph."""
    text, _ = open_library(settings).text(reference)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        if error.errno in FULL:
            raise
        raise UsageError(
            f"{out} cannot be written: {error.strerror}.", "Name another file for --out."
        ) from error


def import_graph(settings: Settings, file: Path, name: str, note: str) -> None:
    """Save a file as a new graph, under its own name where none is given."""
    library = open_library(settings)
    place = f"./{file}" if file.parent == Path() else str(file)
    text, _ = library.text(place)
    _said(library.save(name or library.resolve(place).name, text, note, author=settings.user))


def delete_graph(settings: Settings, name: str) -> None:
    """Delete a graph."""
    open_library(settings).delete(name)
    typer.echo(f"Graph {name} is deleted.")


def _said(version: Version) -> None:
    typer.echo(f"Saved as {version.reference}, hash {version.hash[:12]}")
