"""Sessions as files: export, import, and the check of an export's quotes."""

import asyncio
import sys
from itertools import chain, count
from pathlib import Path

import typer
from rich.console import Console

from forager.errors import UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean
from graphs.reports.exports.formats import FORMATS
from graphs.reports.exports.verify import verify_export
from graphs.sessions.archive import ZIP, missing_pages
from graphs.sessions.import_trust import IMPORTED
from graphs.sessions.service import Sessions
from ui.cli.actions.session_run import with_sessions
from ui.cli.exit_codes import DISK_FULL, UNVERIFIED
from ui.cli.printing.quote_check import print_quote_check
from ui.cli.printing.terminal_text import strip_controls

DOCUMENTS = (*FORMATS, ZIP)
BINARY = frozenset({"pdf", "docx", ZIP})
DEFAULT = "md"
CSL_ENDING = ".csl.json"
VERIFIABLE = frozenset({"json", "csv"})


def export_session(
    settings: Settings, id: str, form: str, out: Path | None, parts: str = ""
) -> None:
    """Write a session as a document; without a format, the file's name decides.

    In a folder it gets a name from its title, which is printed; no file there is overwritten.
    """
    form = form or _format_of(out)
    if form not in DOCUMENTS:
        raise UsageError(
            f"There is no format {form!r}.", did_you_mean(form, DOCUMENTS) or "Use --format."
        )
    if form in BINARY and out is None and sys.stdout.isatty():
        raise UsageError(
            f"A {form.upper()} cannot be shown on a terminal.", f"Name a file: --out FILE.{form}"
        )

    async def work(sessions: Sessions) -> tuple[bytes, str]:
        from ui.server.examples.example_sites import (  # noqa: PLC0415
            name_shipped_sites,  # with the handbook, which other commands do not need
        )

        names = name_shipped_sites(settings.data)
        document = await sessions.export(id, form, parts, sites=names)
        return document, await sessions.export_name(id, form)

    body, name = with_sessions(settings, work)
    if out is None:
        typer.echo(body, nl=False)
    elif out.is_dir():
        file = _free_name(out / name)
        write_file(file, body)
        typer.echo(file)
    else:
        write_file(out, body)
    if form == ZIP and (missing := missing_pages(body)):
        typer.echo(strip_controls(missing), err=True)


def _free_name(file: Path) -> Path:
    """The file, with a number before its ending if there is one of this name."""
    stem, dot, ending = file.name.rpartition(".")
    if stem.endswith(".csl"):
        stem, ending = stem.removesuffix(".csl"), f"csl.{ending}"
    names = (f"{stem}-{number}{dot}{ending}" for number in count(2))
    return next(path for path in chain([file], map(file.with_name, names)) if not path.exists())


def write_file(out: Path, body: bytes) -> None:
    """Write an output file. Raises UsageError where that cannot be done."""
    try:
        out.write_bytes(body)
    except OSError as error:
        if error.errno in DISK_FULL:
            raise
        raise UsageError(
            f"{out} cannot be written: {error.strerror}.", "Name another file for --out."
        ) from error


def import_session(settings: Settings, file: Path, *, own_nodes: bool = False) -> None:
    """Import a session that was exported as zip, and tell what of it was left out."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}.", "Name another file."
        ) from error

    async def work(sessions: Sessions) -> tuple[str, list[str]]:
        id = await sessions.archive.import_zip(data, own_nodes=own_nodes)
        return id, [
            each.message for each in (await sessions.events(id))[-1:] if each.kind == IMPORTED
        ]

    id, notes = with_sessions(settings, work)
    typer.echo(f"Imported session {id}.")
    for note in notes:
        typer.echo(strip_controls(f"It was {note}."), err=True)


def print_verification(settings: Settings, file: Path, *, live: bool) -> None:
    """Check an export's quotes and print the result; exits with 5 unless every quote is found."""
    form = _suffix(file)
    if form in DOCUMENTS and form not in VERIFIABLE and file.is_file():
        raise UsageError(
            f"{file} is an export in {form.upper()}; verify reads JSON and CSV exports.",
            "Export the session again: forager export ID --out FILE.json",
        )
    found = asyncio.run(verify_export(file, settings, live=live))
    print_quote_check(found, Console(highlight=False))
    if not found.all_stand:
        raise typer.Exit(UNVERIFIED)


def _format_of(out: Path | None) -> str:
    """The format that a file's name asks for. Raises UsageError for an unknown ending."""
    named = _suffix(out) if out and not out.is_dir() else ""
    if not named:
        return DEFAULT
    if named not in DOCUMENTS:
        raise UsageError(
            f"{out} does not name a format: .{named} is not one of {', '.join(DOCUMENTS)}.",
            f"Change its ending, or add --format, such as --format {DEFAULT}.",
        )
    return named


def _suffix(file: Path) -> str:
    """The format in a file's name. References in CSL-JSON end in `.csl.json`."""
    if file.name.lower().endswith(CSL_ENDING):
        return "csl"
    return file.suffix.removeprefix(".").lower()
