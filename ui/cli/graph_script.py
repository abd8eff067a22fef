"""The command line of a graph that was exported as Python."""

import asyncio
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from forager.domain.parameters import Parameter, describe_parameter
from forager.domain.state import Question
from forager.errors import ForagerError, UsageError
from forager.text.unicode import escape_json
from graphs.exchange.script_run import Build, run_script
from graphs.sessions.model_choice import settle_models
from graphs.spec.edit import set_defaults
from ui.cli.exit_codes import FAILED, STATUS_CODES, USAGE, print_error
from ui.cli.flags import (
    ALLOW_PRIVATE,
    BASE_URL,
    BUDGET,
    JSON,
    MODEL,
    QUESTION,
    SEED,
    SITE,
    YES_DESTRUCTIVE,
)
from ui.cli.options import choose_model, read_budget, read_settings, read_values
from ui.cli.printing.progress import ApprovalPrompt, RunProgress
from ui.cli.printing.report_text import print_report


def main(build: Build, name: str, parameters: Mapping[str, Parameter] | None = None) -> None:
    """Ask the graph that `build` makes the question of the command line, and print the answer.

    `--set` gives values to the graph's parameters.
    """
    about = "; ".join(map(describe_parameter, (parameters or {}).items()))
    option = typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help=f"Set a parameter of the graph; repeatable. {escape(about)}",
        hidden=not parameters,
        show_default=False,
    )

    def ask(  # noqa: PLR0913, PLR0917
        question: Annotated[str, QUESTION],
        site: Annotated[list[str] | None, SITE] = None,
        model: Annotated[list[str] | None, MODEL] = None,
        base_url: Annotated[str, BASE_URL] = "",
        budget: Annotated[str, BUDGET] = "",
        values: Annotated[list[str] | None, option] = None,
        seed: Annotated[int, SEED] = 0,
        allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
        yes_destructive: Annotated[bool, YES_DESTRUCTIVE] = False,
        as_json: Annotated[bool, JSON] = False,
    ) -> None:
        """Ask sites, or the web, a question and print the cited answer. No session is kept."""
        try:
            limits, given = read_budget(budget), read_values(values or ())
            set_defaults(parameters or {}, given, name)
            settings = read_settings(allow_private or (), base_url)
            line = settle_models(choose_model(model, settings), settings, limits)
            asked = Question(text=question, sites=tuple(site or ()), budget=limits, seed=seed)
            with RunProgress(Console(stderr=True, highlight=False)) as progress:
                report = asyncio.run(
                    run_script(
                        build,
                        name,
                        asked,
                        model=line,
                        values=given,
                        settings=settings,
                        watcher=progress,
                        decide=ApprovalPrompt(progress, approve_all=yes_destructive, headed=False),
                    )
                )
        except ForagerError as error:
            print_error(str(error))
            raise typer.Exit(USAGE if isinstance(error, UsageError) else FAILED) from error
        if as_json:
            typer.echo(escape_json(report.model_dump_json(indent=2)))
        else:
            print_report(report, Console(highlight=False))
        raise typer.Exit(STATUS_CODES[report.status])

    typer.run(ask)
