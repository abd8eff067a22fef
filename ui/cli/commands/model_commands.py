"""The commands of models on this machine."""

from typing import Annotated

import typer

from ui.cli.exit_codes import CommandGroup

app = typer.Typer(
    cls=CommandGroup,
    help="List, fetch and remove language models on this machine.",
    no_args_is_help=True,
)


@app.command("list")
def list_models() -> None:
    """List the models on this machine, and the one that `--model auto` takes."""
    from ui.cli.actions import local_models
    from ui.cli.options import read_settings

    local_models.list_all(read_settings())


@app.command()
def pull(
    name: Annotated[
        str, typer.Argument(metavar="NAME|ADDRESS", help="ollama:NAME, or a GGUF file's address.")
    ],
    sha256: Annotated[
        str, typer.Option("--sha256", metavar="HASH", help="What the file must have.")
    ] = "",
) -> None:
    """Fetch a model; a transfer that broke off is continued.

    Exit codes: 0 it is there, 1 it could not be fetched, 2 bad usage.
    """
    from ui.cli.actions import local_models
    from ui.cli.options import read_settings

    local_models.pull(read_settings(), name, sha256)


@app.command()
def remove(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="ollama:NAME or local:NAME, as `list` shows it.")
    ],
) -> None:
    """Delete a model from this machine."""
    from ui.cli.actions import local_models
    from ui.cli.options import read_settings

    local_models.remove(read_settings(), name)
