"""The commands of the database of an installation."""

import typer

from ui.cli.exit_codes import CommandGroup

app = typer.Typer(
    cls=CommandGroup,
    help="Move an installation to a PostgreSQL database.",
    no_args_is_help=True,
)


@app.callback()
def group() -> None:
    """Move an installation to a PostgreSQL database."""


@app.command()
def move() -> None:
    """Copy sessions, graphs and recipes to the empty database that FORAGER_DATABASE_URL names.

    The files of the data folder stay as they are. Exit codes: 0 moved and counted, 1 it could not
    be moved, and nothing was, 2 bad usage.
    """
    from ui.cli.actions import database
    from ui.cli.options import read_settings

    database.move(read_settings())
