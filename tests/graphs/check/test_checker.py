"""Seeded faults are found and named; graphs without faults compile and end within budget."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.domain.parameters import Parameter
from graphs.check.checker import Finding, clear_fixes, find_faults, mend_faults
from graphs.spec.edit import apply_edit, with_parameter, without_nodes
from graphs.spec.fold import fold_nodes
from graphs.spec.registry import REGISTRY as REAL
from graphs.spec.spec import END, Edge, GraphSpec, NodeSpec, load_graph
from tests.graphs.fanned_graph import FANNED
from tests.graphs.mutations import GOOD, MUTATIONS, Mutation, rewired, with_edges
from tests.graphs.scripted import REGISTRY, loosened


@pytest.mark.parametrize("spec", GOOD, ids=lambda spec: spec.name)
def test_good_graphs_have_no_findings(spec: GraphSpec) -> None:
    assert find_faults(loosened(spec), REGISTRY) == ()


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@given(st.sampled_from(GOOD), st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_every_seeded_fault_is_found_and_named(
    mutate: Mutation, spec: GraphSpec, seed: random.Random
) -> None:
    bad, name = mutate(loosened(spec), seed)
    findings = find_faults(bad, REGISTRY)
    assert any(name in str(finding) for finding in findings), list(map(str, findings))
    assert all(finding.message and finding.severity == "error" for finding in findings)


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@given(st.sampled_from(GOOD), st.randoms(use_true_random=False))
@settings(max_examples=5, deadline=None)
def test_fixes_that_are_applied_are_no_longer_offered(
    mutate: Mutation, spec: GraphSpec, seed: random.Random
) -> None:
    bad, _ = mutate(loosened(spec), seed)
    fixes = clear_fixes(find_faults(bad, REGISTRY))
    mended, _ = mend_faults(bad, REGISTRY)
    assert not [fix for fix in clear_fixes(find_faults(mended, REGISTRY)) if fix in fixes]
    assert mended.nodes.keys() >= bad.nodes.keys() - {new for fix in fixes for new in fix.rename}


def test_faults_in_several_places_are_mended_at_once_and_no_node_is_removed() -> None:
    good = loosened(load_graph("webwalker"))
    bad = rewired(rewired(good, 0, target="interpet"), 2, target="selct")
    spare = NodeSpec(type="recaller")
    mended, _ = mend_faults(
        bad.model_copy(update={"nodes": {**bad.nodes, "spare": spare}}), REGISTRY
    )
    assert mended.nodes["spare"] == spare
    assert set(good.edges) <= set(mended.edges)


def only(spec: GraphSpec) -> Finding:
    (finding,) = find_faults(spec, REGISTRY)
    return finding


def test_finding_suggests_what_was_meant() -> None:
    spec = loosened(load_graph("mango"))
    typo = rewired(spec, 2, target="selct")
    assert only(typo).mend == "Did you mean 'select'?"
    assert only(typo).at == "survey.found -> selct"
    nodes = {**spec.nodes, "select": NodeSpec(type="selector", params={"stratgey": "root"})}
    param = spec.model_copy(update={"nodes": nodes})
    assert only(param).at == "select"
    assert only(param).message == "There is no parameter 'stratgey'."
    assert only(param).mend == "Did you mean 'strategy'?"


def test_key_must_be_written_on_every_path() -> None:
    spec = loosened(load_graph("webwalker"))
    index = [str(edge) for edge in spec.edges].index("select.arm -> navigate")
    finding = only(rewired(spec, index, target="aggregate"))
    assert finding.at == "aggregate"
    assert "'reading'" in finding.message
    assert "start -> interpret -> survey -> select -> aggregate" in finding.message
    assert finding.mend == "Lead that path through 'extract'."


def test_a_budget_must_lead_out_of_its_loop() -> None:
    """A navigator that always leads back to itself is a loop, whatever its budget."""
    spec = loosened(load_graph("mango"))
    index = [str(edge) for edge in spec.edges].index("reflect.continue -> select")
    finding = only(rewired(spec, index, target="navigate"))
    assert "navigate -> reflect -> navigate" in finding.message
    assert finding.mend == "Lead navigate.stop out of it."


def test_loop_past_a_budgets_counter_is_found() -> None:
    spec = loosened(load_graph("mango"))
    index = [str(edge) for edge in spec.edges].index("navigate.act -> act")
    finding = only(rewired(spec, index, target="recall"))
    assert (finding.at, finding.also) == ("navigate.act -> recall", ("act",))
    assert "by recall -> navigate, and no node there writes 'steps'" in finding.message
    assert finding.fix
    assert finding.fix.label == "Lead navigate.act to act"


def test_only_a_navigator_that_follows_links_needs_an_arm() -> None:
    """What a node reads may depend on its mode."""
    spec = load_graph("infogent")
    assert find_faults(spec) == ()
    for node in (NodeSpec(type="navigator"), NodeSpec(type="navigator", params={"mode": "links"})):
        walking = spec.model_copy(update={"nodes": {**spec.nodes, "navigate": node}})
        [finding] = find_faults(walking)
        assert finding.at == "navigate"
        assert "'draw'" in finding.message
    assert {"draw"} == REAL["navigator"].required_keys({}) - REAL["navigator"].required_keys(
        {"mode": "search"}
    )


def test_faults_of_inner_graphs_name_their_path() -> None:
    outer = FANNED.nodes["expedition"].params["spec"]
    assert isinstance(outer, dict)
    body = {**outer, "edges": [*outer["edges"], "act.moved -> nowhere"]}  # type: ignore[misc]
    node = NodeSpec.model_validate({"type": "graph", "params": {"spec": body}})
    spec = FANNED.model_copy(update={"nodes": {**FANNED.nodes, "expedition": node}})
    assert {finding.at.partition("/")[0] for finding in find_faults(spec, REGISTRY)} == {
        "expedition"
    }


def led(spec: GraphSpec, targets: dict[str, str]) -> GraphSpec:
    """The graph with these routes led elsewhere."""
    return with_edges(
        spec,
        [
            edge.model_copy(
                update={"target": targets.get(f"{edge.source}.{edge.route}", edge.target)}
            )
            for edge in spec.edges
        ],
    )


WALKER = load_graph("webwalker")
CRITIC_FIRST = led(
    WALKER,
    {"extract.found": "judge", "judge.sufficient": "aggregate", "aggregate.next": "answer"},
)


def test_a_critic_that_never_sees_evidence_is_found_and_put_behind_the_aggregator() -> None:
    """Such a graph ends, and never answers."""
    [finding] = find_faults(CRITIC_FIRST)
    assert (finding.at, finding.severity) == ("judge", "error")
    assert "No node writes 'evidence' before it" in finding.message
    assert finding.fix
    assert finding.fix.label == "Put 'aggregate' before 'judge'"
    mended = apply_edit(CRITIC_FIRST, finding.fix)
    assert find_faults(mended) == ()
    assert mended.hash == WALKER.hash


def test_a_graph_that_ends_without_an_answer_is_found_and_given_an_answerer() -> None:
    answered = [edge for edge in WALKER.edges if edge.target == "answer"]
    ends = {f"{edge.source}.{edge.route}": END for edge in answered}
    unanswered = without_nodes(led(WALKER, ends), "answer")
    [finding] = find_faults(unanswered)
    assert (finding.at, finding.severity) == ("", "error")
    assert finding.message == "No node writes an answer before the end."
    assert finding.fix
    mended = apply_edit(unanswered, finding.fix)
    assert find_faults(mended) == ()
    assert mended.hash == WALKER.hash


def test_a_way_that_ends_without_an_answer_is_a_warning_and_led_to_the_answerer() -> None:
    silent = led(WALKER, {"survey.none": END})
    [finding] = find_faults(silent)
    assert (finding.at, finding.severity) == ("survey.none -> end", "warning")
    assert finding.mend == "Lead it to 'answer'."
    assert finding.fix
    assert apply_edit(silent, finding.fix).hash == WALKER.hash


def test_a_missing_aggregator_is_inserted_and_a_later_one_is_enough() -> None:
    without = without_nodes(led(CRITIC_FIRST, {"judge.sufficient": "answer"}), "aggregate")
    [finding] = find_faults(without)
    assert finding.fix
    assert finding.fix.put["aggregate"].type == "aggregator"
    assert find_faults(apply_edit(without, finding.fix)) == ()
    later = {
        "extract.found": "judge",
        "judge.sufficient": "answer",
        "judge.insufficient": "aggregate",
        "aggregate.next": "navigate",
    }
    assert find_faults(led(WALKER, later)) == ()


MANGO = load_graph("mango")


def judged(sufficient: str, insufficient: str) -> GraphSpec:
    """Mango with a critic behind the aggregator."""
    routes = {"sufficient": sufficient, "insufficient": insufficient}
    drawn = [Edge(source="critic", route=route, target=end) for route, end in routes.items()]
    put = MANGO.model_copy(update={"nodes": {**MANGO.nodes, "critic": NodeSpec(type="critic")}})
    return with_edges(put, [*led(put, {"aggregate.next": "critic"}).edges, *drawn])


@pytest.mark.parametrize(
    ("target", "fix"),
    [
        ("navigate", "Lead critic.sufficient to answer"),
        ("reflect", "Lead critic.sufficient to answer"),
        ("answer", "Lead critic.insufficient to navigate"),
    ],
)
def test_a_critic_that_decides_nothing_is_a_warning_and_led_to_where_it_does(
    target: str, fix: str
) -> None:
    idle = judged(target, target)
    [finding] = find_faults(idle)
    assert (finding.at, finding.severity) == ("critic", "warning")
    assert f"Both routes of 'critic' lead to {target!r}" in finding.message
    assert finding.fix
    assert finding.fix.label == fix
    assert find_faults(apply_edit(idle, finding.fix)) == ()


def test_a_branch_is_led_out_by_the_route_that_it_takes_when_nothing_is_open() -> None:
    cases = {"cases": ["open > 0 and rounds < 4 -> more"], "otherwise": "passed"}
    edges = [
        *led(WALKER, {"judge.sufficient": "gate"}).edges,
        Edge(source="gate", route="more", target="navigate"),
        Edge(source="gate", route="passed", target="navigate"),
    ]
    gate = NodeSpec.model_validate({"type": "branch", "params": cases})
    gated = WALKER.model_copy(update={"nodes": {**WALKER.nodes, "gate": gate}})
    [finding] = find_faults(with_edges(gated, edges))
    assert finding.fix
    assert finding.fix.label == "Lead gate.passed to answer"


def test_a_judge_that_writes_more_than_its_verdict_may_lead_to_one_node() -> None:
    """A reflector rewards the arm, whatever follows."""
    both = {"reflect.continue": "answer", "reflect.done": "answer"}
    assert find_faults(led(MANGO, both)) == ()


def test_a_critic_inside_a_graph_is_fed_from_around_it() -> None:
    folded = fold_nodes(CRITIC_FIRST, ("judge", "aggregate", "extract", "act", "navigate"), "walk")
    [finding] = find_faults(folded)
    assert finding.at == "walk/judge"
    assert finding.fix
    assert find_faults(apply_edit(folded, finding.fix)) == ()
    alone = GraphSpec.model_validate(
        {
            "name": "inner",
            "nodes": {"judge": {"type": "critic"}},
            "edges": ["start -> judge", "judge.sufficient -> end", "judge.insufficient -> end"],
        }
    )
    node = NodeSpec.model_validate(
        {"type": "graph", "params": {"spec": alone.model_dump(mode="json")}}
    )
    edges = [each for each in WALKER.edges if each.source != "judge"]
    judged = WALKER.model_copy(update={"nodes": {**WALKER.nodes, "judge": node}})
    outer = with_edges(judged, [*edges, Edge(source="judge", route="end", target="answer")])
    assert find_faults(outer) == ()


def test_an_answerer_without_evidence_is_a_warning() -> None:
    spec = GraphSpec.model_validate(
        {
            "name": "alone",
            "nodes": {"answer": {"type": "answerer"}},
            "edges": ["start -> answer", "answer.end -> end"],
        }
    )
    [finding] = find_faults(spec)
    assert (finding.at, finding.severity) == ("answer", "warning")


@pytest.mark.parametrize("target", ["answer", "act"])
def test_a_wrong_entry_is_one_finding(target: str) -> None:
    [finding] = find_faults(rewired(load_graph("mango"), 0, target=target))
    assert finding.at == "interpret"
    assert finding.fix
    assert finding.fix.label == "Begin at interpret"
    assert len(finding.also) >= 7
    assert "The same cause: survey, " in str(finding)


def put_on(spec: GraphSpec, edge: str, kind: str) -> GraphSpec:
    """The graph with a new node on an edge."""
    old = next(each for each in spec.edges if str(each) == edge)
    onward = Edge(source=kind, route=REAL[kind].routes[0], target=old.target)
    edges = [
        each.model_copy(update={"target": kind}) if each == old else each for each in spec.edges
    ]
    nodes = {**spec.nodes, kind: NodeSpec(type=kind)}
    return spec.model_copy(update={"nodes": nodes, "edges": (*edges, onward)})


def test_a_node_that_was_put_in_too_early_is_connected_where_it_can_work() -> None:
    before = load_graph("webwalker")
    spec = put_on(before, "survey.found -> select", "refiner")
    [finding] = find_faults(spec, earlier=(before,))
    assert finding.fix
    assert finding.fix.label == "Put 'refiner' between act.moved and extract"
    mended = apply_edit(spec, finding.fix)
    assert find_faults(mended) == ()
    assert {"survey.found -> select", "act.moved -> refiner", "refiner.next -> extract"} <= set(
        map(str, mended.edges)
    )


@pytest.mark.parametrize("kind", sorted(kind for kind in REAL if len(REAL[kind].routes) < 3))
@pytest.mark.parametrize("edge", ["survey.found -> select", "extract.found -> aggregate"])
def test_no_fix_leads_around_a_node_that_was_put_in(edge: str, kind: str) -> None:
    before = load_graph("webwalker")
    spec = put_on(before, edge, kind)
    for finding in find_faults(spec, earlier=(before,)):
        if finding.fix and not finding.fix.remove:
            after = find_faults(apply_edit(spec, finding.fix))
            assert f"{kind!r} is never reached." not in [each.message for each in after]


@pytest.mark.parametrize(
    ("gone", "fixes"),
    [
        ("select", ["Connect survey.found to navigate"]),
        ("survey", ["Connect interpret.next to select"]),
        ("judge", ["Connect aggregate.next to answer"]),
        ("interpret", ["Begin at survey"]),
    ],
)
def test_the_gap_of_a_removed_node_is_closed_where_it_led_to(gone: str, fixes: list[str]) -> None:
    before = load_graph("webwalker")
    found = find_faults(without_nodes(before, gone), earlier=(before,))
    assert [each.fix and each.fix.label for each in found] == fixes


def test_mending_all_guesses_nothing_and_tells_what_it_did() -> None:
    """Recall is passed by, and a click leads to itself: more than one mend of both makes sense."""
    bad = led(MANGO, {"select.arm": "navigate", "act.moved": "act", "survey.none": "answr"})
    slip, [fix] = mend_faults(bad)
    assert fix.label == "Write survey.none -> answer"
    passed, loop = find_faults(slip)
    assert passed.fixes[0].label == "Lead select.arm to recall"
    assert [each.label for each in loop.fixes] == [
        "Lead act.moved to navigate",
        "Lead act.moved to extract",
    ]
    assert mend_faults(slip) == (slip, ())
    mended = apply_edit(apply_edit(slip, passed.fixes[0]), loop.fixes[0])
    assert mended.hash == MANGO.hash


def test_an_open_route_that_may_lead_to_several_nodes_is_offered_and_not_led_by_itself() -> None:
    opened = with_edges(WALKER, [each for each in WALKER.edges if each.source != "judge"])
    enough, more = find_faults(opened)
    assert [fix.label for fix in enough.fixes] == ["Connect judge.sufficient to answer"]
    assert [fix.label for fix in more.fixes][:2] == [
        "Connect judge.insufficient to navigate",
        "Connect judge.insufficient to survey",
    ]
    assert [fix.label for fix in mend_faults(opened)[1]] == ["Connect judge.sufficient to answer"]


def test_a_gap_of_two_removed_nodes_is_closed_behind_both() -> None:
    before = load_graph("webwalker")
    spec = without_nodes(without_nodes(before, "aggregate"), "judge")
    labels = [each.fix.label for each in find_faults(spec, earlier=(before,)) if each.fix]
    assert "Connect extract.found to answer" in labels


def test_an_empty_graph_has_one_finding_in_plain_words_with_a_fix() -> None:
    [finding] = find_faults(GraphSpec(name="new", nodes={}, edges=()))
    assert finding.message == "There are no nodes."
    assert finding.fix
    after = find_faults(apply_edit(GraphSpec(name="new", nodes={}, edges=()), finding.fix))
    assert [each.severity for each in after] == ["warning"]  # an answerer without evidence
    unled = load_graph("webwalker").model_copy(update={"edges": load_graph("webwalker").edges[1:]})
    [entry] = find_faults(unled)
    assert entry.mend == "Lead start to a node, such as 'interpret'."
    assert entry.fix
    assert entry.fix.label == "Begin at interpret"


@pytest.mark.parametrize(("missing", "mend"), [("navigate", "elsewhere"), ("survey", "'surveys'")])
def test_a_name_that_no_node_has_is_one_finding(missing: str, mend: str) -> None:
    mango = load_graph("mango")
    spec = mango.model_copy(
        update={
            "nodes": {
                ("surveys" if name == "survey" == missing else name): node
                for name, node in mango.nodes.items()
                if name != "navigate" or missing != "navigate"
            }
        }
    )
    [finding] = find_faults(spec)
    assert finding.message == f"There is no node {missing!r}."
    edges = [str(edge) for edge in spec.edges if missing in (edge.source, edge.target)]
    assert [finding.at, *finding.also] == edges
    assert finding.fix
    assert mend in finding.fix.label
    assert not [
        each for each in find_faults(apply_edit(spec, finding.fix)) if "There is no" in each.message
    ]


def test_only_a_graph_is_fanned_out() -> None:
    spec = loosened(load_graph("mango"))
    fanned = with_edges(
        spec,
        [edge.model_copy(update={"fan": edge.route == "arm"}) for edge in spec.edges],
    )
    assert "Only a node of type graph can be fanned out" in only(fanned).message


@pytest.mark.parametrize("name", ["start", "end", "Survey", "a.b", "a|b", "", "__x"])
def test_invalid_node_names(name: str) -> None:
    spec = GraphSpec(
        name="x",
        nodes={name: NodeSpec(type="answerer")},
        edges=(
            Edge(source="start", target=name),
            Edge(source=name, route="end", target="end"),
        ),
    )
    assert any("cannot be the name" in finding.message for finding in find_faults(spec, REGISTRY))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reads": frozenset({"evidenc"})}, "the state has no key 'evidenc'"),
        ({"function": lambda state, ports, params: {}}, "its function is not an `async def`"),
        ({"routes": ()}, "it needs at least one route"),
    ],
)
def test_a_type_that_is_declared_wrongly_is_named_once(change: dict[str, Any], said: str) -> None:
    spec = load_graph("webwalker")
    kind = spec.nodes["judge"].type
    found = find_faults(spec, {**REAL, kind: replace(REAL[kind], **change)})
    [finding] = [each for each in found if "is not declared correctly" in each.message]
    assert (finding.at, said in finding.message) == ("judge", True)


def test_one_cause_is_one_finding_whose_fix_mends_all_of_it() -> None:
    """A fix that leads one path through a new node is part of the one that leads all through it."""
    whole = load_graph("webwalker")
    around, _ = mend_faults(without_nodes(whole, "extract"), earlier=(whole,))
    [finding] = find_faults(around)
    assert finding.also == ("aggregate",)
    assert [fix.label for fix in clear_fixes([finding])] == [
        "Insert 'extract' of type 'extractor' before 'aggregate'"
    ]
    assert find_faults(mend_faults(around)[0]) == ()


def test_mending_all_keeps_a_parameter_that_no_node_refers_to_yet() -> None:
    spec = with_parameter(load_graph("mango"), "deep", Parameter(type="integer", default=3))
    [finding] = find_faults(spec)
    assert finding.fix
    assert finding.fix.drop == ("deep",)
    assert clear_fixes([finding]) == []
    assert mend_faults(spec) == (spec, ())
