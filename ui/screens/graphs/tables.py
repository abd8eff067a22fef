"""The graph as two tables, for the keyboard alone and for narrow screens."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import streamlit as st

from graphs.spec.spec import END, GRAPH, START, GraphSpec
from graphs.spec.table_edit import Edits, edge_rows, edges_edited, node_rows, nodes_edited
from ui.screens.graphs.opened import Opened, change, opened

Columns = Mapping[str, Any]
Apply = Callable[[GraphSpec, Edits], GraphSpec]


class Base(NamedTuple):
    """What a table's edits count from, and the revision that they have led to."""

    spec: GraphSpec
    seat: int
    revision: int
    number: int


APPLY: Final[Mapping[str, Apply]] = {"nodes": nodes_edited, "edges": edges_edited}


def tables(now: Opened, seat: int) -> None:
    """Nodes and edges; what is changed in one is taken at once."""
    st.caption(
        "Each change is taken at once. The last row of a table is for a new one; rows that are "
        "marked at their beginning are taken out with Delete."
    )
    names = list(now.spec.nodes)
    routes = sorted({route for kind in now.types.values() for route in kind.routes} | {END})
    column = st.column_config
    st.subheader("Nodes", anchor=False)
    _editor(
        "nodes",
        now,
        seat,
        node_rows,
        {
            "node": column.TextColumn("Node"),
            "type": column.SelectboxColumn("Type", options=[*now.types, GRAPH]),
        },
    )
    st.subheader("Routes", anchor=False)
    _editor(
        "edges",
        now,
        seat,
        edge_rows,
        {
            "source": column.SelectboxColumn("From", options=[START, *names]),
            "route": column.SelectboxColumn("Route", options=["", *routes]),
            "target": column.SelectboxColumn("To", options=[*names, END]),
            "fan": column.CheckboxColumn("For each arm", default=False),
        },
    )


def _editor(
    table: str,
    now: Opened,
    seat: int,
    rows: Callable[[GraphSpec], dict[str, list[Any]]],
    columns: Columns,
) -> None:
    """A table that stays where it is while it is edited, and is drawn anew after other changes."""
    base: Base | None = st.session_state.get(f"table-{table}")
    if base is None or (base.seat, base.revision) != (seat, now.revision):
        base = Base(now.spec, seat, now.revision, base.number + 1 if base else 0)
        st.session_state[f"table-{table}"] = base
    st.data_editor(
        rows(base.spec),
        key=f"table-{table}-{base.number}",
        column_config=dict(columns),
        num_rows="dynamic",
        hide_index=True,
        on_change=_changed,
        args=(table,),
    )


def _changed(table: str) -> None:
    base: Base = st.session_state[f"table-{table}"]
    edits: Edits = st.session_state[f"table-{table}-{base.number}"]
    change(lambda _: APPLY[table](base.spec, edits))
    now = opened()
    if now:
        st.session_state[f"table-{table}"] = base._replace(revision=now.revision)
