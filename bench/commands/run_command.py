"""The command `./run bench run`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bench.commands.options import (
    BASE_URL,
    DATA,
    JUDGE,
    JUDGE_PROMPT,
    JUDGE_URL,
    LIMIT,
    MODEL,
    SITES,
    JudgePromptChoice,
    bench_settings,
    print_progress,
    split_names,
)
from forager.errors import UsageError
from graphs.sessions.model_choice import choose_models

if TYPE_CHECKING:
    from forager.settings import Settings

MIND2WEB = "mind2web"
GRAPHS = typer.Option(metavar="A,B,…", help="Graphs, by preset name or file.")
MIRROR = typer.Option(metavar="ROOT=ADDRESS", help="Ask a mirror at this address for that root.")
OUT = typer.Option(metavar="FOLDER", help="Folder of the results; rows that exist are kept.")


def run_command(
    name: Annotated[
        str, typer.Argument(metavar="webwalkerqa|fanoutqa|frames|assistantbench|mind2web|questions")
    ],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The set's file of questions with answers.")
    ],
    graph: Annotated[str, GRAPHS] = "forager",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    mirror: Annotated[list[str] | None, MIRROR] = None,
    sites: Annotated[str, SITES] = "",
    judge: Annotated[str, JUDGE] = "",
    judge_base_url: Annotated[str, JUDGE_URL] = "",
    judge_prompt: Annotated[JudgePromptChoice, JUDGE_PROMPT] = JudgePromptChoice.published,
    limit: Annotated[int, LIMIT] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the choice and of every draw.")] = 0,
    data: Annotated[Path | None, DATA] = None,
    out: Annotated[Path | None, OUT] = None,
) -> None:
    """Ask a public question set; write rows, predictions in the set's form, and a report page.

    Nothing is downloaded but the pages that are read. WebWalkerQA's questions are asked of their
    sites; those of FanOutQA, FRAMES and AssistantBench of the web, or of a --mirror of Wikipedia.
    `mind2web`, also MT-Mind2Web, asks the navigator of a --graph that acts in a browser for each
    step on its recorded page, which the file must have. `questions` is a file in the project's own
    form (JSON lines, with --sites); all turns of its conversations are asked. A run that was
    stopped goes on where it stopped.
    """
    from bench.questions.grades import AnswerGrader
    from bench.runs.results_page import write_info
    from bench.runs.set_report import run_and_report
    from bench.runs.set_run import SetPlan, choose_tasks
    from bench.runs.set_tasks import load_tasks, read_mirrors
    from graphs.experiments.question_set import read_sites

    settings = bench_settings(data, base_url)
    if name == MIND2WEB:
        refuse_options({"--mirror": mirror, "--sites": sites, "--judge": judge})
        line = choose_models(model, settings)
        run_mind2web(file, split_names(graph), line, settings, out, limit, seed)
        return
    places, mirrors = read_sites(sites) if sites else {}, read_mirrors(mirror or ())
    plan = SetPlan(
        set=name,
        tasks=choose_tasks(load_tasks(name, file, mirrors, places), limit, seed),
        graphs=split_names(graph),
        model=choose_models(model, settings),
        seed=seed,
        rows=(out or settings.data / f"run-{name}") / "rows.jsonl",
        mirrors={**mirrors, **places},
    )
    judging = bench_settings(data, judge_base_url)
    line = choose_models([judge], judging) if judge else ""
    grader = AnswerGrader(line, judging, print_progress, plan.rows, prompt=judge_prompt.value)
    write_info(plan.rows.parent, name, file, plan.model, seed)
    for printed in run_and_report(plan, settings, grader if judge else None, print_progress):
        typer.echo(printed)


def refuse_options(given: Mapping[str, object]) -> None:
    """Raise UsageError for an option that means nothing to Mind2Web."""
    if wrong := next((name for name, value in given.items() if value), ""):
        raise UsageError(
            f"mind2web has no use for {wrong}: its pages and its metrics are its own.",
            f"Leave {wrong} out.",
        )


def run_mind2web(
    file: Path,
    graphs: Sequence[str],
    model: str,
    settings: "Settings",
    out: Path | None,
    limit: int,
    seed: int,
) -> None:
    """Ask the recorded steps of Mind2Web or MT-Mind2Web; `limit` is a number of tasks."""
    from bench.runs.results_page import write_info
    from bench.runs.set_run import choose_tasks
    from bench.runs.web_report import run_and_report_steps
    from bench.runs.web_run import StepPlan
    from bench.sets.web_steps import load_conversations

    plan = StepPlan(
        talks=choose_tasks(load_conversations(file), limit, seed),
        graphs=graphs,
        model=model,
        seed=seed,
        rows=(out or settings.data / f"run-{MIND2WEB}") / "rows.jsonl",
    )
    write_info(plan.rows.parent, MIND2WEB, file, model, seed)
    for printed in run_and_report_steps(plan, settings, print_progress):
        typer.echo(printed)


def results_command(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="FOLDER…", help="Folders that `bench run questions` wrote."),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the page there; print it if not set.")
    ] = None,
) -> None:
    """Write a page of results: a table for each question file, a row for each run and graph.

    Every row names the date and the commit of its run. `docs/results.md` is such a page.
    """
    from bench.runs.results_page import read_run, results_page

    page = results_page([read_run(folder) for folder in folders])
    if out:
        out.write_text(page, encoding="utf-8")
    typer.echo(f"{out}: {len(folders)} runs" if out else page)
