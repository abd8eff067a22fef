"""Each fix removes its finding, and is what a person would do."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.errors import GraphError
from graphs.check.checker import find_faults
from graphs.check.finding import Finding
from graphs.spec.edit import Fix, apply_edit, rename_parameter
from graphs.spec.spec import Edge, GraphSpec, NodeSpec, load_graph, parse_graph, preset_names
from tests.graphs.fanned_graph import FANNED
from tests.graphs.mutations import GOOD, MUTATIONS, Mutation, rewired, with_edges
from tests.graphs.scripted import REGISTRY, loosened


def changed(spec: GraphSpec, *new: str, cut: tuple[str, ...] = ()) -> GraphSpec:
    kept = [edge for edge in spec.edges if str(edge) not in cut]
    return with_edges(spec, [*kept, *map(Edge.model_validate, new)])


def labels(spec: GraphSpec) -> list[str]:
    return [finding.fix.label if finding.fix else "" for finding in find_faults(spec)]


def errors(spec: GraphSpec) -> list[Finding]:
    return [finding for finding in find_faults(spec) if finding.severity == "error"]


def clicked(spec: GraphSpec) -> GraphSpec:
    """The graph after applying the first fix until there is none."""
    for _ in range(80):
        fix = next((finding.fix for finding in find_faults(spec) if finding.fix), None)
        if fix is None:
            break
        spec = apply_edit(spec, Fix.model_validate_json(fix.model_dump_json()))
    return spec


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@given(st.sampled_from(GOOD), st.randoms(use_true_random=False))
@settings(max_examples=8, deadline=None)
def test_fix_removes_its_finding(mutate: Mutation, spec: GraphSpec, seed: random.Random) -> None:
    bad, _ = mutate(loosened(spec), seed)
    for finding in find_faults(bad, REGISTRY):
        assert finding.fix, finding
        left = find_faults(apply_edit(bad, finding.fix), REGISTRY)
        assert (finding.at, finding.message) not in [(one.at, one.message) for one in left]


@pytest.mark.parametrize("name", preset_names())
def test_nodes_without_edges_are_wired_by_fixes_alone(name: str) -> None:
    assert find_faults(clicked(with_edges(load_graph(name), []))) == ()


def test_a_critic_that_is_put_in_after_the_extractor() -> None:
    mango = load_graph("mango")
    nodes = {**mango.nodes, "judge": NodeSpec(type="critic")}
    dropped = mango.model_copy(update={"nodes": nodes})
    assert labels(dropped) == [
        "Connect judge.sufficient to answer",
        "Connect judge.insufficient to navigate",
        "Remove 'judge'",
    ]
    led = changed(dropped, "extract.found -> judge", cut=("extract.found -> aggregate",))
    assert labels(led)[:2] == [
        "Connect judge.sufficient to answer",
        "Connect judge.insufficient to aggregate",
    ]
    mended = clicked(led)
    assert find_faults(mended) == ()
    assert {"judge.sufficient -> answer", "judge.insufficient -> aggregate"} <= set(
        map(str, mended.edges)
    )


def test_path_without_a_key_gets_the_node_that_writes_it() -> None:
    search = load_graph("infogent")
    nodes = {**search.nodes, "navigate": NodeSpec(type="navigator")}
    walking = search.model_copy(update={"nodes": nodes})
    assert labels(walking) == ["Insert 'select' of type 'selector' before 'navigate'"]
    mended = clicked(walking)
    assert find_faults(mended) == ()
    assert mended.nodes["select"].type == "selector"


def test_a_spent_budget_leads_out_of_its_loop() -> None:
    spec = changed(
        load_graph("mango"), "select.exhausted -> select", cut=("select.exhausted -> answer",)
    )
    assert labels(spec) == ["Lead select.exhausted to answer"]


def test_an_empty_graph_gets_an_answerer() -> None:
    spec = GraphSpec(name="new", nodes={}, edges=())
    mended = clicked(spec)
    assert errors(mended) == []
    assert list(mended.nodes) == ["answer"]


@pytest.mark.parametrize(
    ("node", "label", "mended"),
    [
        (NodeSpec(type="selecter"), "Change the type of 'select' to 'selector'", {}),
        (
            NodeSpec(type="selector", params={"rounds": 0}),
            "Set rounds to 1",
            {"rounds": 1},
        ),
        (
            NodeSpec(type="selector", params={"rounds": "many"}),
            "Set rounds to its default, 10",
            {},
        ),
        (
            NodeSpec(type="selector", params={"strategy": "gredy"}),
            "Set strategy to greedy",
            {"strategy": "greedy"},
        ),
        (
            NodeSpec(type="selector", params={"strategy": "zzz", "rounds": 3}),
            "Set strategy to its default, thompson",
            {"rounds": 3},
        ),
        (NodeSpec(type="selector", params={"zzz": 1}), "Remove 'zzz'", {}),
        (NodeSpec(type="selector", prompts={"zzz": "!"}), "Remove 'zzz'", {}),
    ],
)
def test_node_is_fixed_in_its_place(node: NodeSpec, label: str, mended: object) -> None:
    spec = load_graph("mango")
    bad = spec.model_copy(update={"nodes": {**spec.nodes, "select": node}})
    assert labels(bad) == [label]
    after = clicked(bad)
    assert after.nodes["select"] == NodeSpec.model_validate({"type": "selector", "params": mended})
    assert list(after.nodes) == list(spec.nodes)


def test_fix_restores_the_shipped_instructions() -> None:
    spec = load_graph("mango")
    node = NodeSpec(type="reflector", prompts={"Reflekt": "Be kind."})
    misspelt = spec.model_copy(update={"nodes": {**spec.nodes, "reflect": node}})
    assert labels(misspelt) == ["Rename 'Reflekt' to 'Reflect'"]
    empty = clicked(misspelt).nodes["reflect"].model_copy(update={"prompts": {"Reflect": " "}})
    bare = spec.model_copy(update={"nodes": {**spec.nodes, "reflect": empty}})
    assert labels(bare) == ["Use the shipped instructions of 'Reflect'"]
    assert clicked(bare).nodes["reflect"].prompts == {}


@pytest.mark.parametrize("name", ["Survey", "end", "start", "a b", "", "9x", "é"])
def test_a_name_that_cannot_be_used_is_changed(name: str) -> None:
    ways = (Edge(source="start", target=name), Edge(source=name, route="end", target="end"))
    spec = GraphSpec(
        name="x",
        nodes={name: NodeSpec(type="answerer")},
        edges=ways,
        positions={name: (1.0, 2.0)},
        folds={"all": (name,)},
    )
    mended = clicked(spec)
    assert errors(mended) == []
    [new] = mended.nodes
    assert mended.positions == {new: (1.0, 2.0)}
    assert mended.folds == {"all": (new,)}


def test_arrows_of_two_kinds() -> None:
    spec = changed(
        FANNED, "judge.insufficient -> expedition", cut=("judge.insufficient -> select",)
    )
    [finding] = find_faults(spec, REGISTRY)
    assert finding.fix
    [loop] = find_faults(apply_edit(spec, finding.fix), REGISTRY)
    assert "has no budget" in loop.message


def test_fault_of_an_inner_graph_is_fixed_inside() -> None:
    inner = FANNED.inner("expedition")
    body = rewired(inner, 1, target="nowhere").model_dump(mode="json")
    node = NodeSpec.model_validate({"type": "graph", "params": {"spec": body}})
    bad = FANNED.model_copy(update={"nodes": {**FANNED.nodes, "expedition": node}})
    [finding] = find_faults(bad, REGISTRY)
    assert finding.fix
    assert finding.fix.inside == ("expedition",)
    assert apply_edit(bad, finding.fix).hash == FANNED.hash


def test_a_fix_for_another_graph_is_refused() -> None:
    spec = load_graph("mango")
    bad = changed(spec, "answer.end -> start", cut=("answer.end -> end",))
    [finding] = find_faults(bad)
    assert finding.fix
    with pytest.raises(GraphError, match="no longer has"):
        apply_edit(spec, finding.fix)
    with pytest.raises(GraphError, match="no longer exists"):
        apply_edit(spec, Fix(label="", inside=("walk",), remove=("select",)))


def test_positions_of_the_others_stay() -> None:
    spec = load_graph("mango").model_copy(update={"positions": {"answer": (1, 2), "act": (3, 4)}})
    gone = apply_edit(spec, Fix(label="", remove=("act",)))
    assert gone.positions == {"answer": (1, 2)}
    assert not any("act" in (edge.source, edge.target) for edge in gone.edges)


def test_finding_seen_from_an_inner_graph() -> None:
    fix = Fix(label="Remove act", remove=("act",))
    told = Finding(at="act", message="It is not wanted.", fix=fix)
    around = told.nested_in("walk").nested_in("outer")
    assert around.at == "outer/walk/act"
    assert around.seen_from(("outer",)) == told.nested_in("walk")
    assert around.seen_from(("outer", "walk")) == told


WITH_PARAMETERS = """
name: outer
parameters:
  most: {type: integer, default: 3}
nodes:
  walk:
    type: graph
    params:
      set: {depth: $most}
      spec:
        name: walk
        parameters:
          depth: {type: integer, default: 2}
          most: {type: integer, default: 9}
        nodes:
          go: {type: navigator, params: {steps: $depth}}
        edges: []
  late: {type: branch, params: {cases: ["rounds >= $most -> end"]}}
edges: []
"""


def test_what_refers_to_a_parameter_follows_its_name() -> None:
    spec = parse_graph(WITH_PARAMETERS)
    outer = rename_parameter(spec, (), "most", "bound")
    assert list(outer.parameters) == ["bound"]
    assert outer.nodes["late"].params == {"cases": ["rounds >= $bound -> end"]}
    assert outer.nodes["walk"].params["set"] == {"depth": "$bound"}
    assert outer.inner("walk") == spec.inner("walk")
    inner = rename_parameter(spec, ("walk",), "depth", "steps")
    assert inner.nodes["walk"].params["set"] == {"steps": "$most"}
    assert inner.inner("walk").parameters.keys() == {"steps", "most"}
    assert inner.inner("walk").nodes["go"].params == {"steps": "$steps"}
    assert rename_parameter(inner, ("walk",), "steps", "depth").hash == spec.hash
