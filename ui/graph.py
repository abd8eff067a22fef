"""The commands of graphs. Each imports what it needs itself: `--help` is there at once."""

from pathlib import Path
from typing import Annotated

import typer

from ui import graphing
from ui.faults import Commands
from ui.flags import FILE

NAME = typer.Argument(metavar="NAME", help="A graph that was saved.")
NOTE = typer.Option(metavar="TEXT", help="What the version is about.")

app = typer.Typer(
    cls=Commands, help="List, check, draw, compare, save, run and try graphs.", no_args_is_help=True
)


@app.command("list")
def list_() -> None:
    """List the graphs that ship with Forager, and those that were saved."""
    from ui.drawing import list_graphs
    from ui.options import read_settings

    list_graphs(read_settings())


@app.command()
def check(file: Annotated[str, FILE]) -> None:
    """Look for faults in a graph."""
    from ui.drawing import check_graph
    from ui.options import read_settings

    check_graph(read_settings(), file)


@app.command()
def draw(file: Annotated[str, FILE]) -> None:
    """Print a graph as a Mermaid flowchart."""
    from ui.drawing import draw_graph
    from ui.options import read_settings

    draw_graph(read_settings(), file)


@app.command()
def diff(
    old: Annotated[str, typer.Argument(metavar="A", help="A graph, named as in `check`.")],
    new: Annotated[str, typer.Argument(metavar="B", help="The graph to compare it with.")],
) -> None:
    """Say what differs from one graph to another; exits with 0 where nothing does, else 1."""
    from ui.drawing import diff_graphs
    from ui.options import read_settings

    diff_graphs(read_settings(), old, new)


@app.command()
def versions(name: Annotated[str, NAME]) -> None:
    """List the versions of a saved graph, the newest first."""
    from ui.options import read_settings
    from ui.saving import list_versions

    list_versions(read_settings(), name)


@app.command()
def save(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to save it under.")],
    file: Annotated[str, FILE],
    note: Annotated[str, NOTE] = "",
    base: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The version it was made from, if any."),
    ] = None,
) -> None:
    """Save a graph, or a copy of one, as a new version; refused where there is a newer one."""
    from ui.options import read_settings
    from ui.saving import save_graph

    save_graph(read_settings(), name, file, note, base)


@app.command()
def restore(
    name: Annotated[str, NAME],
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="The version's number.")],
    note: Annotated[str, NOTE] = "",
) -> None:
    """Make an earlier version the newest one."""
    from ui.options import read_settings
    from ui.saving import restore_graph

    restore_graph(read_settings(), name, number, note)


@app.command()
def rename(
    name: Annotated[str, NAME],
    new: Annotated[str, typer.Argument(metavar="NEW", help="What it is to be called.")],
) -> None:
    """Call a saved graph otherwise; its versions go along."""
    from ui.options import read_settings
    from ui.saving import rename_graph

    rename_graph(read_settings(), name, new)


@app.command()
def export(
    graph: Annotated[str, typer.Argument(metavar="NAME", help="NAME, NAME@N or a preset.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Write a graph's YAML, comments and all: to standard output, or to a file."""
    from ui.options import read_settings
    from ui.saving import export_graph

    export_graph(read_settings(), graph, out)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A graph in YAML or JSON.")],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name to save it under; else its own.")
    ] = "",
    note: Annotated[str, NOTE] = "",
) -> None:
    """Save a graph from a file as a new one."""
    from ui.options import read_settings
    from ui.saving import import_graph

    import_graph(read_settings(), file, name, note)


@app.command()
def delete(name: Annotated[str, NAME]) -> None:
    """Delete a saved graph with all its versions; sessions keep theirs."""
    from ui.options import read_settings
    from ui.saving import delete_graph

    delete_graph(read_settings(), name)


for _verb in graphing.VERBS:
    app.command(_verb.__name__.rstrip("_"))(_verb)
