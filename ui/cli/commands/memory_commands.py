"""The commands of the memory and of recipes."""

import sys
from typing import Annotated

import typer

from ui.cli.exit_codes import CommandGroup
from ui.cli.flags import YES

JSON_LINES = typer.Option("--json", help="Print one JSON object per line.")

app = typer.Typer(
    cls=CommandGroup,
    help="List, search, forget and rebuild what was learned from earlier sessions.",
    no_args_is_help=True,
)
recipes_app = typer.Typer(
    cls=CommandGroup,
    help="List and delete recipes: paths through sites that led to an answer before.",
    no_args_is_help=True,
)


@app.command("list")
def list_memory(
    site: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Only what was learned on this site.")
    ] = "",
    as_json: Annotated[bool, JSON_LINES] = False,
) -> None:
    """List what is remembered, newest first."""
    from ui.cli.actions import memory_admin
    from ui.cli.options import read_settings

    memory_admin.list_memory(read_settings(), site, as_json=as_json)


@app.command()
def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A question, or words from it.")],
    as_json: Annotated[bool, JSON_LINES] = False,
) -> None:
    """Find what was learned from similar questions."""
    from ui.cli.actions import memory_admin
    from ui.cli.options import read_settings

    memory_admin.search_memory(read_settings(), text, as_json=as_json)


@app.command()
def forget(
    id: Annotated[
        list[str] | None, typer.Option("--id", metavar="ID", help="This entry; repeatable.")
    ] = None,
    site: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Everything learned on this site.")
    ] = "",
    session: Annotated[
        str, typer.Option(metavar="ID", help="Everything learned from this session.")
    ] = "",
    everything: Annotated[bool, typer.Option("--all", help="The whole memory.")] = False,
    yes: Annotated[bool, YES] = False,
) -> None:
    """Forget for good: a rebuild does not bring it back.

    Exit codes: 0 forgotten, 4 nothing matches, 2 bad usage.
    """
    from ui.cli.actions import memory_admin
    from ui.cli.options import read_settings

    if everything and not yes and sys.stdin.isatty():
        typer.confirm("Forget everything that was learned?", abort=True)
    memory_admin.forget_items(read_settings(), id or (), site, session, everything=everything)


@app.command()
def rebuild() -> None:
    """Clear the memory and rebuild it from the sessions, even if it is damaged."""
    from ui.cli.actions import memory_admin
    from ui.cli.options import read_settings

    memory_admin.rebuild_memory(read_settings())


@recipes_app.command("list")
def list_recipes() -> None:
    """List the paths that are tried first when a question is asked again."""
    from ui.cli.actions import memory_admin
    from ui.cli.options import read_settings

    memory_admin.list_recipes(read_settings())


@recipes_app.command("delete")
def delete_recipe(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The recipe's number.")],
) -> None:
    """Delete a recipe; the next time, its question starts from scratch."""
    from ui.cli.actions import memory_admin
    from ui.cli.options import read_settings

    memory_admin.delete_recipe(read_settings(), number)
