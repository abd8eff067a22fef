"""The commands of the memory. Each imports what it needs itself: `--help` is there at once."""

import sys
from typing import Annotated

import typer

from ui.faults import Commands

JSON = typer.Option("--json", help="Print one JSON object per line.")

app = typer.Typer(
    cls=Commands,
    help="List, search, forget and rebuild what earlier sessions taught.",
    no_args_is_help=True,
)


@app.command("list")
def list_all(
    site: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Only what was learned on this site.")
    ] = "",
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """List what is remembered, the newest first."""
    from ui import remembering
    from ui.options import read_settings

    remembering.list_all(read_settings(), site, as_json=as_json)


@app.command()
def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A question, or words of one.")],
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Find what was learned from questions like this one."""
    from ui import remembering
    from ui.options import read_settings

    remembering.search(read_settings(), text, as_json=as_json)


@app.command()
def forget(
    id: Annotated[
        list[str] | None, typer.Option("--id", metavar="ID", help="What has this id; repeatable.")
    ] = None,
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="All learned on a site.")] = "",
    session: Annotated[str, typer.Option(metavar="ID", help="All that a session taught.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="All there is.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """Forget for good: what is forgotten does not come back with a rebuild."""
    from ui import remembering
    from ui.options import read_settings

    if everything and not yes and sys.stdin.isatty():
        typer.confirm("Forget all that was learned?", abort=True)
    remembering.forget(read_settings(), id or (), site, session, all=everything)


@app.command()
def rebuild() -> None:
    """Clear the memory and restore it from the sessions, whatever state it is in."""
    from ui import remembering
    from ui.options import read_settings

    remembering.rebuild(read_settings())
