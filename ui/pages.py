"""The command that serves the web UI."""

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ui.flags import ALLOW, BASE_URL, SECRETS
from ui.plain import clean

PORT = 8501


def ui(
    port: Annotated[
        int | None,
        typer.Option(
            metavar="P", min=0, max=65535, help="The port; else 8501, or the next that is free."
        ),
    ] = None,
    address: Annotated[
        str, typer.Option(metavar="A", help="The address of this machine to serve on.")
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    set_password: Annotated[
        bool, typer.Option("--set-password", help="Ask for a password to log in with, and end.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data folder; else FORAGER_DATA.")
    ] = None,
    base_url: Annotated[str, BASE_URL] = "",
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    secrets: Annotated[Path | None, SECRETS] = None,
) -> None:
    """Serve the web UI on this machine and open it in the browser; Ctrl-C ends it."""
    from ui.options import read_settings

    settings = read_settings(allow_private or (), base_url, secrets=secrets, data=data)
    if set_password:
        _set_password(settings.data)
        return
    from ui.server.serving import serve

    left = serve(
        settings,
        address,
        port,
        browser=not no_browser,
        ready=lambda where: _say_where(where, port),
    )
    _say_how_to_go_on(left)
    _end()


def _set_password(folder: Path) -> None:
    from ui.server import password

    given = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    password.keep(folder, given)
    typer.echo("From its next start on, the web UI asks for this password.")


def _say_where(url: str, wished: int | None) -> None:
    moved = wished is None and not url.endswith(f":{PORT}/")
    taken = f"Port {PORT} is taken. " if moved else ""
    typer.echo(f"{taken}Forager is at {url} until you press Ctrl-C.")


def _say_how_to_go_on(left: Sequence[str]) -> None:
    """What stands as interrupted now."""
    typer.echo("Forager has ended.")
    if left:
        typer.echo("These runs were left, and lose nothing: start it again and resume them, or")
    for id in left:
        typer.echo(f"  forager resume {clean(id)}")


def _end() -> None:
    """Leave the threads that still work: what they do is not kept, and would be waited for."""
    own = threading.main_thread()
    if any(not one.daemon and one is not own for one in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
