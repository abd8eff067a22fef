"""Every graph without findings compiles and ends within its budget."""

import random

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from forager.domain.spend import Budget
from forager.domain.state import Question, State
from forager.errors import GraphError
from graphs.check.checker import find_faults
from graphs.runtime.compile import compile_graph, super_step_limit
from graphs.spec.edit import apply_edit
from graphs.spec.fold import fold_nodes
from graphs.spec.spec import Edge, GraphSpec, NodeSpec, load_graph
from tests.graphs.mutations import GOOD, MUTATIONS, Mutation, rewired
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import scripted

CLICKS = 25
WALK = ("recall", "navigate", "act", "extract", "aggregate")


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
    """A valid graph with some edges redirected."""
    spec = loosened(draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(1, 3))):
        index = draw(st.integers(1, len(spec.edges) - 1))
        target = draw(st.sampled_from([*spec.nodes, "end"]))
        spec = rewired(spec, index, target=target)
    return spec


def mended(spec: GraphSpec) -> GraphSpec:
    """The graph after a few fixes: most are right then, in ways that nobody would draw."""
    for _ in range(CLICKS):
        fix = next((finding.fix for finding in find_faults(spec, REGISTRY) if finding.fix), None)
        if fix is None:
            break
        spec = apply_edit(spec, fix)
    return spec


@given(any_graph().map(mended) | bent_graph().map(mended) | bent_graph())
@settings(max_examples=35, phases=(Phase.generate,))
async def test_what_passes_compiles_and_ends(spec: GraphSpec) -> None:
    assume(not find_faults(spec, REGISTRY))
    budget = Budget(rounds=2, steps=2)
    question = Question(text="?", sites=("http://site/",), budget=budget)
    graph = compile_graph(spec, scripted(), REGISTRY)
    await graph.ainvoke(
        State(question=question), {"recursion_limit": super_step_limit(spec, REGISTRY)}
    )


@given(any_graph() | bent_graph())
@settings(max_examples=25)
def test_what_does_not_pass_does_not_compile(spec: GraphSpec) -> None:
    faults = [each for each in find_faults(spec, REGISTRY) if each.severity == "error"]
    assume(faults)
    with pytest.raises(GraphError) as refused:
        compile_graph(spec, scripted(), REGISTRY)
    assert faults[0].message in refused.value.what


INSIDE = {"unknown_target", "unknown_source", "unknown_route", "wrong_type"}


@pytest.mark.parametrize(
    "mutate",
    [each for each in MUTATIONS if each.__name__ in INSIDE],
    ids=lambda each: each.__name__,
)
@given(st.randoms(use_true_random=False))
@settings(max_examples=6)
def test_faults_inside_a_folded_graph_are_found_there(
    mutate: Mutation, seed: random.Random
) -> None:
    folded = fold_nodes(loosened(load_graph("mango")), WALK, "walk")
    bad, name = mutate(folded.inner("walk"), seed)
    node = NodeSpec.model_validate(
        {"type": "graph", "params": {"spec": bad.model_dump(mode="json")}}
    )
    spec = folded.model_copy(update={"nodes": {**folded.nodes, "walk": node}})
    found = find_faults(spec, REGISTRY)
    assert any(name in str(finding) for finding in found)
    assert all(finding.at.partition("/")[0] == "walk" for finding in found[:1])
