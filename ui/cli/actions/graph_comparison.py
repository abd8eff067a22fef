"""Asks two graphs the same questions and prints how they did."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from forager.domain.spend import Budget
from forager.errors import UsageError
from forager.settings import Settings
from forager.text.unicode import escape_json
from graphs.experiments.question_set import Sites, read_sites
from graphs.experiments.side_by_side import comparison_lines, summarize_graphs
from graphs.experiments.trial import (
    Trial,
    check_questions,
    choose_graphs,
    new_result_file,
    read_questions,
    run_trial,
    typed_question,
)
from graphs.sessions.model_choice import settle_models
from ui.cli.logs import is_quiet, log_to_file
from ui.cli.printing.terminal_text import strip_controls


def plan_comparison(  # noqa: PLR0913
    settings: Settings,
    graphs: tuple[str, str],
    values: Mapping[str, str],
    *,
    file: Path | None,
    asked: Sequence[str],
    site: Sequence[str],
    sites: str,
    model: str,
    budget: Budget,
    seed: int,
    out: Path | None,
) -> Trial:
    """The comparison that the command line describes. Raises UsageError."""
    if file is None and not asked:
        raise UsageError(
            "There is no question to ask.", 'Name questions with --ask "..." or --questions FILE.'
        )
    known: Sites = read_sites(sites) if sites else {}
    records = [
        *(read_questions(file) if file else ()),
        *(typed_question(text, site) for text in asked),
    ]
    return Trial(
        records=check_questions(records, known),
        graphs=choose_graphs(settings, *graphs, values),
        model=settle_models(model, settings, budget),
        sites=known,
        seed=seed,
        budget=budget,
        out=out or new_result_file(settings),
    )


def compare_graphs(settings: Settings, trial: Trial, *, as_json: bool) -> None:
    """Run the comparison and print its result."""
    log_to_file(settings)

    def show_progress(line: str) -> None:
        if not is_quiet():
            typer.echo(strip_controls(line), err=True)

    rows = run_trial(trial, settings, show_progress)
    if as_json:
        rows_as_json = ",".join(each.model_dump_json() for each in summarize_graphs(rows))
        typer.echo(f"[{escape_json(rows_as_json)}]")
        return
    for line in (*comparison_lines(rows), f"Rows: {trial.out}"):
        typer.echo(strip_controls(line))
