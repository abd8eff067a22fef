from graphs.spec.spec import GraphSpec, load
from graphs.spec.table_edit import Edits, edge_rows, edges_edited, node_rows, nodes_edited

EMPTY = GraphSpec(name="own", nodes={}, edges=())


def edits(**some: object) -> Edits:
    return {"edited_rows": {}, "added_rows": [], "deleted_rows": [], **some}  # type: ignore[typeddict-item]


def test_a_preset_is_built_from_empty_tables() -> None:
    spec = load("webwalker")
    nodes, edges = node_rows(spec), edge_rows(spec)
    rows = [dict(zip(nodes, row, strict=True)) for row in zip(*nodes.values(), strict=True)]
    made = nodes_edited(EMPTY, edits(added_rows=rows))
    assert {name: node.type for name, node in made.nodes.items()} == {
        name: node.type for name, node in spec.nodes.items()
    }
    ways = [dict(zip(edges, row, strict=True)) for row in zip(*edges.values(), strict=True)]
    assert edges_edited(made, edits(added_rows=ways)).edges == spec.edges


def test_a_row_is_renamed_typed_anew_and_taken_out() -> None:
    spec = load("mango")
    changed = nodes_edited(
        spec,
        edits(edited_rows={0: {"node": "map"}, 3: {"type": "actor"}}, deleted_rows=[2]),
    )
    assert list(changed.nodes) == [
        "map" if name == "survey" else name for name in spec.nodes if name != "recall"
    ]
    assert changed.nodes["navigate"].params == {}
    assert str(changed.edges[0]) == "start -> map"


def test_a_row_that_is_not_whole_yet_adds_nothing() -> None:
    assert nodes_edited(EMPTY, edits(added_rows=[{"node": "map"}])) == EMPTY
    assert edges_edited(EMPTY, edits(added_rows=[{"source": "start"}])) == EMPTY
    named = nodes_edited(EMPTY, edits(added_rows=[{"type": "actor"}, {"type": "actor"}]))
    assert list(named.nodes) == ["actor", "actor_2"]


def test_edges_are_led_elsewhere_and_taken_out() -> None:
    spec = load("mango")
    changed = edges_edited(
        spec, edits(edited_rows={2: {"target": "reflect", "fan": True}}, deleted_rows=[0])
    )
    assert len(changed.edges) == len(spec.edges) - 1
    assert str(changed.edges[1]) == "survey.none => reflect"
