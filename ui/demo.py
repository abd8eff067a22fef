"""The demo: the handbook, served on loopback, is asked three questions with the offline model."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import Report, Sessions
from graphs.spec.registry import REGISTRY
from ui.asking import with_sessions
from ui.faults import FAILED, INTERRUPTED, say_error
from ui.generated import generated
from ui.handbook import render, written
from ui.options import OFFLINE, read_settings
from ui.progress import Watching
from ui.serve import HOST, served
from ui.show import show

GRAPH = "forager"
NEXT = """\
Next, ask a site of your own, and look at how the answer was found:
  ./run ask "YOUR QUESTION" --site https://SITE/
  ./run sessions
  ./run graph draw forager"""


class Asked(NamedTuple):
    """A question of the demo, and what it takes to answer it."""

    needs: str
    text: str


QUESTIONS = (
    Asked("one page", "What happens to a quote that does not stand in the stored page?"),
    Asked(
        "two pages",
        "How many rounds does a question get by default, and after how many hours is a survey "
        "revalidated?",
    ),
    Asked(
        "several pages",
        "Which exit code means partial, which paper does the preset mango follow, and how many "
        "dimensions have the vectors of the built-in embedder?",
    ),
)


def run_demo() -> None:
    """Ask the questions and print the cited answers; exits with 1 unless all three are answered."""
    out, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    try:
        with handbook() as root, settings() as ours:
            reports = [ask(ours, root, asked, out, errors) for asked in QUESTIONS]
    except KeyboardInterrupt:
        say_error("Interrupted. Start the demo again at any time: it leaves nothing behind.")
        raise typer.Exit(INTERRUPTED) from None
    unanswered = [report for report in reports if report.status != "answered"]
    if unanswered:
        say_error(f"{len(unanswered)} of {len(reports)} questions were not answered.")
        raise typer.Exit(FAILED)
    out.print(NEXT, markup=False, soft_wrap=True)


@contextmanager
def handbook() -> Iterator[str]:
    """The root address of the handbook, generated pages included, while it is served."""
    with served(pages()) as root:
        yield root


def pages() -> dict[str, bytes]:
    """The handbook's pages by path, generated ones included."""
    return render(written() | generated(REGISTRY))


@contextmanager
def settings() -> Iterator[Settings]:
    """Settings that need no network and leave nothing behind.

    The data folder is a temporary one: the handbook's address holds for this run alone, so what
    the normal folder would keep of it, its pages and sessions, could not be opened or resumed.
    """
    with tempfile.TemporaryDirectory(prefix="forager-demo-", ignore_cleanup_errors=True) as data:
        ours = {"data": Path(data), "allow_private": (HOST,), "embedding_url": None}
        yield read_settings().model_copy(update=ours)


def ask(settings: Settings, root: str, asked: Asked, out: Console, errors: Console) -> Report:
    """Ask one question and print it with its answer."""
    number = QUESTIONS.index(asked) + 1
    out.print(Text(f"Question {number}, which needs {asked.needs}", "dim"))
    out.print(Text(asked.text, "bold green"), soft_wrap=not out.is_terminal)
    out.print()

    async def run(sessions: Sessions) -> Report:
        question = Question(text=asked.text, sites=(root,))
        id = await sessions.start(question, GRAPH, OFFLINE, f"demo-{number}")
        return await sessions.run(id, watching)

    with Watching(errors) as watching:
        report = with_sessions(settings, run)
    show(report, out)
    out.print()
    return report
