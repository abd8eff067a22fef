"""The benches of memory as commands: `./run bench memory NAME`."""

from pathlib import Path
from typing import Annotated

import typer

from bench.remembering.twice import passes

QUESTIONS = typer.Option(metavar="FILE", help="Questions with gold answers, as JSON lines.")
SITES = typer.Option(
    metavar="ID=ADDRESS,…|FILE", help="Where the sites of the questions are served."
)
DATA = typer.Option(metavar="FOLDER", help="Where surveys and sessions are kept between runs.")


app = typer.Typer(help="What memory brings, and what it costs.", no_args_is_help=True)
app.command()(passes)


@app.command()
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


@app.command()
def conversations(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, typer.Option(metavar="NAME|FILE", help="The graph.")] = "forager",
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="As in `ask`.")] = "",
    only: Annotated[str, typer.Option(metavar="A,B,…", help="Only these conversations.")] = "",
    seed: Annotated[int, typer.Option(help="Seeds every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Right turns and page loads of conversations, beside the same turns asked without memory."""
    from bench.questions import read_sites
    from bench.remembering.conversations import Plan, lines, read, run
    from forager.models.roles import OFFLINE
    from forager.spend import Budget
    from graphs.models import settle
    from ui.options import read_settings

    settings = read_settings()
    folder = data or settings.data / "bench"
    # What other sessions have learned is not to be measured here.
    settings = settings.model_copy(update={"data": folder, "memory": False})
    plan = Plan(
        conversations=read(questions, [name for name in only.split(",") if name]),
        sites=read_sites(sites),
        graph=graph,
        model=settle(model or settings.model or OFFLINE, settings, Budget()),
        seed=seed,
    )
    found = run(plan, settings, questions, lambda line: typer.echo(line, err=True))
    for line in lines(found):
        typer.echo(line)


@app.command()
def scale(
    tasks: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Tasks of Mind2Web, as a JSON list.")
    ],
    records: Annotated[int, typer.Option(min=10, help="Snippets that are kept.")] = 100_000,
    samples: Annotated[int, typer.Option(min=1, help="Steps that are asked for.")] = 500,
    seed: Annotated[int, typer.Option(help="Seeds what the snippets are made of.")] = 0,
) -> None:
    """How fast a full memory keeps and finds, and what it finds beside an exact search."""
    from bench.remembering.scale import Size, lines, run
    from ui.options import read_settings

    settings = read_settings()
    own = settings.model_copy(update={"data": settings.data / "bench"})
    size = Size(records=records, samples=samples, seed=seed)
    measured = run(tasks, own, size, lambda told: typer.echo(told, err=True))
    for line in lines(measured):
        typer.echo(line)
