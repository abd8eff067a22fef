"""The commands about the installation as a whole."""

from pathlib import Path
from typing import Annotated

import typer

from ui.cli.flags import ALLOW_PRIVATE, BASE_URL, GRAPH, SECRETS, SET


def ui(
    port: Annotated[
        int | None,
        typer.Option(
            metavar="P", min=0, max=65535, help="The port; by default 8501 or the next free one."
        ),
    ] = None,
    address: Annotated[
        str, typer.Option(metavar="A", help="The address of this machine to serve on.")
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the browser.")
    ] = False,
    set_password: Annotated[
        bool, typer.Option("--set-password", help="Set a password for the login, and exit.")
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The data folder; by default FORAGER_DATA."),
    ] = None,
    base_url: Annotated[str, BASE_URL] = "",
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    secrets: Annotated[Path | None, SECRETS] = None,
) -> None:
    """Serve the web UI on this machine and open it in the browser; Ctrl-C ends it."""
    from ui.cli.logs import print_progress
    from ui.cli.options import read_settings

    settings = read_settings(allow_private or (), base_url, secrets=secrets, data=data)
    print_progress(f"Loading the web UI. The data folder is {settings.data}.")
    from ui.cli.actions import web_ui

    if set_password:
        web_ui.set_password(settings.data)
    else:
        web_ui.serve_until_stopped(settings, address, port, browser=not no_browser)


def demo(
    question: Annotated[
        str, typer.Argument(metavar="[QUESTION]", help="Another question than the three.")
    ] = "",
    graph: Annotated[str, GRAPH] = "forager",
    set: Annotated[list[str] | None, SET] = None,
) -> None:
    """Ask the handbook three questions, or one of yours; needs no key and no network."""
    from ui.cli.actions.demo import run_demo
    from ui.cli.options import read_values

    run_demo(question, graph, read_values(set or ()))


def doctor(
    bundle: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.zip",
            help="Also write what a bug report needs: versions, these findings, settings without "
            "secrets, the last log. No question, page or key is in it.",
        ),
    ] = None,
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Also ask the language model two small questions."),
    ] = False,
    whole: Annotated[
        bool,
        typer.Option("--whole", help="Also read every session, and look up every quote."),
    ] = False,
) -> None:
    """Report what was found on this machine and what is missing."""
    from ui.cli.actions.doctor import report_findings
    from ui.cli.options import read_settings

    report_findings(read_settings(), bundle, probe=probe, whole=whole)
