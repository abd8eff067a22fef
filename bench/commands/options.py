"""What the commands of the benches share: their options, and what is made of these."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from forager.settings import Settings

QUESTIONS = typer.Option(metavar="FILE", help="Questions with gold answers, as JSON lines.")
SITES = typer.Option(
    metavar="ID=ADDRESS,…|FILE", help="Where the sites of the questions are served."
)
TYPES = typer.Option(metavar="A,B,…", help="Only questions of these types.")
LIMIT = typer.Option(min=0, metavar="N", help="Only N questions, drawn at random; 0 means all.")
DATA = typer.Option(metavar="FOLDER", help="Where surveys and sessions are kept between runs.")
MODEL = typer.Option(
    metavar="[ROLE=]PROVIDER:NAME", help="The model of all roles, or of one; as in `ask`."
)
BASE_URL = typer.Option(metavar="ADDRESS", help="An OpenAI-compatible endpoint, up to /v1.")
JUDGE = typer.Option(
    metavar="PROVIDER:NAME", help="A model that grades answers beside the string metrics."
)
JUDGE_URL = typer.Option(metavar="ADDRESS", help="The judge's endpoint, if it has another.")


def own_settings(data: Path | None = None, base_url: str = "") -> "Settings":
    """The user's settings, with a data folder for benches alone.

    Nothing of other runs is remembered, and no pictures are kept, which take time.
    """
    from ui.cli.options import read_settings

    settings = read_settings(base_url=base_url)
    own = {"data": data or settings.data / "bench", "memory": False, "screenshots": False}
    return settings.model_copy(update=own)


def names(text: str) -> list[str]:
    """What a list parted by commas names."""
    return list(filter(None, (name.strip() for name in text.split(","))))


def aside(line: str) -> None:
    """A line of progress, on standard error."""
    typer.echo(line, err=True)
