"""The graph as two tables, for the keyboard and for narrow screens."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import streamlit as st

from graphs.spec.resolved_graph import node_types
from graphs.spec.spec import END, GRAPH, START, GraphSpec
from graphs.spec.table_edit import TableEdits, edge_rows, edit_edges, edit_nodes, node_rows
from ui.web.screens.graphs.editor_actions import change_graph
from ui.web.screens.graphs.editor_state import TableBase, editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, find_open_graph
from ui.web.tab_state import widget_value
from ui.web.words import say

Columns = Mapping[str, Any]
Apply = Callable[[GraphSpec, TableEdits], GraphSpec]
APPLY: Final[Mapping[str, Apply]] = {"nodes": edit_nodes, "edges": edit_edges}


def graph_tables(now: OpenGraph, seat: int) -> None:
    """Nodes and edges; a change in a table changes the graph at once."""
    st.caption(
        say(
            "Changes apply at once. Use the last row to add one; mark rows at their beginning and "
            "press Delete to remove them."
        )
    )
    names = list(now.spec.nodes)
    kinds = [*now.types.values(), *node_types(now.spec, now.types).values()]
    routes = sorted({route for kind in kinds for route in kind.routes} | {END})
    column = st.column_config
    st.header(say("Nodes"), anchor=False)
    _edit_table(
        "nodes",
        now,
        seat,
        node_rows,
        {
            "node": column.TextColumn(say("Node")),
            "type": column.SelectboxColumn(say("Type"), options=[*now.types, GRAPH]),
        },
    )
    st.header(say("Routes"), anchor=False)
    _edit_table(
        "edges",
        now,
        seat,
        edge_rows,
        {
            "source": column.SelectboxColumn(say("From"), options=[START, *names]),
            "route": column.SelectboxColumn(say("Route"), options=["", *routes]),
            "target": column.SelectboxColumn(say("To"), options=[*names, END]),
            "fan": column.CheckboxColumn(say("For each arm"), default=False),
        },
    )


def _edit_table(
    table: str,
    now: OpenGraph,
    seat: int,
    rows: Callable[[GraphSpec], dict[str, list[Any]]],
    columns: Columns,
) -> None:
    """A table that stays as it is while it is edited, and is drawn anew after other changes."""
    tables = editor_state().tables
    base = tables.get(table)
    if base is None or (base.seat, base.revision) != (seat, now.revision):
        base = TableBase(now.spec, seat, now.revision, base.number + 1 if base else 0)
        tables[table] = base
    st.data_editor(
        rows(base.spec),
        key=f"table-{table}-{base.number}",
        column_config=dict(columns),
        num_rows="dynamic",
        hide_index=True,
        on_change=_apply_edits,
        args=(table,),
    )


def _apply_edits(table: str) -> None:
    tables = editor_state().tables
    base = tables[table]
    edits: TableEdits = widget_value(f"table-{table}-{base.number}")
    change_graph(lambda _: APPLY[table](base.spec, edits))
    now = find_open_graph()
    if now:
        tables[table] = base._replace(revision=now.revision)
