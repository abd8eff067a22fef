"""Graphs as files in several formats, each of which can be read back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from forager.errors import UsageError
from forager.node_type import Registry
from forager.settings import Settings
from forager.util.suggest import did_you_mean
from graphs.exchange.carried_yaml import (
    add_to_mermaid,
    add_to_png,
    add_to_svg,
    read_carried,
)
from graphs.exchange.mermaid import draw_mermaid
from graphs.exchange.python_reader import read_python
from graphs.exchange.python_writer import write_python
from graphs.reports.exports.offline_sheet import open_sheet
from graphs.reports.exports.pinned_graph import draw_svg
from graphs.runtime.compile import refuse_faults
from graphs.spec.spec import GraphSpec
from graphs.spec.yaml_writer import write_graph


class GraphFormat(NamedTuple):
    """A format; its file names end in `.ending`."""

    name: str
    ending: str
    media_type: str


YAML: Final = "yaml"
FORMATS: Final[Mapping[str, GraphFormat]] = {
    YAML: GraphFormat("YAML", "yaml", "application/yaml"),
    "python": GraphFormat("Python", "py", "text/x-python"),
    "mermaid": GraphFormat("Mermaid", "mmd", "text/plain"),
    "svg": GraphFormat("SVG", "svg", "image/svg+xml"),
    "png": GraphFormat("PNG", "png", "image/png"),
}
ENDINGS: Final = ("yaml", "yml", "json", *(each.ending for each in list(FORMATS.values())[1:]))
SVG_INSTEAD = "Or export as svg."


def choose_format(name: str, file: Path | None) -> str:
    """The format of this name, else of the file's ending, else YAML. Raises UsageError."""
    if name:
        if name not in FORMATS:
            raise UsageError(f"There is no format {name!r}.", did_you_mean(name, FORMATS))
        return name
    ending = file.suffix.removeprefix(".") if file else ""
    return next((each for each, kind in FORMATS.items() if kind.ending == ending), YAML)


async def export_graph(
    spec: GraphSpec, format: str, registry: Registry, settings: Settings, text: str = ""
) -> bytes:
    """The graph as a file of this format; `text` is its own YAML or JSON, if it has one.

    Raises GraphError for Python of a graph with errors, UsageError for PNG without a browser.
    """
    yaml = text or write_graph(spec)
    match format:
        case "python":
            refuse_faults(spec, registry)
            return write_python(spec, registry).encode()
        case "mermaid":
            return add_to_mermaid(draw_mermaid(spec), yaml).encode()
        case "svg":
            return add_to_svg(draw_svg(spec), yaml).encode()
        case "png":
            async with open_sheet(settings, "PNG", SVG_INSTEAD) as sheet:
                await sheet.set_content(f'<body style="margin: 16px">{draw_svg(spec)}')
                drawn = await sheet.locator("svg").screenshot()
            return add_to_png(drawn, yaml)
    return yaml.encode()


def read_exported(body: bytes, name: str, registry: Registry) -> str:
    """The YAML of the graph in a drawing, or in Python, which is not run; empty for other files.

    Raises GraphError for such a file without a graph.
    """
    if name.endswith(".py"):
        return write_graph(read_python(body.decode("utf-8", "replace"), registry))
    return read_carried(body)
