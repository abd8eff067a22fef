"""Two graphs on the same questions, from the command line."""

import typer

from forager.settings import Settings
from graphs.experiments.side_by_side import beside, lines
from graphs.experiments.trial import Trial, run
from ui.plain import clean


def try_graphs(settings: Settings, trial: Trial, *, as_json: bool) -> None:
    """Ask both, and print what they made of it."""
    rows = run(trial, settings, lambda line: typer.echo(clean(line), err=True))
    if as_json:
        typer.echo("[" + ",".join(each.model_dump_json() for each in beside(rows)) + "]")
        return
    for line in (*lines(rows), f"Rows: {trial.out}"):
        typer.echo(clean(line))
