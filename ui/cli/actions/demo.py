"""The demo: the handbook, served on loopback, is asked with the offline model."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.model_choice import OFFLINE
from graphs.sessions.service import Report, Sessions
from graphs.spec.edit import with_values
from graphs.spec.library import open_library
from graphs.spec.plugins import plugin_folder
from graphs.spec.spec import GraphSpec
from ui.cli.actions.session_run import with_sessions
from ui.cli.exit_codes import FAILED, INTERRUPTED, print_error
from ui.cli.logs import is_quiet
from ui.cli.options import read_settings
from ui.cli.printing.progress import RunProgress
from ui.cli.printing.report_text import print_report
from ui.server.handbook.demo_questions import GRAPH, QUESTIONS, DemoQuestion
from ui.server.handbook.handbook_site import HOST, all_pages, serve_pages

NEXT = """\
The demo keeps no sessions. Next, ask a site of your own, and look at how the answer was found:
  forager ask "YOUR QUESTION" --site https://SITE/
  forager sessions
  forager graph draw forager
In a clone, type ./run for forager."""


def run_demo(
    question: str = "", graph: str = GRAPH, values: Mapping[str, str] | None = None
) -> None:
    """Ask the three questions, or another one, and print the cited answers.

    `values` are given to the parameters of the graph. Exits with 1 unless all are answered.
    """
    out, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    usual = read_settings()
    spec = with_values(open_library(usual).resolve(graph), values or {})
    questions = (DemoQuestion("", question),) if question else QUESTIONS
    try:
        with serve_handbook() as root, temporary_settings(usual) as settings:
            site = DemoSite(settings, root, spec)
            reports = [
                ask_question(site, number, asked, out, errors)
                for number, asked in enumerate(questions, 1)
            ]
    except KeyboardInterrupt:
        print_error("Interrupted. Start the demo again at any time: it leaves nothing behind.")
        raise typer.Exit(INTERRUPTED) from None
    unanswered = [report for report in reports if report.status != "answered"]
    if unanswered:
        print_error(f"{len(unanswered)} of {len(reports)} questions were not answered.")
        raise typer.Exit(FAILED)
    out.print(NEXT, markup=False, soft_wrap=True)


@contextmanager
def serve_handbook() -> Iterator[str]:
    """The root address of the handbook, generated pages included, while it is served."""
    with serve_pages(all_pages()) as root:
        yield root


@contextmanager
def temporary_settings(usual: Settings) -> Iterator[Settings]:
    """The usual settings, changed so that they need no network and leave nothing behind.

    The data folder is temporary: the handbook's address holds for this run alone, so pages and
    sessions kept in the normal folder could not be opened or resumed. Own nodes are the user's.
    """
    with tempfile.TemporaryDirectory(prefix="forager-demo-", ignore_cleanup_errors=True) as data:
        nodes = plugin_folder(usual)
        own = {"allow_private": (HOST,), "embedding_url": None, "own_nodes_folder": nodes}
        yield usual.in_folder(Path(data)).model_copy(update=own)


class DemoSite(NamedTuple):
    """The handbook at its address `root`, and what it is asked with."""

    settings: Settings
    root: str
    graph: str | GraphSpec = GRAPH


def ask_question(
    site: DemoSite, number: int, asked: DemoQuestion, out: Console, errors: Console
) -> Report:
    """Ask one question and print it with its answer."""
    if asked.needs:
        out.print(Text(f"Question {number}, which needs {asked.needs}", "dim"))
    out.print(Text(asked.text, "bold green"), soft_wrap=not out.is_terminal)
    out.print()

    async def run(sessions: Sessions) -> Report:
        question = Question(text=asked.text, sites=(site.root,))
        id = await sessions.start(question, site.graph, OFFLINE, f"demo-{number}")
        return await sessions.run(id, progress)

    progress = RunProgress(errors, quiet=is_quiet())
    with progress:
        report = with_sessions(site.settings, run)
    print_report(report, out)
    out.print()
    return report
