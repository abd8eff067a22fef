"""Parameters of a graph: what is wrong with them is found, named and mended."""

from typing import Any

import pytest
from pydantic import JsonValue

from forager.errors import GraphError
from graphs.check.checker import find_faults
from graphs.check.finding import Finding
from graphs.runtime.compile import refuse_faults
from graphs.spec.edit import apply_edit, with_values
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec, NodeSpec, load_graph

ROUNDS: dict[str, Any] = {"rounds": {"type": "integer", "default": 4, "help": "rounds at most"}}


def webwalker(parameters: dict[str, Any], **params: dict[str, JsonValue]) -> GraphSpec:
    """Webwalker with parameters of the graph, and with parameters of its nodes."""
    spec = load_graph("webwalker")
    nodes = dict(spec.nodes)
    for name, own in params.items():
        nodes[name] = NodeSpec(type=nodes[name].type, params={**nodes[name].params, **own})
    body = spec.model_dump(mode="json") | {"parameters": parameters}
    body["nodes"] = {name: node.model_dump(mode="json") for name, node in nodes.items()}
    return GraphSpec.model_validate(body)


def only(spec: GraphSpec) -> Finding:
    (finding,) = find_faults(spec)
    return finding


def mended(spec: GraphSpec) -> tuple[Finding, ...]:
    """What is left after the fix of the only finding."""
    fix = only(spec).fix
    assert fix
    return find_faults(apply_edit(spec, fix))


def test_a_parameter_that_a_node_refers_to_is_fine() -> None:
    assert find_faults(webwalker(ROUNDS, select={"rounds": "$rounds"})) == ()


def test_a_parameter_without_a_reference_is_a_warning() -> None:
    finding = only(webwalker(ROUNDS))
    assert (finding.severity, finding.at) == ("warning", "")
    assert finding.message == "No node refers to the parameter 'rounds'."
    assert mended(webwalker(ROUNDS)) == ()


def test_an_unknown_parameter_is_named_once_and_mended() -> None:
    spec = webwalker(ROUNDS, select={"rounds": "$rounds"}, navigate={"steps": "$round"})
    finding = only(spec)
    assert (finding.at, finding.mend) == ("navigate", "Did you mean 'rounds'?")
    assert finding.message == "'steps' refers to $round, and there is no such parameter."
    assert mended(spec) == ()
    assert "Declare it" in only(webwalker({}, navigate={"steps": "$deep"})).mend


@pytest.mark.parametrize(
    ("type", "default", "param", "fits"),
    [
        ("integer", 3, "steps", True),
        ("number", 3.0, "steps", False),
        ("text", "links", "steps", False),
        ("text", "links", "mode", True),
        ("integer", 3, "mode", False),
        ("boolean", True, "tree", True),
        ("integer", 1, "tree", False),
    ],
)
def test_a_parameter_has_the_type_of_what_it_stands_for(
    type: str, default: JsonValue, param: str, *, fits: bool
) -> None:
    declared = {"deep": {"type": type, "default": default}}
    found = find_faults(webwalker(declared, navigate={param: "$deep"}))
    wrong = [each for each in found if f"{param!r} cannot be $deep" in each.message]
    assert bool(wrong) != fits, list(map(str, found))
    assert len(found) == len(wrong) or param == "tree"


def test_a_default_beyond_the_bounds_of_its_node_is_found() -> None:
    low = {"rounds": {"type": "integer", "default": 0}}
    finding = only(webwalker(low, select={"rounds": "$rounds"}))
    assert finding.at == "select"
    assert "'rounds' is not valid (it is $rounds)" in finding.message


def test_a_default_of_another_type_is_found_and_mended() -> None:
    wrong = {"rounds": {"type": "integer", "default": "4"}}
    spec = webwalker(wrong, select={"rounds": "$rounds"})
    assert only(spec).message == "The default of the parameter 'rounds' is '4'."
    assert only(spec).mend == "Write a whole number, such as 3."
    assert mended(spec) == ()


def test_a_name_is_like_that_of_a_node() -> None:
    finding = only(webwalker({"No": {"type": "integer", "default": 4}}))
    assert finding.message == "'No' cannot be the name of a parameter."


def test_a_text_may_begin_with_a_dollar_sign() -> None:
    finding = only(webwalker({}, navigate={"mode": "$$links"}))
    assert "refers" not in finding.message
    assert "'mode' is not valid" in finding.message


def branching(case: str, parameters: dict[str, Any]) -> GraphSpec:
    """Webwalker with a branch behind its critic."""
    body = webwalker(parameters).model_dump(mode="json")
    body["nodes"]["late"] = {"type": "branch", "params": {"cases": [case], "otherwise": "more"}}
    body["edges"].remove("judge.insufficient -> navigate")
    body["edges"] += ["judge.insufficient -> late", "late.done -> answer", "late.more -> navigate"]
    return GraphSpec.model_validate(body)


def test_a_condition_may_refer_to_a_parameter() -> None:
    assert find_faults(branching("steps > $rounds -> done", ROUNDS)) == ()
    kinds = {"kind": {"type": "text", "default": "list"}}
    assert find_faults(branching("kind == $kind -> done", kinds)) == ()


def test_a_condition_with_a_parameter_is_checked_with_its_value() -> None:
    kinds = {"kind": {"type": "text", "default": "lst"}}
    finding = only(branching("kind == $kind -> done", kinds))
    assert (finding.at, finding.fix) == ("late", None)
    assert "'kind' is never \"lst\"" in finding.message
    finding = only(branching("open > $kind -> done", kinds))
    assert "'open' is a number, \"lst\" is a text" in finding.message
    finding = only(branching("steps > $round -> done", {}))
    assert finding.message == "'cases' refers to $round, and there is no such parameter."


def test_a_parameter_may_switch_a_route_on_and_off() -> None:
    switch = {"wide": {"type": "boolean", "default": False}}
    assert find_faults(branching("$wide -> done", switch)) == ()
    assert any(
        "never taken" in each.message for each in find_faults(branching("false -> done", {}))
    )


def outer(values: JsonValue, parameters: dict[str, Any] | None = None) -> GraphSpec:
    """A graph around webwalker with the parameter `rounds`."""
    inner = webwalker(ROUNDS, select={"rounds": "$rounds"}).model_dump(mode="json")
    walk: dict[str, Any] = {"type": "graph", "params": {"spec": inner}}
    if values is not None:
        walk["params"]["set"] = values
    edges = ["start -> walk", "walk.end -> end"]
    nodes = {"walk": walk}
    body = {"name": "o", "nodes": nodes, "edges": edges, "parameters": parameters or {}}
    return GraphSpec.model_validate(body)


def test_a_node_sets_the_parameters_of_the_graph_inside_it() -> None:
    assert find_faults(outer(None)) == ()
    assert find_faults(outer({"rounds": 7})) == ()
    assert find_faults(outer({"rounds": "$all"}, {"all": {"type": "integer", "default": 2}})) == ()
    finding = only(outer({"rounds": 0}))
    assert (finding.at, "(it is $rounds)" in finding.message) == ("walk/select", True)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"round": 7}, "The graph 'webwalker' has no parameter 'round'."),
        ({"rounds": "many"}, "The parameter 'rounds' cannot be 'many'."),
        ([7], "`set` is not a list of values."),
    ],
)
def test_a_wrong_value_for_the_graph_inside_is_found_and_mended(
    values: JsonValue, message: str
) -> None:
    assert only(outer(values)).message == message
    assert mended(outer(values)) == ()


def test_values_are_set_by_name_and_become_part_of_the_hash() -> None:
    spec = webwalker(ROUNDS, select={"rounds": "$rounds"})
    changed = with_values(spec, {"rounds": "7"})
    assert changed.parameters["rounds"].default == 7
    assert changed.parameters["rounds"].help == "rounds at most"
    assert changed.hash != spec.hash
    assert with_values(spec, {"rounds": 4}).hash == spec.hash


@pytest.mark.parametrize(
    ("values", "what", "mend"),
    [
        ({"round": 3}, "The graph 'webwalker' has no parameter 'round'.", "Did you mean 'rounds'?"),
        (
            {"rounds": "many"},
            "The parameter 'rounds' cannot be 'many'.",
            "It is a whole number, such as 3. It means: rounds at most.",
        ),
        ({"rounds": 2.5}, "The parameter 'rounds' cannot be 2.5.", "It is a whole number"),
        ({"rounds": True}, "The parameter 'rounds' cannot be True.", "It is a whole number"),
    ],
)
def test_a_wrong_name_or_value_is_refused(
    values: dict[str, JsonValue], what: str, mend: str
) -> None:
    with pytest.raises(GraphError) as raised:
        with_values(webwalker(ROUNDS, select={"rounds": "$rounds"}), values)
    assert raised.value.what == what
    assert mend in raised.value.mend


def test_a_value_beyond_the_bounds_of_its_node_is_refused() -> None:
    spec = with_values(webwalker(ROUNDS, select={"rounds": "$rounds"}), {"rounds": 0})
    with pytest.raises(GraphError, match=r"select: The parameter 'rounds' is not valid \(it is"):
        refuse_faults(spec, REGISTRY)


def test_graphs_without_parameters_keep_their_hash() -> None:
    assert load_graph("webwalker").hash == webwalker({}).hash
    assert '"parameters"' not in load_graph("webwalker").canonical()
