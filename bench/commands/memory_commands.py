"""The benches of memory as commands: `./run bench memory NAME`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from bench.commands.options import DATA, LIMIT, QUESTIONS, SITES, TYPES, aside, names, own_settings
from graphs.sessions.model_choice import choose_models

app = typer.Typer(help="What memory brings, and what it costs.", no_args_is_help=True)


@app.command("passes")
def passes_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, typer.Option(metavar="NAME|FILE", help="The graph.")] = "forager",
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="As in `ask`.")] = "",
    types: Annotated[str, TYPES] = "single,multi,cross,abstain",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seeds the choice, the order and every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Rows, one file for each pass beside it.")
    ] = None,
) -> None:
    """Right answers and page loads of a set asked twice over, and afresh without memory."""
    from bench.memory.passes import asked_twice, lines
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import choose_records, load_records, read_sites

    settings = own_settings(data)
    plan = ExperimentPlan(
        records=choose_records(load_records(questions), names(types), limit, seed),
        sites=read_sites(sites),
        graphs=[graph],
        model=choose_models([model], settings),
        seed=seed,
        out=out or settings.data / time.strftime("passes-%m%d-%H%M%S"),
    )
    found = asked_twice(plan, settings, aside)
    for line in lines(found, plan.records):
        typer.echo(line)


@app.command("retrieval")
def retrieval_command(
    tasks: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Tasks of Mind2Web, as a JSON list.")
    ],
    samples: Annotated[int, typer.Option(min=1, help="Steps that are asked for.")] = 600,
    seed: Annotated[int, typer.Option(help="Seeds the choice of steps.")] = 0,
) -> None:
    """Same next element and same website among the best three, facet by facet."""
    from bench.memory.retrieval import lines, run

    for line in lines(run(tasks, own_settings(), samples, seed, aside)):
        typer.echo(line)


@app.command("conversations")
def conversations_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, typer.Option(metavar="NAME|FILE", help="The graph.")] = "forager",
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="As in `ask`.")] = "",
    only: Annotated[str, typer.Option(metavar="A,B,…", help="Only these conversations.")] = "",
    seed: Annotated[int, typer.Option(help="Seeds every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Right turns and page loads of conversations, beside the same turns asked without memory."""
    from bench.memory.conversations import Plan, lines, read, run
    from graphs.experiments.question_set import read_sites

    settings = own_settings(data)
    plan = Plan(
        conversations=read(questions, names(only)),
        sites=read_sites(sites),
        graph=graph,
        model=choose_models([model], settings),
        seed=seed,
    )
    found = run(plan, settings, questions, aside)
    for line in lines(found):
        typer.echo(line)


@app.command("warm")
def warm_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, typer.Option(metavar="NAME|FILE", help="The graph.")] = "forager",
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="As in `ask`.")] = "",
    only: Annotated[str, typer.Option(metavar="A,B,…", help="Only these conversations.")] = "",
    seed: Annotated[int, typer.Option(help="Seeds every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """How much sooner a question finds its page on a site that was asked another one before."""
    from bench.memory.conversations import read
    from bench.memory.warm_start import lines, records, warmed
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import read_sites
    from ui.cli.options import read_settings

    settings = read_settings()
    folder = data or settings.data / "bench"
    plan = ExperimentPlan(
        records=records(read(questions, names(only))),
        sites=read_sites(sites),
        graphs=[graph],
        model=choose_models([model], settings),
        seed=seed,
        out=folder / time.strftime("warm-%m%d-%H%M%S"),
    )
    own = settings.model_copy(update={"data": folder})
    for line in lines(warmed(plan, own, aside)):
        typer.echo(line)


@app.command("scale")
def scale_command(
    tasks: Annotated[
        Path, typer.Option("--data", metavar="FILE", help="Tasks of Mind2Web, as a JSON list.")
    ],
    records: Annotated[int, typer.Option(min=10, help="Snippets that are kept.")] = 100_000,
    samples: Annotated[int, typer.Option(min=1, help="Steps that are asked for.")] = 500,
    seed: Annotated[int, typer.Option(help="Seeds what the snippets are made of.")] = 0,
) -> None:
    """How fast a full memory keeps and finds, and what it finds beside an exact search."""
    from bench.memory.scale import Size, lines, run

    size = Size(records=records, samples=samples, seed=seed)
    measured = run(tasks, own_settings(), size, aside)
    for line in lines(measured):
        typer.echo(line)
