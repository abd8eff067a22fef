"""The commands of `./run bench memory`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from bench.commands.options import (
    DATA,
    GRAPH,
    LIMIT,
    MIND2WEB,
    ONE_MODEL,
    ONLY,
    QUESTIONS,
    SAMPLES,
    SEED,
    SITES,
    TYPES,
    bench_settings,
    print_progress,
    read_records,
    split_names,
)
from graphs.sessions.model_choice import choose_models

app = typer.Typer(help="Benchmark the benefit and the cost of memory.", no_args_is_help=True)


@app.command("passes")
def passes_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, GRAPH] = "forager",
    model: Annotated[str, ONE_MODEL] = "",
    types: Annotated[str, TYPES] = "single,multi,cross,abstain",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the choice, the order and every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Prefix of the result files, one per pass.")
    ] = None,
) -> None:
    """Ask a set without memory, then twice with it: right answers and page loads."""
    from bench.memory.passes import ask_in_passes, pass_lines
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import read_sites

    settings = bench_settings(data)
    plan = ExperimentPlan(
        records=read_records(questions, types, limit, seed),
        sites=read_sites(sites),
        graphs=[graph],
        model=choose_models([model], settings),
        seed=seed,
        out=out or settings.data / time.strftime("passes-%m%d-%H%M%S"),
    )
    found = ask_in_passes(plan, settings, print_progress)
    for line in pass_lines(found, plan.records):
        typer.echo(line)


@app.command("retrieval")
def retrieval_command(
    tasks: Annotated[Path, MIND2WEB],
    samples: Annotated[int, SAMPLES] = 600,
    seed: Annotated[int, typer.Option(help="Seed of the choice of steps.")] = 0,
) -> None:
    """Measure by facet how often the next element and the website are among the best three."""
    from bench.memory.retrieval import measure_retrieval, retrieval_lines

    for line in retrieval_lines(
        measure_retrieval(tasks, bench_settings(), samples, seed, print_progress)
    ):
        typer.echo(line)


@app.command("conversations")
def conversations_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, GRAPH] = "forager",
    model: Annotated[str, ONE_MODEL] = "",
    only: Annotated[str, ONLY] = "",
    seed: Annotated[int, SEED] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Compare right turns and page loads of conversations with the same turns asked alone."""
    from bench.memory.conversations import (
        ConversationPlan,
        accuracy_lines,
        read_conversations,
        run_conversations,
    )
    from graphs.experiments.question_set import read_sites

    settings = bench_settings(data)
    plan = ConversationPlan(
        conversations=read_conversations(questions, split_names(only)),
        sites=read_sites(sites),
        graph=graph,
        model=choose_models([model], settings),
        seed=seed,
    )
    found = run_conversations(plan, settings, questions, print_progress)
    for line in accuracy_lines(found):
        typer.echo(line)


@app.command("warm")
def warm_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, GRAPH] = "forager",
    model: Annotated[str, ONE_MODEL] = "",
    only: Annotated[str, ONLY] = "",
    seed: Annotated[int, SEED] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Measure how much sooner a question finds its page on a site that was asked before."""
    from bench.memory.conversations import read_conversations
    from bench.memory.warm_start import compare_starts, start_lines, turn_records
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import read_sites
    from ui.cli.options import read_settings

    settings = read_settings()
    folder = data or settings.data / "bench"
    plan = ExperimentPlan(
        records=turn_records(read_conversations(questions, split_names(only))),
        sites=read_sites(sites),
        graphs=[graph],
        model=choose_models([model], settings),
        seed=seed,
        out=folder / time.strftime("warm-%m%d-%H%M%S"),
    )
    own = settings.in_folder(folder)
    for line in start_lines(compare_starts(plan, own, print_progress)):
        typer.echo(line)


@app.command("scale")
def scale_command(
    tasks: Annotated[Path, MIND2WEB],
    records: Annotated[int, typer.Option(min=10, help="Snippets to store.")] = 100_000,
    samples: Annotated[int, SAMPLES] = 500,
    seed: Annotated[int, typer.Option(help="Seed of the snippets.")] = 0,
) -> None:
    """Measure insert and query speed of a full memory, and its recall against exact search."""
    from bench.memory.scale import MemorySize, measure_scale, scale_lines

    size = MemorySize(records=records, samples=samples, seed=seed)
    measured = measure_scale(tasks, bench_settings(), size, print_progress)
    for line in scale_lines(measured):
        typer.echo(line)
