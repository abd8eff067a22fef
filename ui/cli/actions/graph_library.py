"""What the graph commands do: list, check, draw, diff and save graphs."""

import asyncio
import json
import sys
from pathlib import Path

import typer
from rich.console import Console

from forager.domain.parameters import describe_parameter
from forager.errors import UsageError
from forager.node_type import NodeType
from forager.settings import Settings
from forager.text.unicode import escape_json
from graphs.check.checker import find_faults
from graphs.exchange.graph_files import choose_format, export_graph, read_exported
from graphs.exchange.mermaid import draw_mermaid
from graphs.reports.events import format_count
from graphs.spec.diff import compare_specs
from graphs.spec.library import Library, Version, damaged_graph, open_library
from graphs.spec.plugins import load_registry
from graphs.spec.spec import load_graph, parse_graph, preset_names
from ui.cli.actions.session_files import write_file
from ui.cli.exit_codes import FAILED, USAGE
from ui.cli.printing.session_lists import print_rows
from ui.cli.printing.terminal_text import local_time, one_line, strip_controls

HEADINGS = ("version", "saved", "by", "hash", "from", "note")
TYPE_HEADINGS = ("type", "family", "what it does")


def list_graphs(settings: Settings) -> None:
    """Print the name and description of each preset and saved graph."""
    for name in preset_names():
        typer.echo(f"{name:<17}{load_graph(name).description}")
    library = open_library(settings)
    for saved in library.list():
        typer.echo(strip_controls(f"{saved.reference:<17}{saved.spec.description}".rstrip()))
    for name in library.list_damaged():
        typer.echo(strip_controls(f"{name:<17}{damaged_graph(name)}"))


def list_types(settings: Settings, *, as_json: bool) -> None:
    """Print the name, family and summary of each node type; on stderr, own ones that have none."""
    registry = load_registry(settings)
    for fault in registry.faults:
        typer.echo(f"Warning: {strip_controls(str(fault))}", err=True)
    if as_json:
        types = [_describe_type(kind) for kind in registry.values()]
        typer.echo(escape_json(json.dumps({"types": types}, ensure_ascii=False)))
        return
    rows = [
        (kind.name, one_line(kind.family), one_line(kind.summary)) for kind in registry.values()
    ]
    print_rows(Console(highlight=False), TYPE_HEADINGS, rows, "No node types.")


def check_graph(settings: Settings, reference: str) -> None:
    """Print the checker's findings; exits with 2 if one is an error."""
    spec = open_library(settings).resolve(reference)
    findings = find_faults(spec, load_registry(settings))
    for finding in findings:
        mark = "" if finding.severity == "error" else "Warning: "
        typer.echo(f"{mark}{strip_controls(str(finding))}")
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(USAGE)
    counts = f"{format_count(len(spec.nodes), 'node')}, {format_count(len(spec.edges), 'edge')}"
    none = "no errors" if findings else "no faults"
    typer.echo(f"{strip_controls(spec.name)}: {none}, {counts}, hash {spec.hash[:12]}")
    for each in spec.parameters.items():
        typer.echo(strip_controls(f"  --set {describe_parameter(each)}"))


def draw_graph(settings: Settings, reference: str) -> None:
    """Print a graph as a Mermaid flowchart."""
    typer.echo(draw_mermaid(open_library(settings).resolve(reference)), nl=False)


def diff_graphs(settings: Settings, old: str, new: str) -> None:
    """Print the differences between two graphs; exits with 1 if there are any."""
    library = open_library(settings)
    differences = compare_specs(library.resolve(old), library.resolve(new))
    for each in differences:
        typer.echo(strip_controls(str(each)))
    if differences:
        raise typer.Exit(FAILED)
    typer.echo("No difference.")


def list_versions(settings: Settings, name: str) -> None:
    """Print the versions of a graph, newest first."""
    rows = [
        (
            each.reference,
            local_time(each.time),
            strip_controls(each.author),
            each.hash[:12],
            each.origin,
            one_line(each.note),
        )
        for each in open_library(settings).list_versions(name)
    ]
    print_rows(Console(highlight=False), HEADINGS, rows, "No versions.")


def save_graph(settings: Settings, name: str, reference: str, note: str, base: int | None) -> None:
    """Save the graph that a reference names as a new version."""
    library = open_library(settings)
    if base is not None:
        _refuse_unknown_version(library, name, base)
    text, origin = library.read_text(reference)
    _print_saved(library.save(name, text, note, base, settings.user, origin=origin))


def restore_graph(settings: Settings, name: str, number: int, note: str) -> None:
    """Make an earlier version the newest one."""
    _print_saved(open_library(settings).restore(name, number, note, settings.user))


def rename_graph(settings: Settings, name: str, new: str) -> None:
    """Rename a saved graph."""
    _print_saved(open_library(settings).rename(name, new, settings.user))


def write_graph(settings: Settings, reference: str, format: str, out: Path | None) -> None:
    """Write a graph to a file or to standard output, in the format that is named or its ending."""
    wanted = choose_format(format, out)
    library = open_library(settings)
    text, _ = library.read_text(reference)
    spec = library.resolve(reference)
    body = asyncio.run(export_graph(spec, wanted, load_registry(settings), settings, text))
    if out:
        write_file(out, body)
    elif wanted == "png" and sys.stdout.isatty():
        raise UsageError("A picture cannot be shown here.", "Name a file: --out FILE.png.")
    else:
        typer.get_binary_stream("stdout").write(body)


def import_graph(settings: Settings, file: Path, name: str, note: str) -> None:
    """Save a file as a new graph, under its own name if none is given."""
    library = open_library(settings)
    place = f"./{file}" if file.parent == Path() else str(file)
    body = file.read_bytes() if file.is_file() else b""
    text = read_exported(body, file.name, load_registry(settings)) or library.read_text(place)[0]
    spec = parse_graph(text, place, library.find)
    _print_saved(library.save(name or spec.name, text, note, author=settings.user))


def delete_graph(settings: Settings, name: str) -> None:
    """Delete a graph."""
    open_library(settings).delete(name)
    typer.echo(f"Deleted graph {name}.")


def _describe_type(kind: NodeType) -> dict[str, object]:
    """What a graph's author needs to know of a node type; `own` is its file if it is a user's."""
    keys = {"reads": kind.reads, "looks": kind.looks, "writes": kind.writes}
    return {
        "name": kind.name,
        "family": kind.family,
        "summary": kind.summary,
        "own": kind.own,
        "routes": kind.routes,
        "params": list(kind.params.model_fields),
        **{name: sorted(those) for name, those in keys.items()},
    }


def _refuse_unknown_version(library: Library, name: str, base: int) -> None:
    newest = library.get(name).number
    if base > newest:
        raise UsageError(
            f"{name} has no version {base}; the newest is {newest}.",
            f"Leave out --base, or list them: forager graph versions {name}",
        )


def _print_saved(version: Version) -> None:
    typer.echo(f"Saved as {version.reference}, hash {version.hash[:12]}")
