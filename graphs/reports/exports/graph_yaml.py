"""A pinned graph as YAML to read and to run again, its nodes in the order of the drawing."""

from graphs.spec.spec import END, START, Edge, GraphSpec
from graphs.spec.yaml_writer import write_graph


def yaml_text(spec: GraphSpec) -> str:
    """The graph as a file: the same name, nodes, edges and hash."""
    order = drawing_order(spec)
    nodes = {name: spec.nodes[name] for name in sorted(spec.nodes, key=order.index)}
    edges = sorted(spec.edges, key=lambda edge: (order.index(edge.source), edge.route))
    return write_graph(spec.model_copy(update={"nodes": nodes, "edges": tuple(edges)}))


def drawing_order(spec: GraphSpec) -> list[str]:
    """Start, the nodes and the end, each before what it leads to, as far as loops allow."""
    arrows: dict[str, list[Edge]] = {}
    for edge in sorted(spec.edges, key=str, reverse=True):
        arrows.setdefault(edge.source, []).append(edge)
    done: list[str] = []
    seen = {START}
    stack = [(START, iter(arrows.get(START, ())))]
    while stack:
        name, edges = stack[-1]
        for edge in edges:
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append((edge.target, iter(arrows.get(edge.target, ()))))
                break
        else:
            done.append(name)
            stack.pop()
    inside = [name for name in reversed(done) if name != END]
    return [*inside, *(name for name in spec.nodes if name not in seen), END]
