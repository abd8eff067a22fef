"""Asks two graphs the same questions and prints how they did."""

from collections.abc import Sequence
from pathlib import Path

import typer

from forager.domain.spend import Budget
from forager.errors import UsageError
from forager.settings import Settings
from graphs.experiments.question_set import Sites, read_sites
from graphs.experiments.side_by_side import beside, lines
from graphs.experiments.trial import Trial, checked, chosen, read_file, result_file, run, typed
from graphs.sessions.model_choice import settle
from ui.cli.logs import is_quiet, log_to_file
from ui.cli.printing.terminal_text import strip_controls


def plan_comparison(  # noqa: PLR0913
    settings: Settings,
    graphs: tuple[str, str],
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
    records = [*(read_file(file) if file else ()), *(typed(text, site) for text in asked)]
    return Trial(
        records=checked(records, known),
        graphs=chosen(settings, *graphs),
        model=settle(model, settings, budget),
        sites=known,
        seed=seed,
        budget=budget,
        out=out or result_file(settings),
    )


def compare_graphs(settings: Settings, trial: Trial, *, as_json: bool) -> None:
    """Run the comparison and print its result."""
    log_to_file(settings)

    def show_progress(line: str) -> None:
        if not is_quiet():
            typer.echo(strip_controls(line), err=True)

    rows = run(trial, settings, show_progress)
    if as_json:
        typer.echo("[" + ",".join(each.model_dump_json() for each in beside(rows)) + "]")
        return
    for line in (*lines(rows), f"Rows: {trial.out}"):
        typer.echo(strip_controls(line))
