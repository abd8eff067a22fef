"""The benches as commands: `./run bench NAME`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from bench.commands.memory_commands import app as remembering
from bench.commands.options import (
    BASE_URL,
    DATA,
    JUDGE,
    JUDGE_URL,
    LIMIT,
    MODEL,
    QUESTIONS,
    SITES,
    TYPES,
    aside,
    names,
    own_settings,
)
from graphs.sessions.model_choice import choose_models
from ui.cli.exit_codes import CommandGroup

app = typer.Typer(
    cls=CommandGroup,
    help="Measure answers, surveys, crawls and the bandit.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(remembering, name="memory")


@app.callback()
def main() -> None:
    """Measure; a bench is no test and takes its time."""


@app.command("answer")
def answer_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[
        str, typer.Option(metavar="A,B,…", help="Graphs: names of presets, or files.")
    ] = "forager,webwalker",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    judge: Annotated[str, JUDGE] = "",
    judge_base_url: Annotated[str, JUDGE_URL] = "",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seeds the choice and every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="JSON lines, one per question and graph; those there are kept."
        ),
    ] = None,
) -> None:
    """Gold pages read, right answers, valid quotes, abstentions, page loads and seconds."""
    from bench.questions.answer_run import run
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import choose_records, load_records, read_sites
    from graphs.experiments.summary import summary_lines

    settings = own_settings(data, base_url)
    plan = ExperimentPlan(
        records=choose_records(load_records(questions), names(types), limit, seed),
        sites=read_sites(sites),
        graphs=names(graph),
        model=choose_models(model, settings),
        judge=judge and choose_models([judge], own_settings(data, judge_base_url)),
        seed=seed,
        out=out or settings.data / time.strftime("answers-%m%d-%H%M%S.jsonl"),
    )
    rows = run(plan, settings, aside)
    for line in (*summary_lines(rows), f"Rows: {plan.out}"):
        typer.echo(line)


@app.command("score")
def score_command(
    name: Annotated[
        str, typer.Option("--set", metavar="fanoutqa|assistantbench|frames|webwalkerqa")
    ],
    gold: Annotated[Path, typer.Option(metavar="FILE", help="The set's questions with gold.")],
    answers: Annotated[
        Path, typer.Option(metavar="FILE", help="JSON lines, each with an id and an answer.")
    ],
    judge: Annotated[str, JUDGE] = "",
    judge_base_url: Annotated[str, JUDGE_URL] = "",
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """The published metrics of answers to a public question set."""
    from bench.questions.grades import Grading
    from bench.questions.set_metrics import run

    settings = own_settings(data, judge_base_url)
    grading = Grading(choose_models([judge], settings), settings, aside, answers) if judge else None
    for line in run(name, gold, answers, grading):
        typer.echo(line)


@app.command("tokens")
def tokens_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, typer.Option(metavar="NAME|FILE", help="The graph.")] = "forager",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seeds the choice and every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Prompt tokens per role, section, step and question; estimated where nothing is sent."""
    from bench.questions.prompt_tokens import Plan, lines, run
    from forager.adapters.models.model_lines import OFFLINE
    from graphs.experiments.question_set import choose_records, load_records, read_sites

    settings = own_settings(data, base_url)
    line = choose_models(model, settings)
    plan = Plan(
        records=choose_records(load_records(questions), names(types), limit, seed),
        sites=read_sites(sites),
        graph=graph,
        model=line,
        seed=seed,
    )
    for told in lines(run(plan, settings, aside), estimated=line == OFFLINE):
        typer.echo(told)


@app.command("survey")
def survey_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The graph whose surveyor ranks.")
    ] = "forager",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seeds the choice.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Recall of gold pages among the first 1, 5 and 10, beside plain BM25."""
    from bench.survey.gold_recall import lines, run
    from graphs.experiments.question_set import choose_records, load_records, read_sites

    records = choose_records(load_records(questions), names(types), limit, seed)
    for line in lines(run(records, read_sites(sites), graph, own_settings(data), aside)):
        typer.echo(line)


@app.command("peak")
def peak_command(
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="The site to survey.")],
    pages: Annotated[int, typer.Option(min=1, help="Pages at the most.")] = 2000,
) -> None:
    """Memory at its peak while a site is surveyed, indexed, embedded and ranked."""
    from bench.survey.peak_memory import run

    run(site, pages, typer.echo)


@app.command("crawl")
def crawl_command(
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="The site to crawl.")],
    pages: Annotated[int, typer.Option(min=1, help="Pages at the most.")] = 2000,
    rounds: Annotated[int, typer.Option(min=1, help="How often each crawler runs.")] = 3,
) -> None:
    """Pages a second, beside Scrapy and a bare loop doing the same work."""
    from bench.survey.crawl_rate import run

    run(site, typer.echo, pages, rounds)


@app.command("observe")
def observe_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    types: Annotated[str, TYPES] = "",
    pages: Annotated[int, typer.Option(min=1, help="Pages of the sites, gold ones first.")] = 50,
    tasks: Annotated[int, typer.Option(min=0, help="Pages of MiniWoB, at the most.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seeds the choice of pages.")] = 0,
) -> None:
    """Tokens and time of an observation beside Playwright's snapshot, and what is still in it."""
    import asyncio

    from bench.browser.observation_size import Plan, lines, look
    from graphs.experiments.question_set import (
        choose_records,
        load_records,
        read_sites,
        refuse_unserved,
    )

    records, places = choose_records(load_records(questions), names(types)), read_sites(sites)
    refuse_unserved(records, places)
    plan = Plan(pages=pages, tasks=tasks, seed=seed)
    for line in lines(asyncio.run(look(records, places, plan, aside))):
        typer.echo(line)


@app.command("miniwob")
def miniwob_command(
    tasks: Annotated[
        str, typer.Option(metavar="A,B,…", help="Only these tasks; all that have an oracle else.")
    ] = "",
    seeds: Annotated[int, typer.Option(min=1, help="Episodes of each task.")] = 5,
) -> None:
    """MiniWoB++ played by oracles: what the actions in a browser are worth, and their time."""
    import asyncio

    from bench.miniwob.oracle_run import ORACLES, lines, play

    picked = {task: ORACLES[task] for task in names(tasks) or sorted(ORACLES)}
    for line in lines(asyncio.run(play(picked, seeds, open_all=not tasks, say=aside))):
        typer.echo(line)


@app.command("bandit")
def bandit_command(
    runs: Annotated[int, typer.Option(min=1, help="Runs per cell.")] = 2000,
    signal: Annotated[float, typer.Option(min=0, max=1, help="Evidence on the gold arm.")] = 0.5,
    noise: Annotated[float, typer.Option(min=0, max=1, help="Evidence on another arm.")] = 0.1,
    seed: Annotated[int, typer.Option(help="Seeds every draw.")] = 0,
) -> None:
    """How often the bandit's updates find the arm that holds the answer, in simulation."""
    from rich.console import Console

    from bench.survey.bandit_simulation import simulate, table

    Console().print(table(simulate(runs, signal=signal, noise=noise, seed=seed)))


@app.command("backtrack")
def backtrack_command(
    episodes: Annotated[int, typer.Option(min=1, help="Walks to replay.")] = 100,
    seed: Annotated[int, typer.Option(help="Seeds the choice and every page.")] = 0,
) -> None:
    """States found again on pages that change between visits, and wrong ones accepted."""
    from bench.browser.backtrack import lines

    for line in lines(episodes, seed):
        typer.echo(line)


@app.command("destructive")
def destructive_command(
    apps: Annotated[
        str, typer.Option(metavar="A,B,…", help="Applications: datasette, django, dokuwiki, …")
    ] = "",
) -> None:
    """How well it is judged whether an action changes something on the server."""
    import asyncio

    from bench.browser.side_effects import APPS, lines, run

    rows = asyncio.run(run(names(apps) or tuple(APPS), typer.echo))
    for line in lines(rows):
        typer.echo(line)


@app.command("ui")
def ui_command() -> None:
    """The web UI with 500 sessions and three runs: paint, response, events, memory, stream."""
    import tempfile

    from bench.ui.figures import measure
    from graphs.experiments.text_table import align_columns

    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), aside)
    rows = [
        (one.name, f"{one.value:.2f} {one.unit}", f"{one.most:g}", f"{one.value / one.most:.2f}")
        for one in figures
    ]
    for line in align_columns(("figure", "measured", "at most", "ratio"), rows):
        typer.echo(line)


@app.command("canvas")
def canvas_command(
    nodes: Annotated[int, typer.Option(min=2, help="Nodes of the graph.")] = 60,
    moves: Annotated[int, typer.Option(min=10, help="Moves of the pointer.")] = 240,
) -> None:
    """How late a node follows the pointer that drags it, on a canvas with many."""
    import asyncio

    from bench.canvas.drag import lines, measure

    for line in lines(asyncio.run(measure(nodes, moves))):
        typer.echo(line)
