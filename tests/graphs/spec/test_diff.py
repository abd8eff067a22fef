from typing import Any

import pytest
from hypothesis import given, settings

from forager.domain.parameters import Parameter
from graphs.spec.diff import compare_specs, find_renames
from graphs.spec.edit import with_values
from graphs.spec.spec import PRESETS, Edge, GraphSpec, load_graph, parse_graph, preset_names
from tests.graphs.spec.test_yaml_writer import changed

MANGO = load_graph("mango")


def edited(*pairs: tuple[str, str]) -> list[str]:
    """The differences from mango after changes of its text."""
    text = (PRESETS / "mango.yaml").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return [str(each) for each in compare_specs(MANGO, parse_graph(text))]


def body(spec: GraphSpec, **update: Any) -> GraphSpec:
    return spec.model_copy(update=update)


@pytest.mark.parametrize("name", preset_names())
def test_a_graph_does_not_differ_from_itself(name: str) -> None:
    spec = load_graph(name)
    moved = body(spec, positions={"answer": (1.0, 2.0)}, edges=spec.edges[::-1])
    assert compare_specs(spec, moved) == ()


def test_changed_parameters_types_and_routes_are_listed() -> None:
    assert edited(("steps: 10", "steps: 12"), (", ranking: bm25", "")) == [
        "~ survey: no longer ranking bm25",
        "~ navigate: steps 10 → 12",
    ]
    assert edited(("navigator, params: {", "navigator, params: {least: 0.5, ")) == [
        "~ navigate: least set to 0.5"
    ]
    assert edited(("reflect.done -> answer", "reflect.done -> select")) == [
        "~ reflect.done -> select: target 'answer' → 'select'"
    ]
    assert edited(("select.arm -> recall", "select.arm => recall")) == [
        "~ select.arm => recall: now one branch per arm"
    ]


def test_added_and_removed_nodes_are_listed_with_their_edges() -> None:
    node = (
        "  answer: {type",
        "  judge:     {type: critic, params: {least: 1.2}}\n  answer: {type",
    )
    route = (
        "aggregate.next -> navigate",
        "aggregate.next -> judge\n  - judge.sufficient -> answer",
    )
    told = edited(node, route)
    assert told == [
        "+ judge: new node, of type 'critic': least 1.2",
        "~ aggregate.next -> judge: target 'navigate' → 'judge'",
        "+ judge.sufficient -> answer: new edge",
    ]
    nodes = {name: node for name, node in MANGO.nodes.items() if name != "recall"}
    edges = tuple(edge for edge in MANGO.edges if "recall" not in (edge.source, edge.target))
    told = [str(each) for each in compare_specs(MANGO, body(MANGO, nodes=nodes, edges=edges))]
    assert told == [
        "- recall: removed, of type 'recaller': episodes arm",
        "- select.arm -> recall: removed",
        "- recall.next -> navigate: removed",
    ]


def test_a_renamed_node_is_recognised() -> None:
    told = edited(("reflect:", "ponder:"), ("-> reflect", "-> ponder"), ("- reflect.", "- ponder."))
    assert told == ["~ ponder: renamed from 'reflect'"]
    changed_too = edited(
        ("reflect:", "ponder:"),
        ("-> reflect", "-> ponder"),
        ("- reflect.", "- ponder."),
        ("{rewards: mango}", "{rewards: gain}"),
    )
    assert changed_too == ["~ ponder: renamed from 'reflect'", "~ ponder: rewards mango → gain"]


def test_changed_name_prompts_and_inner_graph_are_listed() -> None:
    told = edited(
        ("name: mango", "name: mine"),
        ("{type: answerer}", "{type: answerer, prompts: {answer: Hi}}"),
    )
    assert told == ["~ graph: renamed from 'mango' to 'mine'", "~ answer: prompts 'answer' added"]
    abreast = load_graph("abreast")
    inner = abreast.inner("walk")
    other = body(inner, edges=(*inner.edges[:-1], Edge.model_validate("act.moved -> end")))
    walk = abreast.nodes["walk"]
    node = walk.model_copy(update={"params": {"spec": other.model_dump(mode="json")}})
    differences = compare_specs(abreast, body(abreast, nodes={**abreast.nodes, "walk": node}))
    assert {each.at.partition("/")[0] for each in differences} == {"walk"}


@given(spec=changed(MANGO))
@settings(max_examples=40)
def test_each_place_is_one_of_the_graphs_and_nothing_changed_is_passed_over(
    spec: GraphSpec,
) -> None:
    told = compare_specs(MANGO, spec)
    assert bool(told) == (MANGO.hash != spec.hash)
    for each in told:
        graph = MANGO if each.sign == "-" else spec
        assert each.at in {"", *graph.nodes, *map(str, graph.edges)}
    assert set(find_renames(MANGO, spec)) <= set(MANGO.nodes)


def test_parameters_are_compared() -> None:
    old = load_graph("mango")
    declared = {"deep": Parameter(type="integer", default=3)}
    one = old.model_copy(update={"parameters": declared})
    two = with_values(one, {"deep": 4})
    helped = {"deep": Parameter(type="integer", default=3, help="clicks")}
    for was, now, message in (
        (old, one, "new parameter 'deep': 3"),
        (one, two, "parameter 'deep': 3 → 4"),
        (one, old, "no longer the parameter 'deep'"),
        (one, one.model_copy(update={"parameters": helped}), "parameter 'deep' changed"),
    ):
        [found] = compare_specs(was, now)
        assert (found.at, found.message) == ("", message)
