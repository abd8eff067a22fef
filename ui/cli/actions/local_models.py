"""What the commands of models on this machine do."""

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from forager.settings import Settings
from graphs.system.local_models import (
    find_model,
    hash_of,
    list_models,
    pull_model,
    remove_model,
)
from ui.cli.logs import is_quiet
from ui.cli.printing.session_lists import print_rows

HEADINGS = ("model", "size", "where")
NONE = "No models here. Fetch one: forager model pull ollama:NAME, or the address of a GGUF file."
GIGABYTE = 1e9


def list_all(settings: Settings) -> None:
    """Print the models, and what `auto` takes."""
    rows = [
        (each.line, f"{each.bytes / GIGABYTE:.2f} GB", each.place) for each in list_models(settings)
    ]
    print_rows(Console(highlight=False), HEADINGS, rows, NONE)
    found = find_model(settings)
    typer.echo(f"--model auto takes {found.line} ({found.about}).", err=True)


def pull(settings: Settings, name: str, sha256: str) -> None:
    """Fetch a model, with a bar of progress, and say how to ask it."""
    console = Console(stderr=True, highlight=False)
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(20),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=is_quiet() or not console.is_terminal,
    ) as bar:
        task = bar.add_task("connecting", total=None)
        line = pull_model(
            name,
            sha256,
            settings,
            lambda what, done, total: bar.update(
                task, description=what, completed=done, total=total or None
            ),
        )
    if digest := hash_of(line, settings):
        typer.echo(f"SHA-256 {digest}")
    typer.echo(f'Ready: forager ask "QUESTION" --model {line}')


def remove(settings: Settings, name: str) -> None:
    """Delete a model."""
    remove_model(name, settings)
    typer.echo(f"Removed {name}.")
