"""The commands of graphs and node types."""

from pathlib import Path
from typing import Annotated

import typer

from ui.cli.exit_codes import CommandGroup, QuestionCommand
from ui.cli.flags import (
    ALLOW_PRIVATE,
    BASE_URL,
    BUDGET,
    JSON,
    MODEL,
    QUESTION,
    SEED,
    SET,
    SITE,
)

NAME = typer.Argument(metavar="NAME", help="A saved graph.")
REFERENCE = typer.Argument(
    metavar="GRAPH", help="A preset, a saved graph (NAME or NAME@N), or a file."
)
OTHER = typer.Argument(metavar="OTHER", help="The graph to compare it with.")
NOTE = typer.Option(metavar="TEXT", help="A note on the version.")

app = typer.Typer(
    cls=CommandGroup,
    help="List, check, draw, compare, save, run and try graphs.",
    no_args_is_help=True,
)


@app.command("list")
def list_graphs() -> None:
    """List the presets and the saved graphs."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.list_graphs(read_settings())


@app.command("types")
def list_types(as_json: Annotated[bool, JSON] = False) -> None:
    """List the node types that a graph can use, your own included."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.list_types(read_settings(), as_json=as_json)


@app.command()
def check(graph: Annotated[str, REFERENCE]) -> None:
    """Look for faults in a graph."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.check_graph(read_settings(), graph)


@app.command()
def draw(graph: Annotated[str, REFERENCE]) -> None:
    """Print a graph as a Mermaid flowchart."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.draw_graph(read_settings(), graph)


@app.command()
def diff(graph: Annotated[str, REFERENCE], other: Annotated[str, OTHER]) -> None:
    """Print the differences between two graphs; exits with 1 if there are any."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.diff_graphs(read_settings(), graph, other)


@app.command()
def versions(name: Annotated[str, NAME]) -> None:
    """List the versions of a saved graph, newest first."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.list_versions(read_settings(), name)


@app.command()
def save(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to save it under.")],
    graph: Annotated[str, REFERENCE],
    note: Annotated[str, NOTE] = "",
    base: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The version it was made from, if any."),
    ] = None,
) -> None:
    """Save a graph, or a copy of one, as a new version; refused if there is a newer one."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.save_graph(read_settings(), name, graph, note, base)


@app.command()
def restore(
    name: Annotated[str, NAME],
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="The version's number.")],
    note: Annotated[str, NOTE] = "",
) -> None:
    """Make an earlier version the newest one."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.restore_graph(read_settings(), name, number, note)


@app.command()
def rename(
    name: Annotated[str, NAME],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
) -> None:
    """Rename a saved graph with all its versions."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.rename_graph(read_settings(), name, new)


@app.command()
def export(
    graph: Annotated[str, typer.Argument(metavar="NAME", help="NAME, NAME@N or a preset.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write.")] = None,
    format: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help="yaml, python, mermaid, svg or png; by default that of FILE, else yaml.",
        ),
    ] = "",
) -> None:
    """Write a graph as YAML, as a Python program on LangGraph, or as a drawing.

    Goes to standard output or to a file. Each of them can be imported again.
    """
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.write_graph(read_settings(), graph, format, out)


@app.command("import")
def import_graph(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A graph in YAML or JSON, or one that was exported."),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name to save it under; by default its own.")
    ] = "",
    note: Annotated[str, NOTE] = "",
) -> None:
    """Save a graph from a file as a new one."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.import_graph(read_settings(), file, name, note)


@app.command()
def delete(name: Annotated[str, NAME]) -> None:
    """Delete a saved graph with all its versions; sessions keep theirs."""
    from ui.cli.actions import graph_library
    from ui.cli.options import read_settings

    graph_library.delete_graph(read_settings(), name)


@app.command(cls=QuestionCommand)
def run(
    graph: Annotated[str, REFERENCE],
    question: Annotated[str, QUESTION],
    site: Annotated[list[str] | None, SITE] = None,
    set: Annotated[list[str] | None, SET] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    budget: Annotated[str, BUDGET] = "",
    seed: Annotated[int, SEED] = 0,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask a question with a graph; `forager ask --graph` has more options.

    Exit codes: 0 answered, 3 partial, 4 abstained, 1 failed, 2 bad usage.
    """
    from forager.domain.state import Question
    from ui.cli.actions.session_run import create_session, run_session
    from ui.cli.options import choose_model, read_budget, read_settings, read_values

    settings = read_settings(allow_private or (), base_url)
    asked = Question(text=question, sites=tuple(site or ()), budget=read_budget(budget), seed=seed)
    line, values = choose_model(model, settings), read_values(set or ())
    id = create_session(settings, asked, graph, line, None, values)
    run_session(settings, id, as_json=as_json)


@app.command("try")
def try_graphs(
    graph: Annotated[str, REFERENCE],
    other: Annotated[str, OTHER],
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Questions as JSON lines: question, sites, and an answer if they are graded.",
        ),
    ] = None,
    ask: Annotated[
        list[str] | None, typer.Option(metavar="QUESTION", help="A question; repeatable.")
    ] = None,
    site: Annotated[list[str] | None, SITE] = None,
    set: Annotated[list[str] | None, SET] = None,
    sites: Annotated[
        str,
        typer.Option(metavar="ID=ADDRESS,…|FILE", help="The addresses of sites named in FILE."),
    ] = "",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    budget: Annotated[str, BUDGET] = "",
    seed: Annotated[int, SEED] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write the rows, as JSON lines.")
    ] = None,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask two graphs the same questions: right answers, page loads, calls, spend.

    Sites are mapped before, for both graphs, which take turns in asking first. Values that are set
    are given to each graph that has the parameter. The page Bench of the web UI shows the rows.
    """
    from ui.cli.actions.graph_comparison import compare_graphs, plan_comparison
    from ui.cli.options import choose_model, read_budget, read_settings, read_values

    settings = read_settings(allow_private or (), base_url)
    trial = plan_comparison(
        settings,
        (graph, other),
        read_values(set or ()),
        file=questions,
        asked=ask or (),
        site=site or (),
        sites=sites,
        model=choose_model(model, settings),
        budget=read_budget(budget),
        seed=seed,
        out=out,
    )
    compare_graphs(settings, trial, as_json=as_json)
