"""The demo: the handbook, served on loopback, is asked three questions with the offline model."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import Report, Sessions
from ui.cli.actions.session_run import with_sessions
from ui.cli.exit_codes import FAILED, INTERRUPTED, print_error
from ui.cli.logs import is_quiet
from ui.cli.options import OFFLINE, read_settings
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


def run_demo() -> None:
    """Ask the questions and print the cited answers; exits with 1 unless all are answered."""
    out, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    try:
        with serve_handbook() as root, temporary_settings() as settings:
            reports = [ask_question(settings, root, asked, out, errors) for asked in QUESTIONS]
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
def temporary_settings() -> Iterator[Settings]:
    """Settings that need no network and leave nothing behind.

    The data folder is temporary: the handbook's address holds for this run alone, so pages and
    sessions kept in the normal folder could not be opened or resumed.
    """
    with tempfile.TemporaryDirectory(prefix="forager-demo-", ignore_cleanup_errors=True) as data:
        own = {"data": Path(data), "allow_private": (HOST,), "embedding_url": None}
        yield read_settings().model_copy(update=own)


def ask_question(
    settings: Settings, root: str, asked: DemoQuestion, out: Console, errors: Console
) -> Report:
    """Ask one question and print it with its answer."""
    number = QUESTIONS.index(asked) + 1
    out.print(Text(f"Question {number}, which needs {asked.needs}", "dim"))
    out.print(Text(asked.text, "bold green"), soft_wrap=not out.is_terminal)
    out.print()

    async def run(sessions: Sessions) -> Report:
        question = Question(text=asked.text, sites=(root,))
        id = await sessions.start(question, GRAPH, OFFLINE, f"demo-{number}")
        return await sessions.run(id, progress)

    progress = RunProgress(errors, quiet=is_quiet())
    with progress:
        report = with_sessions(settings, run)
    print_report(report, out)
    out.print()
    return report
