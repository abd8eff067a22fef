"""Serves the web UI until it is stopped, and sets its password."""

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import typer

from forager.settings import Settings
from forager.util.telemetry import flush_telemetry
from ui.cli.logs import log_to_file, print_progress
from ui.cli.printing.terminal_text import strip_controls
from ui.server.access.password_hash import save_password
from ui.server.backend import get_installation
from ui.server.sockets import DEFAULT_PORT
from ui.server.web_server import serve


def serve_until_stopped(
    settings: Settings, address: str, port: int | None, *, browser: bool
) -> None:
    """Serve, then say which runs were interrupted."""
    log_to_file(settings)
    interrupted = serve(
        settings,
        address,
        port,
        browser=browser,
        ready=lambda url: _print_address(url, port),
    )
    _print_interrupted(interrupted)
    flush_telemetry()
    _exit_without_waiting()


def set_password(folder: Path) -> None:
    """Ask for the password of the web UI and keep its hash in the data folder."""
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    save_password(folder, password)
    typer.echo(
        "The web UI asks for this password, and everybody who was logged in is logged out. "
        "A server that runs without a password asks from its next start."
    )


def _print_address(url: str, wanted: int | None) -> None:
    names = ", ".join(get_installation().home.own_sites.values())
    print_progress(f"Sites served on this machine, to try: {names}.")
    moved = wanted is None and not url.endswith(f":{DEFAULT_PORT}/")
    taken = f"Port {DEFAULT_PORT} is taken. " if moved else ""
    typer.echo(f"{taken}Forager is at {url} until you press Ctrl-C.")


def _print_interrupted(ids: Sequence[str]) -> None:
    typer.echo("Forager has stopped.")
    if ids:
        typer.echo(
            "These sessions were interrupted; nothing is lost. Resume them in the web UI, or:"
        )
    for id in ids:
        typer.echo(f"  forager resume {strip_controls(id)}")


def _exit_without_waiting() -> None:
    """Exit without waiting for threads, whose work is not kept."""
    own = threading.main_thread()
    if any(not one.daemon and one is not own for one in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
