import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.errors import GraphError
from graphs.spec.spec import (
    MAX_BYTES,
    MAX_NODES,
    Edge,
    GraphSpec,
    NodeSpec,
    line_numbers,
    load_graph,
    parse_graph,
    preset_names,
)

SMALL = """
# the smallest graph
name: small
nodes:
  answer: {type: answerer}
edges:
  - start -> answer
  - answer.end -> end
"""


def fault(text: str) -> GraphError:
    with pytest.raises(GraphError) as caught:
        parse_graph(text, "small.yaml")
    return caught.value


def test_a_graph_is_read_from_yaml_and_json() -> None:
    spec = parse_graph(SMALL)
    assert spec.edges == (
        Edge(source="start", target="answer"),
        Edge(source="answer", route="end", target="end"),
    )
    assert parse_graph(spec.canonical()).hash == spec.hash
    assert parse_graph(spec.model_dump_json(indent=2).replace("  ", "\t")) == spec


def test_fan_out_has_its_own_arrow() -> None:
    edge = Edge.model_validate("select.arm => expedition")
    assert edge.fan
    assert str(edge) == "select.arm => expedition"


def test_the_hash_ignores_positions_order_and_comments() -> None:
    text = """{"positions": {"answer": [3, 4]}, "edges": ["answer.end->end", "start  ->  answer"],
      "nodes": {"answer": {"type": "answerer", "params": {}}}, "name": "small"}"""
    assert parse_graph(text).hash == parse_graph(SMALL).hash
    assert len(parse_graph(text).hash) == 64


def test_the_hash_follows_what_a_run_follows() -> None:
    assert parse_graph(SMALL.replace("answerer", "critic")).hash != parse_graph(SMALL).hash


HASHES = {
    "abreast": "dc8cc687be56d4e2d533a32fde04b9491fa42c697dd1fdc18f496712f4d4abb8",
    "forager": "dd07720c6c3d5dd2c5ff4df9bc4c543d6ac4140056d85aa65720a43156727a40",
    "infogent": "3fa22fc0765c5123409c30e00b2f71f7f468a7102ce13b021253e27a846377c3",
    "infogent-visual": "d35fd09d1015313ea05f1652d7bd13cb64067ede2eac1e5b2e92809f28552cd7",
    "mango": "27540e9ff66564d36a486e784bd0714422fe6e64651afe501da8bd67160ce4a0",
    "self-map": "0c10d0fbfae1fe7a2086b2cb600f06e0457a021953decc8e9f049de651915243",
    "weboperator": "042b5ac30477123d83931a1f99abb7967b46442667133e91b4e7f9df47961af6",
    "webwalker": "c244ee940f06141750e9bbe83eb4a7fd76e3217f6d115e9ab818e302cf4459f7",
}
"""Of the presets, to which sessions are pinned: only a change of a preset changes its hash."""


@pytest.mark.parametrize(("preset", "hash"), HASHES.items())
def test_the_hash_of_a_graph_without_prompts_stays(preset: str, hash: str) -> None:
    spec = load_graph(preset)
    assert spec.hash == hash
    assert GraphSpec.model_validate(spec.model_dump()).hash == hash
    assert "prompts" not in spec.canonical()


def test_prompts_are_read_and_enter_the_hash() -> None:
    node = "{type: answerer, prompts: {WriteAnswer: Answer in verse.}}"
    told = parse_graph(SMALL.replace("{type: answerer}", node))
    assert told.nodes["answer"].prompts == {"WriteAnswer": "Answer in verse."}
    assert told.hash != parse_graph(SMALL).hash
    assert parse_graph(told.canonical()).nodes == told.nodes


def test_folds_are_read_and_do_not_enter_the_hash() -> None:
    drawn = parse_graph(f"{SMALL}folds: {{the whole: [answer]}}\n")
    assert drawn.folds == {"the whole": ("answer",)}
    assert drawn.hash == parse_graph(SMALL).hash


def test_prompts_in_a_graph_inside_are_kept() -> None:
    node = "{type: answerer, prompts: {WriteAnswer: Briefly.}}"
    body = parse_graph(SMALL.replace("{type: answerer}", node)).canonical()
    text = f"name: outer\nnodes: {{deep: {{type: graph, params: {{spec: {body}}}}}}}\nedges: []\n"
    assert parse_graph(text).inner("deep").nodes["answer"].prompts == {"WriteAnswer": "Briefly."}


NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(
        NAMES, st.tuples(NAMES, st.dictionaries(NAMES, VALUES, max_size=3)), max_size=5
    ),
    st.lists(st.tuples(NAMES, NAMES, NAMES, st.booleans()), max_size=6),
)
def test_the_canonical_form_round_trips(
    nodes: dict[str, tuple[str, dict[str, object]]], edges: list[tuple[str, str, str, bool]]
) -> None:
    spec = GraphSpec(
        name="any",
        nodes={
            name: NodeSpec.model_validate({"type": f"t_{kind}", "params": params})
            for name, (kind, params) in nodes.items()
        },
        edges=tuple(Edge(source=a, route=r, target=b, fan=fan) for a, r, b, fan in edges),
    )
    again = GraphSpec.model_validate_json(spec.canonical())
    assert again.hash == spec.hash
    assert again.nodes == spec.nodes


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("type: answerer", "typ: answerer", "small.yaml, line 5: unknown entry 'typ'"),
        ("edges:", "edgs:", "small.yaml, line 6: unknown entry 'edgs'"),
        ("name: small", "", "'name' is missing"),
        ("start -> answer", "start > answer", "line 7: 'start > answer' is not an edge"),
        ("  - answer.end", "  - [answer.end", "line"),
        (
            "  answer: {type: answerer}",
            "  a: {type: b}\n  a: {type: c}",
            "line 6: 'a' is defined twice",
        ),
        ("  answer:", "  no:", "line 5: 'no' is not a name"),
        ("{type: answerer}", "&x {type: answerer}\n  other: *x", "aliases"),
        ("{type: answerer}", "answerer", "line 5: nodes.answer"),
    ],
)
def test_faults_name_their_line(old: str, new: str, said: str) -> None:
    assert said in fault(SMALL.replace(old, new)).what


def test_misspelt_entries_are_guessed() -> None:
    assert "Did you mean 'type'?" in fault(SMALL.replace("type:", "typ:")).mend
    assert "Did you mean 'edges'?" in fault(SMALL.replace("edges:", "edgs:")).mend


@pytest.mark.parametrize("text", ["", "- a", "3", "a: {" * 600, "[" * 600, "\x00", "a: 2026-99-99"])
def test_what_is_no_graph_is_refused(text: str) -> None:
    assert fault(text).mend


def test_lines_of_nodes_and_edges() -> None:
    assert line_numbers(SMALL) == {"answer": 5, "start -> answer": 7, "answer.end -> end": 8}


def test_presets_are_loaded_by_name() -> None:
    assert {"abreast", "forager", "infogent", "mango", "webwalker"} <= set(preset_names())
    for name in preset_names():
        assert load_graph(name).name == name


def test_unknown_graph_suggests_the_nearest_name() -> None:
    with pytest.raises(GraphError) as caught:
        load_graph("forrager")
    assert caught.value.mend == "Did you mean 'forager'? Or name a file."


def test_a_graph_within_a_graph_is_put_in_its_place() -> None:
    spec = parse_graph(
        """
        name: outer
        nodes:
          deeper: {type: graph, params: {spec: mango}}
          inline: {type: graph, params: {spec: {name: i, nodes: {}, edges: []}}}
        edges: []
        """
    )
    assert spec.inner("deeper").hash == load_graph("mango").hash
    assert spec.inner("inline").name == "i"
    assert parse_graph(spec.canonical()).hash == spec.hash


def test_a_graph_cannot_contain_itself(tmp_path: object) -> None:
    path = f"{tmp_path}/loop.yaml"
    text = f"name: l\nnodes:\n  again: {{type: graph, params: {{spec: {path}}}}}\nedges: []\n"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(text)
    with pytest.raises(GraphError, match="contains itself"):
        load_graph(path)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"\xff\xfename: x", "is not text in UTF-8"),
        (b"# " + b"x" * MAX_BYTES, "is too large for a graph"),
    ],
)
def test_a_file_that_is_no_graph_is_told(tmp_path: Path, body: bytes, said: str) -> None:
    file = tmp_path / "graph.yaml"
    file.write_bytes(body)
    with pytest.raises(GraphError, match=said):
        load_graph(str(file))


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A pipe would wait for ever, a device never end."""
    os.mkfifo(tmp_path / "pipe.yaml")
    for name in (str(tmp_path / "pipe.yaml"), "/dev/zero"):
        with pytest.raises(GraphError, match="There is no graph"):
            load_graph(name)


def test_a_graph_has_a_bounded_number_of_nodes() -> None:
    nodes = "".join(f"  n{each}: {{type: interpreter}}\n" for each in range(MAX_NODES + 1))
    with pytest.raises(GraphError, match="at most 500 items"):
        parse_graph(f"name: long\nnodes:\n{nodes}edges: []\n", "it")
