"""The benches of memory as commands: `./run bench memory-…`."""

from pathlib import Path
from typing import Annotated

import typer


def add(app: typer.Typer) -> None:
    """Put them beside the others."""
    app.command("memory-retrieval")(retrieval)


def retrieval(
    tasks: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Tasks of Mind2Web, as a JSON list.")
    ],
    samples: Annotated[int, typer.Option(min=1, help="Steps that are asked for.")] = 600,
    seed: Annotated[int, typer.Option(help="Seeds the choice of steps.")] = 0,
) -> None:
    """Same next element and same website among the best three, facet by facet."""
    from bench.remembering.retrieval import lines, run
    from ui.options import read_settings

    settings = read_settings()
    own = settings.model_copy(update={"data": settings.data / "bench"})
    for line in lines(run(tasks, own, samples, seed, lambda told: typer.echo(told, err=True))):
        typer.echo(line)
