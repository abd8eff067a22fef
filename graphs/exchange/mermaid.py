"""Draws a graph as a Mermaid flowchart."""

from collections.abc import Collection, Iterator, Mapping

from graphs.spec.spec import END, GRAPH, START, Edge, GraphSpec


def draw_mermaid(
    spec: GraphSpec, names: Mapping[str, str] | None = None, marked: Collection[str] = ()
) -> str:
    """The flowchart's text: nodes with types, edges with routes, thick edges for fan-out.

    `names` are what nodes are called, by their paths: their own names are then the second line.
    The nodes `marked` have a thick border.
    """
    lines = [
        "flowchart TD",
        f"  {_node_id(START)}([start])",
        *_draw_body(spec, "", names or {}),
        f"  {_node_id(END)}([end])",
        *(f"  style {_node_id(path)} stroke-width:3px" for path in marked),
    ]
    return "\n".join(lines) + "\n"


def _draw_body(spec: GraphSpec, prefix: str, names: Mapping[str, str]) -> Iterator[str]:
    indent = "  " * (prefix.count("/") + 1)
    for name, node in spec.nodes.items():
        own = f"{prefix}{name}/"
        if node.type == GRAPH and isinstance(node.params.get("spec"), dict):
            title = _escape_text(names.get(own[:-1], name))
            yield f'{indent}subgraph {_node_id(own)}["{title}"]'
            yield f"{indent}  {_node_id(own + START)}(( ))"
            yield from _draw_body(spec.inner(name), own, names)
            yield f"{indent}  {_node_id(own + END)}(( ))"
            yield f"{indent}end"
        else:
            called = names.get(own[:-1])
            first, second = (called, name) if called else (name, node.type)
            yield f'{indent}{_node_id(own)}["{_escape_text(first)}<br>{_escape_text(second)}"]'
    graphs = {name for name, node in spec.nodes.items() if node.type == GRAPH}
    for edge in spec.edges:
        yield f"{indent}{_draw_edge(edge, prefix, graphs)}"


def _draw_edge(edge: Edge, prefix: str, graphs: set[str]) -> str:
    """An edge; one to or from an inner graph leads to its start or from its end."""
    source = f"{prefix}{edge.source}/{END}" if edge.source in graphs else prefix + edge.source
    target = f"{prefix}{edge.target}/{START}" if edge.target in graphs else prefix + edge.target
    alone = edge.source == START or edge.source in graphs
    arrow = "==>" if edge.fan else "-->"
    label = "" if alone else f'|"{_escape_text(edge.route)}"|'
    return f"{_node_id(source)} {arrow}{label} {_node_id(target)}"


def _node_id(name: str) -> str:
    """A capitalized id, because `end` and other lower-case words are Mermaid keywords."""
    return "_".join(part.capitalize() for part in name.strip("/").split("/"))


def _escape_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
