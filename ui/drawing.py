"""The graph verbs: list, check, draw and diff."""

import typer

from forager.settings import Settings
from graphs.check.checker import check
from graphs.reports.events import plural
from graphs.spec.diff import difference
from graphs.spec.library import open_library
from graphs.spec.mermaid import mermaid
from graphs.spec.plugins import registry
from graphs.spec.spec import load, presets
from ui.faults import FAILED, USAGE
from ui.plain import clean


def list_graphs(settings: Settings) -> None:
    """Print the name and description of each preset, and of each saved graph."""
    for name in presets():
        typer.echo(f"{name:<17}{load(name).description}")
    for saved in open_library(settings).list():
        typer.echo(clean(f"{saved.reference:<17}{saved.spec.description}".rstrip()))


def check_graph(settings: Settings, reference: str) -> None:
    """Print what the checker finds; exits with 2 when that is a fault."""
    spec = open_library(settings).resolve(reference)
    findings = check(spec, registry(settings))
    for finding in findings:
        typer.echo(clean(str(finding)))
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(USAGE)
    counts = f"{plural(len(spec.nodes), 'node')}, {plural(len(spec.edges), 'edge')}"
    typer.echo(f"{clean(spec.name)}: no faults, {counts}, hash {spec.hash[:12]}")


def draw_graph(settings: Settings, reference: str) -> None:
    """Print a graph as a Mermaid flowchart."""
    typer.echo(mermaid(open_library(settings).resolve(reference)), nl=False)


def diff_graphs(settings: Settings, old: str, new: str) -> None:
    """Print what differs between two graphs; exits with 1 when something does."""
    library = open_library(settings)
    told = difference(library.resolve(old), library.resolve(new))
    for each in told:
        typer.echo(clean(str(each)))
    if told:
        raise typer.Exit(FAILED)
    typer.echo("No difference.")
