"""Folding nodes into one, and unfolding them: the same graph, and the same run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.domain.spend import Budget
from forager.domain.state import Question, State
from forager.errors import GraphError
from graphs.check.checker import find_faults
from graphs.runtime.compile import compile_graph
from graphs.spec.fold import fold_nodes, unfold_node
from graphs.spec.spec import Edge, GraphSpec, load_graph, parse_graph, preset_names
from graphs.spec.yaml_writer import rewrite_graph, write_graph
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import scripted

EXPEDITION = ("recall", "navigate", "act", "extract", "aggregate", "reflect")
WALK = ("recall", "navigate", "act", "extract", "aggregate")


def test_an_expedition_becomes_one_node() -> None:
    mango = load_graph("mango")
    folded = fold_nodes(mango, WALK, "expedition")
    assert list(folded.nodes) == [
        "interpret",
        "survey",
        "select",
        "expedition",
        "reflect",
        "answer",
    ]
    assert "select.arm -> expedition" in map(str, folded.edges)
    assert "expedition.end -> reflect" in map(str, folded.edges)
    assert find_faults(folded) == ()
    assert list(folded.inner("expedition").nodes) == list(WALK)
    assert unfold_node(folded, "expedition").hash == mango.hash


@given(st.sampled_from([load_graph(name) for name in preset_names()]), st.data())
@settings(max_examples=80)
def test_folded_and_unfolded_is_the_same_graph(spec: GraphSpec, data: st.DataObject) -> None:
    names, first = list(spec.nodes), data.draw(st.integers(0, len(spec.nodes) - 1))
    group = names[first : first + data.draw(st.integers(1, 7))]
    spec = spec.model_copy(
        update={
            "positions": {node: (float(n), 1.0) for n, node in enumerate(spec.nodes)},
            "folds": {"box": (group[0],)},
        }
    )
    try:
        folded = fold_nodes(spec, group, "group")
    except GraphError:
        return
    back = unfold_node(folded, "group")
    assert back.hash == spec.hash
    assert back.positions == spec.positions


def test_a_fold_is_written_into_the_yaml_and_read_again() -> None:
    spec = load_graph("mango")
    folded = fold_nodes(spec, WALK, "walk")
    again = parse_graph(rewrite_graph(write_graph(spec), folded))
    assert again.hash == folded.hash
    assert unfold_node(again, "walk").hash == spec.hash


def test_every_single_node_that_leads_to_one_can_be_folded() -> None:
    mango = load_graph("mango")
    for name in ("recall", "act", "aggregate", "answer"):
        folded = fold_nodes(mango, [name], name)
        assert folded.nodes[name].type == "graph"
        assert unfold_node(folded, name).hash == mango.hash


def test_a_shipped_graph_inside_another_is_opened_and_closed() -> None:
    abreast = load_graph("abreast")
    walk = abreast.inner("walk")
    opened = unfold_node(abreast, "walk")
    assert opened.nodes.keys() >= walk.nodes.keys()
    assert fold_nodes(opened, list(walk.nodes), "walk").hash == abreast.hash


def test_what_is_called_alike_gets_a_number() -> None:
    mango = load_graph("mango")
    folded = fold_nodes(mango, WALK, "expedition")
    twin = folded.model_copy(
        update={"nodes": {**folded.nodes, "act": folded.nodes["answer"]}},
    )
    opened = unfold_node(twin, "expedition")
    assert opened.nodes["act"].type == "answerer"
    assert opened.nodes["act_2"].type == "actor"
    assert "navigate.act -> act_2" in map(str, opened.edges)


@pytest.mark.parametrize(
    ("group", "name", "why"),
    [
        (("navigate", "act"), "walk", "lead to 2 nodes: extract, reflect"),
        (EXPEDITION, "walk", "lead to 2 nodes: select, answer"),
        (("act", "aggregate"), "walk", "are entered at 2 nodes"),
        ((), "walk", "nothing to fold"),
        (("nobody",), "walk", "no node 'nobody'"),
        (("recall",), "answer", "already"),
        (("recall",), "end", "cannot be the name"),
        (tuple(load_graph("mango").nodes), "all", ""),
    ],
)
def test_invalid_folds_are_refused(group: tuple[str, ...], name: str, why: str) -> None:
    mango = load_graph("mango")
    if not why:  # a whole graph can be
        assert unfold_node(fold_nodes(mango, group, name), name).hash == mango.hash
        return
    with pytest.raises(GraphError, match=why) as refused:
        fold_nodes(mango, group, name)
    assert refused.value.mend


def test_branches_are_not_folded_together_with_what_joins_them() -> None:
    spec = load_graph("abreast")
    ways = [
        str(edge).replace("insufficient -> survey", "insufficient -> answer") for edge in spec.edges
    ]
    led = spec.model_copy(update={"edges": tuple(map(Edge.model_validate, ways))})
    with pytest.raises(GraphError, match="once per arm"):
        fold_nodes(led, ("walk", "judge"), "both")


def test_only_graphs_are_unfolded() -> None:
    with pytest.raises(GraphError, match="is not a node of type graph"):
        unfold_node(load_graph("mango"), "act")


async def answered(spec: GraphSpec) -> State:
    question = Question(text="?", sites=("http://site/",), budget=Budget(rounds=2, steps=2))
    graph = compile_graph(spec, scripted(), REGISTRY)
    values = await graph.ainvoke(State(question=question))
    return State(
        **{key: value for key, value in values.items() if key in vars(State(question=question))}
    )


async def test_a_folded_graph_finds_the_same_answer() -> None:
    spec = loosened(load_graph("mango"))
    plain, folded = await answered(spec), await answered(fold_nodes(spec, WALK, "walk"))
    assert folded.answer == plain.answer
    assert folded.evidence == plain.evidence
    assert folded.spend.actions == plain.spend.actions
    assert folded.spend.model_calls == plain.spend.model_calls


def test_parameters_go_with_the_nodes_that_refer_to_them() -> None:
    text = write_graph(load_graph("mango"))
    text = text.replace("mode: links, steps: 10", "mode: links, steps: $deep").replace(
        "nodes:\n", "parameters:\n  deep: {type: integer, default: 7}\nnodes:\n", 1
    )
    spec = parse_graph(text)
    folded = fold_nodes(spec, WALK, "expedition")
    assert find_faults(folded) == ()
    assert folded.nodes["expedition"].params["set"] == {"deep": "$deep"}
    assert folded.inner("expedition").parameters == spec.parameters
    assert unfold_node(folded, "expedition").hash == spec.hash
    alone = folded.nodes["expedition"].model_copy(
        update={"params": {**folded.nodes["expedition"].params, "set": {"deep": 3}}}
    )
    held = folded.model_copy(update={"nodes": {**folded.nodes, "expedition": alone}})
    assert unfold_node(held, "expedition").nodes["navigate"].params["steps"] == 3


def test_conditions_with_parameters_are_unfolded_as_they_were() -> None:
    walk = {
        "name": "walk",
        "parameters": {"kind": {"type": "text", "default": "list"}},
        "nodes": {"late": {"type": "branch", "params": {"cases": ["kind == $kind -> done"]}}},
        "edges": ["start -> late", "late.done -> end", "late.else -> end"],
    }
    body = {
        "name": "outer",
        "nodes": {"walk": {"type": "graph", "params": {"spec": walk}}},
        "edges": ["start -> walk", "walk.end -> end"],
    }
    spec = GraphSpec.model_validate(body)
    assert unfold_node(spec, "walk").nodes["late"].params["cases"] == ['kind == "list" -> done']
    walk = {**walk, "nodes": walk["nodes"]}
    body["nodes"] = {"walk": {"type": "graph", "params": {"spec": walk, "set": {"kind": "$asked"}}}}
    spec = GraphSpec.model_validate(body)
    assert unfold_node(spec, "walk").nodes["late"].params["cases"] == ["kind == $asked -> done"]
