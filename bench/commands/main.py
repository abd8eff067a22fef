"""The commands of `./run bench`."""

import time
from pathlib import Path
from typing import Annotated

import typer

from bench.commands.memory_commands import app as remembering
from bench.commands.options import (
    BASE_URL,
    DATA,
    GRAPH,
    JUDGE,
    JUDGE_PROMPT,
    JUDGE_URL,
    LIMIT,
    MODEL,
    QUESTIONS,
    SEED,
    SITES,
    TYPES,
    JudgePromptChoice,
    bench_settings,
    print_progress,
    read_records,
    split_names,
)
from bench.commands.regression_command import regression_command
from bench.commands.run_command import results_command, run_command
from bench.commands.scale_commands import app as scaling
from bench.commands.set_commands import check_set_command, make_set_command, serve_set_command
from graphs.sessions.model_choice import choose_models
from ui.cli.exit_codes import FAILED, CommandGroup

app = typer.Typer(
    cls=CommandGroup,
    help="Benchmark answers, surveys, crawls, the browser, memory and the web UI.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(remembering, name="memory")
app.add_typer(scaling, name="scale")


@app.callback()
def main() -> None:
    """Benchmarks are not tests and take their time."""


app.command("run")(run_command)
app.command("results")(results_command)
app.command("regression")(regression_command)
app.command("make-set")(make_set_command)
app.command("check-set")(check_set_command)
app.command("serve-set")(serve_set_command)


@app.command("answer")
def answer_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[
        str, typer.Option(metavar="A,B,…", help="Graphs, by preset name or file.")
    ] = "forager,webwalker",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    judge: Annotated[str, JUDGE] = "",
    judge_base_url: Annotated[str, JUDGE_URL] = "",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the choice and of every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="JSON Lines file, one line per question and graph; lines that exist are kept.",
        ),
    ] = None,
) -> None:
    """Score answers: gold pages read, right answers, valid quotes, page loads, time."""
    from bench.questions.answer_run import ask_question_set
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import read_sites
    from graphs.experiments.summary import summary_lines

    settings, judging = bench_settings(data, base_url), bench_settings(data, judge_base_url)
    plan = ExperimentPlan(
        records=read_records(questions, types, limit, seed),
        sites=read_sites(sites),
        graphs=split_names(graph),
        model=choose_models(model, settings),
        judge=judge and choose_models([judge], judging),
        seed=seed,
        out=out or settings.data / time.strftime("answers-%m%d-%H%M%S.jsonl"),
    )
    rows = ask_question_set(plan, settings, print_progress, judging)
    for line in (*summary_lines(rows), f"Rows: {plan.out}"):
        typer.echo(line)


@app.command("ablate")
def ablate_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    parts: Annotated[
        str, typer.Option(metavar="A,B,…", help="Parts to switch off, one at a time; all if empty.")
    ] = "",
    graph: Annotated[str, GRAPH] = "forager",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the choice and of every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder of JSON Lines files; lines that exist are kept."
        ),
    ] = None,
) -> None:
    """Switch off one part of a graph at a time: the change in right answers, with intervals."""
    from bench.questions.ablation import ablation_lines, ask_without_parts
    from bench.questions.ablation_parts import PARTS
    from graphs.experiments.experiment import ExperimentPlan
    from graphs.experiments.question_set import read_sites

    settings = bench_settings(data, base_url)
    plan = ExperimentPlan(
        records=read_records(questions, types, limit, seed),
        sites=read_sites(sites),
        graphs=[graph],
        model=choose_models(model, settings),
        seed=seed,
        out=out or settings.data / time.strftime("ablation-%m%d-%H%M%S"),
    )
    found = ask_without_parts(plan, split_names(parts) or list(PARTS), settings, print_progress)
    for line in (*ablation_lines(found, plan.records), f"Rows: {plan.out}"):
        typer.echo(line)


@app.command("score")
def score_command(
    name: Annotated[
        str, typer.Option("--set", metavar="fanoutqa|assistantbench|frames|webwalkerqa|mind2web")
    ],
    gold: Annotated[
        Path, typer.Option(metavar="FILE", help="Questions of the set with gold answers.")
    ],
    answers: Annotated[
        Path,
        typer.Option(metavar="FILE", help="JSON Lines file; each line has an id and an answer."),
    ],
    judge: Annotated[str, JUDGE] = "",
    judge_base_url: Annotated[str, JUDGE_URL] = "",
    judge_prompt: Annotated[JudgePromptChoice, JUDGE_PROMPT] = JudgePromptChoice.published,
    lemmas: Annotated[
        str,
        typer.Option(
            metavar="MODEL|FOLDER|stems",
            help="spaCy model of FanOutQA's accuracy; default: the first that is installed.",
        ),
    ] = "",
    rouge: Annotated[bool, typer.Option("--rouge", help="FanOutQA: ROUGE-1, -2 and -L.")] = False,
    bleurt: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="FanOutQA: BLEURT with this checkpoint.")
    ] = None,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Score a file of answers to a public question set by the set's published metrics.

    FanOutQA's accuracy needs the lemmas of spaCy (dependency group `scoring`); without, the result
    says that it is approximate. Mind2Web's and MT-Mind2Web's predictions are a JSON list of
    ["ANNOTATION_ACTION", "ELEMENT", "OP VALUE"].
    """
    from bench.questions.grades import AnswerGrader
    from bench.questions.set_metrics import ScoreOptions, score_answers

    settings = bench_settings(data, judge_base_url)
    grading = (
        AnswerGrader(
            choose_models([judge], settings),
            settings,
            print_progress,
            answers,
            prompt=judge_prompt.value,
        )
        if judge
        else None
    )
    options = ScoreOptions(judge=grading, lemmas=lemmas, rouge=rouge, bleurt=bleurt)
    for line in score_answers(name, gold, answers, options):
        typer.echo(line)


@app.command("tokens")
def tokens_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[str, GRAPH] = "forager",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the choice and of every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Count prompt tokens per role, section, step and question; estimated without a model."""
    from bench.questions.prompt_tokens import TokenPlan, measure_tokens, token_lines
    from forager.adapters.models.model_lines import OFFLINE
    from graphs.experiments.question_set import read_sites

    settings = bench_settings(data, base_url)
    line = choose_models(model, settings)
    plan = TokenPlan(
        records=read_records(questions, types, limit, seed),
        sites=read_sites(sites),
        graph=graph,
        model=line,
        seed=seed,
    )
    for printed in token_lines(
        measure_tokens(plan, settings, print_progress), estimated=line == OFFLINE
    ):
        typer.echo(printed)


@app.command("survey")
def survey_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    graph: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Graph whose surveyor ranks the pages.")
    ] = "forager",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = 0,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Compare recall of gold pages among the first 1, 5 and 10 with plain BM25."""
    from bench.survey.gold_recall import rank_questions, recall_lines
    from graphs.experiments.question_set import read_sites

    records = read_records(questions, types, limit, seed)
    for line in recall_lines(
        rank_questions(records, read_sites(sites), graph, bench_settings(data), print_progress)
    ):
        typer.echo(line)


@app.command("peak")
def peak_command(
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="Site to survey.")],
    pages: Annotated[int, typer.Option(min=1, help="Maximum number of pages.")] = 2000,
) -> None:
    """Measure peak memory while a site is surveyed, indexed, embedded and ranked."""
    from bench.survey.peak_memory import measure_peaks

    measure_peaks(site, pages, typer.echo)


@app.command("crawl")
def crawl_command(
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="Site to crawl.")],
    pages: Annotated[int, typer.Option(min=1, help="Maximum number of pages.")] = 2000,
    rounds: Annotated[int, typer.Option(min=1, help="Runs of each crawler.")] = 3,
) -> None:
    """Compare pages per second with Scrapy and with a bare loop doing the same work."""
    from bench.survey.crawl_rate import compare_crawlers

    compare_crawlers(site, typer.echo, pages, rounds)


@app.command("observe")
def observe_command(
    questions: Annotated[Path, QUESTIONS],
    sites: Annotated[str, SITES],
    types: Annotated[str, TYPES] = "",
    pages: Annotated[int, typer.Option(min=1, help="Pages of the sites, gold pages first.")] = 50,
    tasks: Annotated[int, typer.Option(min=0, help="Maximum number of MiniWoB pages.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the choice of pages.")] = 0,
) -> None:
    """Compare tokens and time of observations with Playwright's snapshots, and what they keep."""
    import asyncio

    from bench.browser.observation_size import ObservationPlan, observation_lines, observe_pages
    from graphs.experiments.question_set import (
        read_sites,
        refuse_unserved,
    )

    records, places = read_records(questions, types), read_sites(sites)
    refuse_unserved(records, places)
    plan = ObservationPlan(pages=pages, tasks=tasks, seed=seed)
    for line in observation_lines(
        asyncio.run(observe_pages(records, places, plan, print_progress))
    ):
        typer.echo(line)


@app.command("miniwob")
def miniwob_command(
    tasks: Annotated[
        str, typer.Option(metavar="A,B,…", help="Tasks to play; default: all with an oracle.")
    ] = "",
    seeds: Annotated[int, typer.Option(min=1, help="Episodes per task.")] = 5,
) -> None:
    """Play MiniWoB++ with oracles: success and time of browser actions."""
    import asyncio

    from bench.miniwob.oracle_run import ORACLES, play_tasks, summary_lines

    picked = {task: ORACLES[task] for task in split_names(tasks) or sorted(ORACLES)}
    for line in summary_lines(
        asyncio.run(play_tasks(picked, seeds, open_all=not tasks, say=print_progress))
    ):
        typer.echo(line)


@app.command("bandit")
def bandit_command(
    runs: Annotated[int, typer.Option(min=1, help="Runs per cell.")] = 2000,
    signal: Annotated[
        float, typer.Option(min=0, max=1, help="Chance of evidence on the gold arm.")
    ] = 0.5,
    noise: Annotated[
        float, typer.Option(min=0, max=1, help="Chance of evidence on another arm.")
    ] = 0.1,
    seed: Annotated[int, SEED] = 0,
    questions: Annotated[Path | None, QUESTIONS] = None,
    sites: Annotated[str, SITES] = "",
    graph: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Graph whose surveyor and readers are used.")
    ] = "forager",
    types: Annotated[str, TYPES] = "",
    limit: Annotated[int, LIMIT] = 0,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of Thompson sampling, averaged.")] = 20,
    data: Annotated[Path | None, DATA] = None,
) -> None:
    """Count rounds until all gold pages are drawn; without questions, simulate the updates.

    With --questions and --sites, the sites are really surveyed and their pages really read. --runs,
    --signal and --noise are for the simulation.
    """
    from rich.console import Console

    from bench.survey.bandit_simulation import format_table, simulate_bandit

    if questions:
        from bench.survey.gold_draws import DrawPlan, draw_gold, draw_lines
        from graphs.experiments.question_set import read_sites

        records = read_records(questions, types, limit, seed)
        plan = DrawPlan(records=records, sites=read_sites(sites), graph=graph, seeds=seeds)
        for line in draw_lines(draw_gold(plan, bench_settings(data), print_progress)):
            typer.echo(line)
        return

    Console().print(format_table(simulate_bandit(runs, signal=signal, noise=noise, seed=seed)))


@app.command("backtrack")
def backtrack_command(
    episodes: Annotated[int, typer.Option(min=1, help="Trajectories to replay.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the choice and of every page.")] = 0,
) -> None:
    """Count states restored on pages that change between visits, and wrong ones accepted."""
    from bench.browser.backtrack import measure_backtrack

    for line in measure_backtrack(episodes, seed):
        typer.echo(line)


@app.command("destructive")
def destructive_command(
    apps: Annotated[
        str,
        typer.Option(
            metavar="A,B,…", help="Applications: datasette, django, dokuwiki, …; default: all."
        ),
    ] = "",
) -> None:
    """Measure how well side effects of actions on a server are predicted."""
    import asyncio

    from bench.browser.side_effects import APPS, run_scripts, score_lines

    rows = asyncio.run(run_scripts(split_names(apps) or tuple(APPS), typer.echo))
    for line in score_lines(rows):
        typer.echo(line)


@app.command("ui")
def ui_command() -> None:
    """Measure the web UI with 500 sessions and three runs: paint, clicks, events, memory."""
    import tempfile

    from bench.ui.figures import measure_web_ui
    from graphs.experiments.text_table import align_columns

    with tempfile.TemporaryDirectory() as folder:
        figures = measure_web_ui(Path(folder), print_progress)
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
    """Measure how far a dragged node lags behind the pointer on a large canvas."""
    import asyncio

    from bench.canvas.drag import drag_lines, measure_drag

    for line in drag_lines(asyncio.run(measure_drag(nodes, moves))):
        typer.echo(line)


@app.command("soak")
def soak_command(
    minutes: Annotated[float, typer.Option(min=0.01, help="How long jobs are given out.")] = 30.0,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="So many jobs instead, however long they take.")
    ] = None,
    seed: Annotated[int, SEED] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes on the data folder.")] = 2,
    memory: Annotated[
        bool, typer.Option("--memory/--no-memory", help="Runs learn, and recall what was learned.")
    ] = True,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Some runs drive a browser.")
    ] = True,
    longest: Annotated[
        float, typer.Option(min=0.1, help="Seconds that a fault that passes lasts at most.")
    ] = 18.0,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="An empty folder for data and logs, which is kept."),
    ] = None,
) -> None:
    """Run jobs of all kinds amid kills, a full disk and lost networks; then check all data.

    Exits with 1 if something is lost or twice, a job never ended, the worker that is never killed
    grew by more than 50 MB or 10 open files after its warm-up, or no browser was killed.
    """
    import tempfile

    from bench.soak.soak_run import SoakPlan, run_soak
    from bench.soak.soak_table import soak_lines

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        plan = SoakPlan(
            folder=folder or Path(temporary),
            seed=seed,
            minutes=minutes,
            jobs=jobs,
            workers=workers,
            memory=memory,
            browser=browser,
            longest=longest,
        )
        result = run_soak(plan, print_progress)
    for line in soak_lines(result):
        typer.echo(line)
    if not result.has_passed:
        raise typer.Exit(FAILED)
