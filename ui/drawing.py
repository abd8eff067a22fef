"""The graph verbs: list, check and draw."""

import typer

from forager.settings import read
from graphs.check import check
from graphs.draw import mermaid
from graphs.events import plural
from graphs.own import registry
from graphs.spec import load, presets
from ui.faults import USAGE
from ui.plain import clean


def list_graphs() -> None:
    """Print each preset's name and description."""
    for name in presets():
        typer.echo(f"{name:<17}{load(name).description}")


def check_graph(reference: str) -> None:
    """Print what the checker finds; exits with 2 when that is a fault."""
    spec = load(reference)
    findings = check(spec, registry(read()))
    for finding in findings:
        typer.echo(clean(str(finding)))
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(USAGE)
    counts = f"{plural(len(spec.nodes), 'node')}, {plural(len(spec.edges), 'edge')}"
    typer.echo(f"{clean(spec.name)}: no faults, {counts}, hash {spec.hash[:12]}")


def draw_graph(reference: str) -> None:
    """Print a graph as a Mermaid flowchart."""
    typer.echo(mermaid(load(reference)), nl=False)
