"""Seeded faults are found and named; what has none compiles and ends within its budget."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.spend import Budget
from forager.state import Question, State
from graphs.check import Finding, check
from graphs.compile import compile, super_steps
from graphs.registry import REGISTRY as REAL
from graphs.spec import Edge, GraphSpec, NodeSpec, load
from tests.graphs.fanned import FANNED
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import scripted

Mutation = Callable[[GraphSpec, random.Random], tuple[GraphSpec, str]]

GOOD = [load(name) for name in ("forager", "mango", "webwalker")] + [FANNED]


def with_edges(spec: GraphSpec, edges: list[Edge]) -> GraphSpec:
    return spec.model_copy(update={"edges": tuple(edges)})


def rewired(spec: GraphSpec, index: int, **change: str) -> GraphSpec:
    edges = list(spec.edges)
    edges[index] = edges[index].model_copy(update=change)
    return with_edges(spec, edges)


def orphan(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    nodes = {**spec.nodes, "orphan": NodeSpec(type="recaller")}
    edges = [*spec.edges, Edge(source="orphan", route="next", target="answer")]
    return with_edges(spec.model_copy(update={"nodes": nodes}), edges), "orphan"


def missing_route(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    edges = list(spec.edges)
    gone = edges.pop(seed.randrange(1, len(edges)))
    return with_edges(spec, edges), f"{gone.source}.{gone.route}"


def doubled_route(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    twin = seed.choice([edge for edge in spec.edges[1:] if not edge.fan])
    edges = [*spec.edges, twin.model_copy(update={"target": "answer"})]
    return with_edges(spec, edges), f"{twin.source}.{twin.route}"


def unknown_target(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = seed.randrange(len(spec.edges))
    return rewired(spec, index, target="nowhere"), "nowhere"


def unknown_source(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = seed.randrange(1, len(spec.edges))
    return rewired(spec, index, source="nobody"), "nobody"


def unknown_route(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = seed.randrange(1, len(spec.edges))
    return rewired(spec, index, route="sideways"), "sideways"


def wrong_type(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    name = seed.choice([name for name, node in spec.nodes.items() if node.type != "graph"])
    wrong = NodeSpec(type=spec.nodes[name].type[:-2] + "xx")
    return spec.model_copy(update={"nodes": {**spec.nodes, name: wrong}}), wrong.type


def misspelt_param(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    node = NodeSpec(type="selector", params={"stratgey": "greedy"})
    return spec.model_copy(update={"nodes": {**spec.nodes, "select": node}}), "stratgey"


def wrong_value(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    node = NodeSpec(type="selector", params={"rounds": "many"})
    return spec.model_copy(update={"nodes": {**spec.nodes, "select": node}}), "rounds"


def endless_loop(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = [str(edge) for edge in spec.edges].index("select.exhausted -> answer")
    return rewired(spec, index, target="select"), "select"


def no_way_home(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    edges = [edge for edge in spec.edges if edge.target != "end"]
    return with_edges(spec, [*edges, Edge(source="answer", route="end", target="survey")]), "end"


def no_entry(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    return with_edges(spec, list(spec.edges[1:])), "entry"


def two_entries(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    return with_edges(spec, [*spec.edges, Edge(source="start", target="select")]), "entry"


def read_before_written(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = [edge.source for edge in spec.edges].index("survey")
    return rewired(spec, index, target="answer"), "never reached"


MUTATIONS = [
    orphan,
    missing_route,
    doubled_route,
    unknown_target,
    unknown_source,
    unknown_route,
    wrong_type,
    misspelt_param,
    wrong_value,
    endless_loop,
    no_way_home,
    no_entry,
    two_entries,
    read_before_written,
]


@pytest.mark.parametrize("spec", GOOD, ids=lambda spec: spec.name)
def test_good_graphs_have_no_findings(spec: GraphSpec) -> None:
    assert check(loosened(spec), REGISTRY) == ()


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@given(st.sampled_from(GOOD), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_every_seeded_fault_is_found_and_named(
    mutate: Mutation, spec: GraphSpec, seed: random.Random
) -> None:
    bad, name = mutate(loosened(spec), seed)
    findings = check(bad, REGISTRY)
    assert any(name in str(finding) for finding in findings), list(map(str, findings))
    assert all(finding.message and finding.severity == "error" for finding in findings)


def only(spec: GraphSpec) -> Finding:
    (finding,) = check(spec, REGISTRY)
    return finding


def test_the_mend_guesses_what_was_meant() -> None:
    spec = loosened(load("mango"))
    typo = rewired(spec, 1, target="selct")
    assert only(typo).mend == "Did you mean 'select'?"
    assert only(typo).at == "survey.found -> selct"
    nodes = {**spec.nodes, "select": NodeSpec(type="selector", params={"stratgey": "root"})}
    param = spec.model_copy(update={"nodes": nodes})
    assert only(param) == Finding(
        at="select",
        message="There is no parameter 'stratgey'.",
        mend="Did you mean 'strategy'?",
    )


def test_a_key_must_be_written_on_every_way() -> None:
    spec = loosened(load("webwalker"))
    index = [str(edge) for edge in spec.edges].index("select.arm -> navigate")
    finding = only(rewired(spec, index, target="aggregate"))
    assert finding.at == "aggregate"
    assert "'reading'" in finding.message
    assert "start -> survey -> select -> aggregate" in finding.message
    assert finding.mend == "Lead that way through 'extract'."


def test_a_budget_must_lead_out_of_its_loop() -> None:
    """A navigator that always leads back to itself is a loop, whatever its budget."""
    spec = loosened(load("mango"))
    index = [str(edge) for edge in spec.edges].index("reflect.continue -> select")
    finding = only(rewired(spec, index, target="navigate"))
    assert "navigate -> reflect -> navigate" in finding.message
    assert finding.mend == "Lead navigate.stop out of it."


def test_only_a_navigator_that_follows_links_needs_an_arm() -> None:
    """What a node reads may depend on its mode."""
    spec = load("infogent")
    assert check(spec) == ()
    for node in (NodeSpec(type="navigator"), NodeSpec(type="navigator", params={"mode": "links"})):
        walking = spec.model_copy(update={"nodes": {**spec.nodes, "navigate": node}})
        [finding] = check(walking)
        assert finding.at == "navigate"
        assert "'draw'" in finding.message
    assert {"draw"} == REAL["navigator"].needs({}) - REAL["navigator"].needs({"mode": "search"})


def test_faults_inside_a_graph_are_told_with_their_way() -> None:
    outer = FANNED.nodes["expedition"].params["spec"]
    assert isinstance(outer, dict)
    body = {**outer, "edges": [*outer["edges"], "act.moved -> nowhere"]}  # type: ignore[misc]
    node = NodeSpec.model_validate({"type": "graph", "params": {"spec": body}})
    spec = FANNED.model_copy(update={"nodes": {**FANNED.nodes, "expedition": node}})
    assert {finding.at.partition("/")[0] for finding in check(spec, REGISTRY)} == {"expedition"}


def test_only_a_graph_is_fanned_out() -> None:
    spec = loosened(load("mango"))
    fanned = with_edges(
        spec,
        [edge.model_copy(update={"fan": edge.route == "arm"}) for edge in spec.edges],
    )
    assert "Only a graph can be fanned out" in only(fanned).message


@pytest.mark.parametrize("name", ["start", "end", "Survey", "a.b", "a|b", "", "__x"])
def test_names_that_would_not_work(name: str) -> None:
    spec = GraphSpec(
        name="x",
        nodes={name: NodeSpec(type="answerer")},
        edges=(
            Edge(source="start", target=name),
            Edge(source=name, route="end", target="end"),
        ),
    )
    assert any("cannot be the name" in finding.message for finding in check(spec, REGISTRY))


@st.composite
def any_graph(draw: st.DrawFn) -> GraphSpec:
    """Real node types wired at random: most are wrong, and some are right in odd ways."""
    kinds = draw(st.lists(st.sampled_from(sorted(REGISTRY)), min_size=1, max_size=5))
    nodes = {f"n{index}": NodeSpec(type=kind) for index, kind in enumerate(kinds)}
    targets = st.sampled_from([*nodes, "end"])
    ways = [
        Edge(source=name, route=route, target=draw(targets))
        for name, node in nodes.items()
        for route in REGISTRY[node.type].routes
    ]
    return GraphSpec(name="any", nodes=nodes, edges=(Edge(source="start", target="n0"), *ways))


@st.composite
def bent_graph(draw: st.DrawFn) -> GraphSpec:
    """A good graph with some edges led elsewhere."""
    spec = loosened(draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(1, 3))):
        index = draw(st.integers(1, len(spec.edges) - 1))
        target = draw(st.sampled_from([*spec.nodes, "end"]))
        spec = rewired(spec, index, target=target)
    return spec


@given(any_graph() | bent_graph())
@settings(max_examples=300, deadline=None)
async def test_what_passes_compiles_and_ends(spec: GraphSpec) -> None:
    if check(spec, REGISTRY):
        return
    budget = Budget(rounds=2, steps=2)
    question = Question(text="?", sites=("http://site/",), budget=budget)
    graph = compile(spec, scripted(), REGISTRY)
    await graph.ainvoke(State(question=question), {"recursion_limit": super_steps(spec, REGISTRY)})
