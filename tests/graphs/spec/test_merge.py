from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.parameters import Parameter
from graphs.spec.diff import compare_specs
from graphs.spec.edit import (
    rename_nodes,
    with_inner_graph,
    with_node,
    with_parameter,
    with_prompt,
    with_route,
    without_nodes,
)
from graphs.spec.merge import describe_sides, merge_graphs
from graphs.spec.spec import GraphSpec, NodeSpec, load_graph

BASE = load_graph("mango")
Change = Callable[[GraphSpec], GraphSpec]


def with_value(node: str, param: str, value: int) -> Change:
    def change(spec: GraphSpec) -> GraphSpec:
        own = spec.nodes[node]
        params = {**own.params, param: value}
        return with_node(spec, node, own.model_copy(update={"params": params}))

    return change


def with_new_node(name: str) -> Change:
    return lambda spec: with_node(spec, name, NodeSpec(type="critic"))


def test_changes_of_different_places_are_both_taken() -> None:
    theirs = with_value("navigate", "steps", 3)(with_route(BASE, "reflect", "continue", "survey"))
    mine = with_prompt(with_value("survey", "pages", 40)(BASE), "answer", "answer", "Short.", "")
    graph, conflicts = merge_graphs(BASE, theirs, mine)
    assert conflicts == ()
    assert graph.nodes["navigate"].params["steps"] == 3
    assert graph.nodes["survey"].params["pages"] == 40
    assert graph.nodes["answer"].prompts == {"answer": "Short."}
    assert "reflect.continue -> survey" in map(str, graph.edges)
    assert "reflect.continue -> select" not in map(str, graph.edges)


def test_two_parameters_of_one_node_are_no_conflict() -> None:
    theirs = with_value("navigate", "steps", 3)(BASE)
    mine = with_value("navigate", "passages", 4)(BASE)
    graph, conflicts = merge_graphs(BASE, theirs, mine)
    assert conflicts == ()
    assert graph.nodes["navigate"].params["steps"] == 3
    assert graph.nodes["navigate"].params["passages"] == 4


def test_what_both_changed_is_named_and_left_to_choose() -> None:
    theirs = with_route(with_value("navigate", "steps", 3)(BASE), "reflect", "continue", "survey")
    mine = with_route(with_value("navigate", "steps", 4)(BASE), "reflect", "continue", "answer")
    merge = merge_graphs(BASE, theirs, mine)
    assert list(describe_sides(merge)) == [
        ("navigate.steps", "3", "4"),
        ("reflect.continue", "survey", "answer"),
    ]
    assert merge.graph.nodes["navigate"].params["steps"] == 4
    chosen = merge_graphs(BASE, theirs, mine, {"navigate.steps": "theirs"})
    assert chosen.graph.nodes["navigate"].params["steps"] == 3
    assert "reflect.continue -> answer" in map(str, chosen.graph.edges)


@pytest.mark.parametrize("mine_removed", [False, True])
def test_a_node_that_one_removed_and_the_other_changed_is_kept_with_its_edges_or_goes(
    *, mine_removed: bool
) -> None:
    gone = without_nodes(BASE, "act")
    changed = with_prompt(BASE, "act", "act", "Press nothing.", "")
    theirs, mine = (changed, gone) if mine_removed else (gone, changed)
    merge = merge_graphs(BASE, theirs, mine)
    assert [each.place for each in merge.conflicts] == ["act"]
    keeps, removes = ("theirs", "mine") if mine_removed else ("mine", "theirs")
    assert not compare_specs(merge_graphs(BASE, theirs, mine, {"act": keeps}).graph, changed)  # type: ignore[dict-item]
    assert not compare_specs(merge_graphs(BASE, theirs, mine, {"act": removes}).graph, gone)  # type: ignore[dict-item]


def test_an_edge_to_a_node_that_the_other_removed_is_a_conflict() -> None:
    theirs = without_nodes(BASE, "act")
    mine = with_route(BASE, "reflect", "continue", "act")
    merge = merge_graphs(BASE, theirs, mine)
    assert "act" in [each.place for each in merge.conflicts]
    assert "reflect.continue -> act" in map(str, merge.graph.edges)
    without = merge_graphs(BASE, theirs, mine, {"act": "theirs"}).graph
    assert "act" not in without.nodes
    assert not [edge for edge in without.edges if "act" in (edge.source, edge.target)]


def test_a_node_that_one_renamed_has_the_change_of_the_other() -> None:
    theirs = rename_nodes(BASE, {"navigate": "walk"})
    mine = with_value("navigate", "steps", 4)(BASE)
    for one, other in ((theirs, mine), (mine, theirs)):
        graph, conflicts = merge_graphs(BASE, one, other)
        assert conflicts == ()
        assert "navigate" not in graph.nodes
        assert graph.nodes["walk"].params["steps"] == 4


def test_parameters_of_the_graph_are_merged_by_name() -> None:
    one, other = (Parameter(type="integer", default=number) for number in (1, 2))
    theirs = with_parameter(with_parameter(BASE, "deep", one), "most", one)
    mine = with_parameter(with_parameter(BASE, "wide", other), "most", other)
    graph, conflicts = merge_graphs(BASE, theirs, mine)
    assert graph.parameters.keys() == {"deep", "wide", "most"}
    assert [each.place for each in conflicts] == ["parameter most"]


def test_the_graph_inside_of_a_node_is_merged_by_its_own_nodes() -> None:
    base = load_graph("abreast")

    def inside(change: Change) -> GraphSpec:
        return with_inner_graph(base, "walk", change(base.inner("walk")))

    theirs = inside(with_value("navigate", "steps", 3))
    mine = inside(with_value("navigate", "passages", 4))
    graph, conflicts = merge_graphs(base, theirs, mine)
    assert conflicts == ()
    assert graph.inner("walk").nodes["navigate"].params["steps"] == 3
    assert graph.inner("walk").nodes["navigate"].params["passages"] == 4
    mine = inside(with_value("navigate", "steps", 4))
    merge = merge_graphs(base, theirs, mine, {"walk/navigate.steps": "theirs"})
    assert [each.place for each in merge.conflicts] == ["walk/navigate.steps"]
    assert merge.graph.inner("walk").nodes["navigate"].params["steps"] == 3


PARAMS = st.builds(
    with_value,
    st.sampled_from(sorted(BASE.nodes)),
    st.sampled_from(["steps", "pages", "rounds"]),
    st.integers(1, 3),
)
ROUTES = st.builds(
    lambda edge, to: (
        lambda spec: (
            with_route(spec, edge.source, edge.route, to)
            if {edge.source, to} <= spec.nodes.keys()
            else spec
        )
    ),
    st.sampled_from([edge for edge in BASE.edges if edge.route]),
    st.sampled_from(sorted(BASE.nodes)),
)
REMOVALS = st.builds(
    lambda node: lambda spec: without_nodes(spec, node) if node in spec.nodes else spec,
    st.sampled_from(sorted(BASE.nodes)),
)
ADDED = st.builds(with_new_node, st.sampled_from(["second", "third"]))


def fitting(change: Change) -> Change:
    def apply(spec: GraphSpec) -> GraphSpec:
        try:
            return change(spec)
        except KeyError:  # of a node that was removed
            return spec

    return apply


@st.composite
def graphs(draw: st.DrawFn) -> GraphSpec:
    spec = BASE
    for change in draw(st.lists(PARAMS | ROUTES | REMOVALS | ADDED, max_size=4)):
        spec = fitting(change)(spec)
    return spec


def equal(one: GraphSpec, other: GraphSpec) -> bool:
    """Whether two graphs are the same, however their edges are ordered."""
    return one.nodes == other.nodes and set(one.edges) == set(other.edges)


@given(graphs())
def test_what_only_one_changed_is_taken_as_it_is(changed: GraphSpec) -> None:
    for theirs, mine in ((changed, BASE), (BASE, changed), (changed, changed)):
        graph, conflicts = merge_graphs(BASE, theirs, mine)
        assert conflicts == ()
        assert equal(graph, changed)


@given(graphs(), graphs())
def test_a_merge_is_the_same_from_both_sides_and_leads_to_no_node_that_is_gone(
    one: GraphSpec, other: GraphSpec
) -> None:
    here, there = merge_graphs(BASE, one, other), merge_graphs(BASE, other, one)
    assert {each.place for each in here.conflicts} == {each.place for each in there.conflicts}
    swapped = merge_graphs(BASE, other, one, {each.place: "theirs" for each in there.conflicts})
    assert equal(here.graph, swapped.graph)
    for edge in here.graph.edges:
        assert edge.target in {*here.graph.nodes, "end"}
        assert edge.source in {*here.graph.nodes, "start"}


@given(graphs(), graphs())
def test_a_parameter_of_the_merge_is_that_of_one_side(one: GraphSpec, other: GraphSpec) -> None:
    graph = merge_graphs(BASE, one, other).graph
    for name, node in graph.nodes.items():
        sides = [spec.nodes[name].params for spec in (one, other) if name in spec.nodes]
        for param, value in node.params.items():
            assert value in [params.get(param) for params in sides]
