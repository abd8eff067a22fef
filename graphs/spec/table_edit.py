"""Edits of a graph in tables of its nodes and edges."""

from collections.abc import Mapping
from typing import Any, TypedDict

from graphs.spec.edit import rename_nodes, without_nodes
from graphs.spec.spec import START, Edge, GraphSpec, NodeSpec

Row = Mapping[str, Any]


class TableEdits(TypedDict):
    """The edits of a table, by row number."""

    edited_rows: Mapping[int, Row]
    added_rows: list[Row]
    deleted_rows: list[int]


def node_rows(spec: GraphSpec) -> dict[str, list[Any]]:
    """The table of nodes, by column."""
    return {"node": list(spec.nodes), "type": [node.type for node in spec.nodes.values()]}


def edge_rows(spec: GraphSpec) -> dict[str, list[Any]]:
    """The table of edges, by column."""
    columns = ("source", "route", "target", "fan")
    return {name: [getattr(edge, name) for edge in spec.edges] for name in columns}


def edit_nodes(spec: GraphSpec, edits: TableEdits) -> GraphSpec:
    """The graph after edits of the table of nodes; rows without a type are ignored."""
    names = list(spec.nodes)
    for row, cells in edits["edited_rows"].items():
        if kind := cells.get("type"):
            node = NodeSpec(type=kind)
            spec = spec.model_copy(update={"nodes": {**spec.nodes, names[row]: node}})
    for row, cells in edits["edited_rows"].items():
        new = _cell_text(cells, "node")
        if new and new not in spec.nodes:
            spec = rename_nodes(spec, {names[row]: new})
            names[row] = new
    for row in edits["deleted_rows"]:
        spec = without_nodes(spec, names[row])
    for cells in edits["added_rows"]:
        if kind := _cell_text(cells, "type"):
            name = _unused_name(_cell_text(cells, "node") or kind, spec)
            spec = spec.model_copy(update={"nodes": {**spec.nodes, name: NodeSpec(type=kind)}})
    return spec


def edit_edges(spec: GraphSpec, edits: TableEdits) -> GraphSpec:
    """The graph after edits of the table of edges; rows without both ends are ignored."""
    rows: dict[int, Row] = {row: vars(edge) for row, edge in enumerate(spec.edges)}
    for row, cells in edits["edited_rows"].items():
        rows[row] = {**rows[row], **cells}
    for row in edits["deleted_rows"]:
        del rows[row]
    read = (_read_edge(cells) for cells in (*rows.values(), *edits["added_rows"]))
    edges = dict.fromkeys(edge for edge in read if edge)
    return spec.model_copy(update={"edges": tuple(edges)})


def _read_edge(cells: Row) -> Edge | None:
    source, target = _cell_text(cells, "source"), _cell_text(cells, "target")
    if not source or not target:
        return None
    route = "" if source == START else _cell_text(cells, "route")
    return Edge(source=source, route=route, target=target, fan=bool(cells.get("fan")))


def _cell_text(cells: Row, column: str) -> str:
    return str(cells.get(column) or "").strip()


def _unused_name(name: str, spec: GraphSpec) -> str:
    """The name, numbered if it is taken."""
    numbered = (f"{name}_{number}" for number in range(2, len(spec.nodes) + 3))
    return next(each for each in (name, *numbered) if each not in spec.nodes)
