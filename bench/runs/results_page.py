"""The handbook's page of results: what runs of question sets gave, each with date and commit."""

import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from bench.questions.intervals import bootstrap_mean
from bench.runs.run_table import format_interval
from bench.runs.set_results import Result, score_rows
from bench.runs.set_rows import SetRow, read_finished
from bench.runs.set_tasks import SetTask, load_tasks
from forager.adapters.models.model_lines import ModelChoices, parse_model_line
from forager.domain.base import Frozen
from forager.errors import StoreError, UsageError
from graphs.experiments.question_set import load_records

ROOT = Path(__file__).parents[2]
INFO = "run.json"
ROWS = "rows.jsonl"
HEAD = """\
# Results

Measured with `./run bench run`, and written from its files by `./run bench results`:

    ./run bench serve-set bench/make_set/questions
    ./run bench run questions FILE --sites ID=ADDRESS,… --graph forager --seed 1 --out FOLDER
    ./run bench results FOLDER --out docs/results.md

Figures are percent, with the interval that holds 95 % of the means of resampled questions.
*Right* and *whole* are of the questions that a page answers: all gold strings in the answer, and
all of them as whole words (a yes or no as its first word). *Wrong* are those of them whose status
is answered although gold is missing. *Abstained* is of the questions that no page answers. Page
loads and calls of the model are means.

Methods are chosen on `first.jsonl`, among others, so its figures flatter them; `second.jsonl` is
kept for releases. `openai:desk` is a capable language model that saw the prompts alone,
`openai:qwen` a model of 1.5 billion parameters on the same machine. Runs of fewer than 60 questions
ask some drawn at random. `weboperator` and `self-map` follow links from the front page alone.
"""
COLUMNS = (
    "graph",
    "asked",
    "right",
    "whole",
    "wrong",
    "abstained",
    "page loads",
    "calls",
    "measured",
)


class RunInfo(Frozen):
    """What was asked, when, and of which commit; `questions` is a path in the project if it can."""

    set: str
    questions: str
    model: str
    seed: int
    date: str
    commit: str


class MeasuredRun(NamedTuple):
    """A run and its scored turns."""

    info: RunInfo
    results: Sequence[Result]


def write_info(folder: Path, name: str, questions: Path, model: str, seed: int) -> None:
    """Write what a run asks, beside its rows. Raises StoreError."""
    path = questions.resolve()
    inside = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    commits = [*_earlier_commits(folder), _describe_commit()]
    info = RunInfo(
        set=name,
        questions=inside.as_posix(),
        model=model,
        seed=seed,
        date=datetime.now(UTC).date().isoformat(),
        commit=", ".join(dict.fromkeys(filter(None, commits))),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / INFO).write_text(info.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder / INFO} cannot be written: {error}.", "Free space.") from error


def _earlier_commits(folder: Path) -> list[str]:
    """The commits of a run that goes on where it stopped."""
    return read_info(folder).commit.split(", ") if (folder / INFO).exists() else []


def read_info(folder: Path) -> RunInfo:
    """What a run asked. Raises UsageError."""
    try:
        return RunInfo.model_validate_json((folder / INFO).read_bytes())
    except (OSError, ValidationError) as error:
        raise UsageError(
            f"{folder} has no run: {error}.", "Name a folder that `bench run questions` wrote."
        ) from error


def read_run(folder: Path) -> MeasuredRun:
    """The run of a folder of `bench run`, scored. Raises UsageError."""
    info = read_info(folder)
    if info.set != "questions":
        raise UsageError(f"{folder} is a run of {info.set}.", "Name one of `bench run questions`.")
    rows = list(read_finished(folder / ROWS, SetRow).values())
    return MeasuredRun(info, score_rows(info.set, _load_tasks(ROOT / info.questions), rows))


def results_page(runs: Sequence[MeasuredRun]) -> str:
    """The page: a table for each file of questions, a row for each run and graph."""
    lines = [HEAD]
    for questions in dict.fromkeys(run.info.questions for run in runs):
        own = [run for run in runs if run.info.questions == questions]
        lines += [
            f"## `{questions}`",
            "",
            f"| {' | '.join(COLUMNS)} |",
            "|---" * len(COLUMNS) + "|",
        ]
        lines += [row for run in own for row in _rows(run)]
        lines.append("")
        lines += [*_type_table(own), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _rows(run: MeasuredRun) -> list[str]:
    graphs = _by_graph(run).items()
    return [f"| {' | '.join(_cells(name, run.info, own))} |" for name, own in graphs]


def _by_graph(run: MeasuredRun) -> Mapping[str, Sequence[Result]]:
    graphs: dict[str, list[Result]] = defaultdict(list)
    for result in run.results:
        graphs[result.row.graph].append(result)
    return graphs


def _type_table(runs: Sequence[MeasuredRun]) -> list[str]:
    """How many are right of each type of question, a row for each run; of `abstain`, as such."""
    types = sorted({name for run in runs for one in run.results for name in one.task.types})
    lines = [f"| right of each type | {' | '.join(types)} |", "|---" * (len(types) + 1) + "|"]
    for run in runs:
        for graph, results in _by_graph(run).items():
            counts = [_count_right(results, name) for name in types]
            lines.append(f"| {graph}, {_name_model(run.info)} | {' | '.join(counts)} |")
    return lines


def _count_right(results: Sequence[Result], name: str) -> str:
    own = [one.scores["right"] for one in results if name in one.task.types]
    return f"{sum(own):.0f} of {len(own)}" if own else "–"


def _cells(graph: str, info: RunInfo, results: Sequence[Result]) -> Sequence[str]:
    answerable = [one for one in results if one.gold]
    wrong = [one.row.status == "answered" and not one.scores["right"] for one in answerable]
    nothing = [one.scores["abstained"] for one in results if not one.gold]
    return (
        f"{graph}, {_name_model(info)}",
        str(len(results)),
        _percent([one.scores["right"] for one in answerable]),
        _percent([one.scores["whole"] for one in answerable]),
        _percent([float(each) for each in wrong]),
        f"{sum(nothing):.0f} of {len(nothing)}",
        f"{np.mean([one.row.actions for one in results]):.1f}",
        f"{np.mean([one.row.calls for one in results]):.1f}",
        f"{info.date}, {info.commit}",
    )


def _name_model(info: RunInfo) -> str:
    """The model line without the addresses of its endpoints."""
    line, bare = parse_model_line(info.model), {"base_url": ""}
    default = line.default.model_copy(update=bare)
    own = {role: choice.model_copy(update=bare) for role, choice in line.roles.items()}
    return ModelChoices(default=default, roles=own).to_line()


def _percent(values: Sequence[float]) -> str:
    return format_interval(bootstrap_mean(np.array(values))) if values else "–"


def _load_tasks(path: Path) -> list[SetTask]:
    """The tasks of a file, whose sites need not be served to be scored."""
    names = {name for record in load_records(path) for name in record.sites}
    return load_tasks("questions", path, {}, {name: f"https://{name}.invalid/" for name in names})


def _describe_commit() -> str:
    """The commit of the code that runs, with `+` if files differ from it; empty without git."""
    try:
        head, changes = (
            subprocess.run(  # noqa: S603
                ["git", *words],  # noqa: S607
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "-uno"))
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f"{head}+" if changes else head
