"""A graph as a Mermaid flowchart, drawn from the spec."""

from collections.abc import Iterator

from graphs.spec.spec import END, GRAPH, START, Edge, GraphSpec


def mermaid(spec: GraphSpec) -> str:
    """The text: nodes with their types, routes on the edges, thick edges where they fan out."""
    lines = ["flowchart TD", f"  {_id(START)}([start])", *_body(spec, ""), f"  {_id(END)}([end])"]
    return "\n".join(lines) + "\n"


def _body(spec: GraphSpec, prefix: str) -> Iterator[str]:
    indent = "  " * (prefix.count("/") + 1)
    for name, node in spec.nodes.items():
        own = f"{prefix}{name}/"
        if node.type == GRAPH and isinstance(node.params.get("spec"), dict):
            yield f'{indent}subgraph {_id(own)}["{_text(name)}"]'
            yield f"{indent}  {_id(own + START)}(( ))"
            yield from _body(spec.inner(name), own)
            yield f"{indent}  {_id(own + END)}(( ))"
            yield f"{indent}end"
        else:
            yield f'{indent}{_id(own)}["{_text(name)}<br>{_text(node.type)}"]'
    graphs = {name for name, node in spec.nodes.items() if node.type == GRAPH}
    for edge in spec.edges:
        yield f"{indent}{_edge(edge, prefix, graphs)}"


def _edge(edge: Edge, prefix: str, graphs: set[str]) -> str:
    """A graph inside is entered at its start and left at its end."""
    source = f"{prefix}{edge.source}/{END}" if edge.source in graphs else prefix + edge.source
    target = f"{prefix}{edge.target}/{START}" if edge.target in graphs else prefix + edge.target
    alone = edge.source == START or edge.source in graphs
    arrow = "==>" if edge.fan else "-->"
    label = "" if alone else f'|"{_text(edge.route)}"|'
    return f"{_id(source)} {arrow}{label} {_id(target)}"


def _id(name: str) -> str:
    """Mermaid takes small `end` and the like for its own words."""
    return "_".join(part.capitalize() for part in name.strip("/").split("/"))


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
