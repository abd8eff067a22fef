"""Options that several commands share, and helpers to read them."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from forager.settings import Settings
    from graphs.experiments.question_set import Record


class JudgePromptChoice(StrEnum):
    """Whose prompt a judge is asked with."""

    published = "published"
    forager = "forager"


QUESTIONS = typer.Option(metavar="FILE", help="Questions with gold answers, as JSON lines.")
SITES = typer.Option(
    metavar="ID=ADDRESS,…|FILE", help="Addresses of the sites that the questions name."
)
TYPES = typer.Option(metavar="A,B,…", help="Ask questions of these types only.")
LIMIT = typer.Option(min=0, metavar="N", help="Ask N random questions only; 0 asks all.")
DATA = typer.Option(metavar="FOLDER", help="Folder that keeps surveys and sessions between runs.")
GRAPH = typer.Option(metavar="NAME|FILE", help="Graph to run.")
ONE_MODEL = typer.Option(metavar="PROVIDER:NAME", help="Model for all roles, as in `ask`.")
ONLY = typer.Option(metavar="A,B,…", help="Only these conversations.")
SEED = typer.Option(help="Seed of every draw.")
MIND2WEB = typer.Option("--data", metavar="FILE", help="Mind2Web tasks, as a JSON list.")
SAMPLES = typer.Option(min=1, help="Steps to query for.")
MODEL = typer.Option(
    metavar="[ROLE=]PROVIDER:NAME", help="Model for all roles, or for one, as in `ask`."
)
BASE_URL = typer.Option(metavar="ADDRESS", help="OpenAI-compatible endpoint, up to /v1.")
JUDGE = typer.Option(
    metavar="PROVIDER:NAME", help="Model that grades answers in addition to the string metrics."
)
JUDGE_PROMPT = typer.Option(help="The prompt of the set's authors, or the project's own.")
JUDGE_URL = typer.Option(metavar="ADDRESS", help="Endpoint of the judge, if different.")


def bench_settings(data: Path | None = None, base_url: str = "") -> "Settings":
    """Return the user's settings with a separate data folder for benchmarks.

    Memory and screenshots are off: results must not depend on other runs, and pictures take time.
    """
    from ui.cli.options import read_settings

    settings = read_settings(base_url=base_url)
    alone = settings.in_folder(data or settings.data / "bench")
    return alone.model_copy(update={"memory": False, "screenshots": False})


def read_records(
    questions: Path, types: str, limit: int = 0, seed: int = 0
) -> tuple["Record", ...]:
    """Return the questions of a file that the options choose. Raises UsageError."""
    from graphs.experiments.question_set import choose_records, load_records

    return choose_records(load_records(questions), split_names(types), limit, seed)


def split_names(text: str) -> list[str]:
    """Split a comma-separated list."""
    return list(filter(None, (name.strip() for name in text.split(","))))


def print_progress(line: str) -> None:
    """Print a line of progress to standard error."""
    typer.echo(line, err=True)
