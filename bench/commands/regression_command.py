"""The command `./run bench regression`."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from bench.commands.options import BASE_URL, bench_settings, print_progress
from graphs.sessions.model_choice import choose_models
from ui.cli.exit_codes import FAILED

KEPT = "openai:recorded"
FOLDER = typer.Option(
    metavar="FOLDER", help="Folder of the sites, questions, recordings and outcomes."
)


def regression_command(
    folder: Annotated[Path | None, FOLDER] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Write the outcomes, instead of comparing them.")
    ] = False,
    record_runs: Annotated[
        str,
        typer.Option(
            metavar="PROVIDER:NAME",
            help="Record the model runs with this model, and write all outcomes.",
        ),
    ] = "",
    keep_replies: Annotated[
        bool,
        typer.Option(
            "--keep-replies",
            help="The same with the recorded replies, if only the wording of prompts has changed.",
        ),
    ] = False,
    base_url: Annotated[str, BASE_URL] = "",
) -> None:
    """Ask the same questions of the same pages, and say what has changed since the last recording.

    Questions about two sites are asked offline, and runs with a language model are replayed. A
    change of an answer, a status, the quotes cited, the pages opened or a count gives exit code 1.
    Times and scores are not compared.
    """
    from bench.runs import regression
    from bench.runs.outcomes import write_outcomes

    where = folder or regression.FOLDER
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        data = Path(temporary)
        if record_runs or keep_replies:
            _record_runs(where, data / "recording", record_runs, base_url)
        found = regression.run_regression(where, data, print_progress)
    differences = regression.find_differences(where, found)
    for line in differences:
        typer.echo(line)
    if failed := regression.find_failures(where, found):
        typer.echo(f"Failed: {', '.join(failed)}. Nothing was written.")
        raise typer.Exit(FAILED)
    if record or record_runs or keep_replies:
        write_outcomes(where / regression.EXPECTED, found)
        typer.echo(f"{where / regression.EXPECTED}: {len(found)} outcomes")
    elif differences:
        typer.echo(f"Differences: {len(differences)}. {regression.INTENDED}")
        raise typer.Exit(FAILED)
    else:
        typer.echo(f"{len(found)} outcomes, all as recorded")


def _record_runs(folder: Path, data: Path, model: str, base_url: str) -> None:
    """Record the model runs with a model, or without one with the recorded replies."""
    from bench.runs import regression
    from bench.runs.kept_replies import read_replies, serve_replies

    with ExitStack() as stack:
        if not model:
            replies = read_replies(folder / regression.RECORDINGS)
            base_url = stack.enter_context(serve_replies(replies))
        settings = bench_settings(data, base_url)
        line = choose_models([model or KEPT], settings)
        regression.record_runs(folder, data, line, settings, print_progress)
