from graphs.spec.spec import GraphSpec, load_graph
from graphs.spec.table_edit import TableEdits, edge_rows, edit_edges, edit_nodes, node_rows

EMPTY = GraphSpec(name="own", nodes={}, edges=())


def edits(**some: object) -> TableEdits:
    return {"edited_rows": {}, "added_rows": [], "deleted_rows": [], **some}  # type: ignore[typeddict-item]


def test_a_preset_is_built_from_empty_tables() -> None:
    spec = load_graph("webwalker")
    nodes, edges = node_rows(spec), edge_rows(spec)
    rows = [dict(zip(nodes, row, strict=True)) for row in zip(*nodes.values(), strict=True)]
    made = edit_nodes(EMPTY, edits(added_rows=rows))
    assert {name: node.type for name, node in made.nodes.items()} == {
        name: node.type for name, node in spec.nodes.items()
    }
    ways = [dict(zip(edges, row, strict=True)) for row in zip(*edges.values(), strict=True)]
    assert edit_edges(made, edits(added_rows=ways)).edges == spec.edges


def test_rows_are_renamed_retyped_and_removed() -> None:
    spec = load_graph("mango")
    changed = edit_nodes(
        spec,
        edits(edited_rows={1: {"node": "map"}, 4: {"type": "actor"}}, deleted_rows=[3]),
    )
    assert list(changed.nodes) == [
        "map" if name == "survey" else name for name in spec.nodes if name != "recall"
    ]
    assert changed.nodes["navigate"].params == {}
    assert str(changed.edges[1]) == "interpret.next -> map"


def test_incomplete_row_adds_nothing() -> None:
    assert edit_nodes(EMPTY, edits(added_rows=[{"node": "map"}])) == EMPTY
    assert edit_edges(EMPTY, edits(added_rows=[{"source": "start"}])) == EMPTY
    named = edit_nodes(EMPTY, edits(added_rows=[{"type": "actor"}, {"type": "actor"}]))
    assert list(named.nodes) == ["actor", "actor_2"]


def test_edges_are_led_elsewhere_and_taken_out() -> None:
    spec = load_graph("mango")
    changed = edit_edges(
        spec, edits(edited_rows={3: {"target": "reflect", "fan": True}}, deleted_rows=[0])
    )
    assert len(changed.edges) == len(spec.edges) - 1
    assert str(changed.edges[2]) == "survey.none => reflect"
