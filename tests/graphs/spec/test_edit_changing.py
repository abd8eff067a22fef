from graphs.check.checker import find_faults
from graphs.spec.edit import graph_at, with_graph_at, with_param, with_prompt, with_route
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph

NAVIGATOR = REGISTRY["navigator"]


def test_a_route_leads_to_one_target_or_to_none() -> None:
    spec = load_graph("mango")
    other = with_route(spec, "navigate", "stop", "answer")
    assert "navigate.stop -> answer" in map(str, other.edges)
    assert len(other.edges) == len(spec.edges)
    assert with_route(other, "navigate", "stop", "reflect") == spec
    none = with_route(spec, "navigate", "stop", "")
    told = [each.message for each in find_faults(none) if each.at == "navigate"]
    assert "The route navigate.stop has no edge." in told
    assert with_route(none, "navigate", "stop", "reflect").hash == spec.hash


def test_default_is_written_only_if_it_was_there() -> None:
    spec = load_graph("mango")
    assert with_param(spec, "navigate", "finds", 2, NAVIGATOR.params) == spec
    written = with_param(spec, "navigate", "steps", 12, NAVIGATOR.params)
    assert written.nodes["navigate"].params["steps"] == 12
    again = with_param(written, "navigate", "steps", 10, NAVIGATOR.params)
    assert again.nodes["navigate"].params["steps"] == 10


def test_prompt_as_shipped_is_not_stored() -> None:
    spec = load_graph("mango")
    shipped = NAVIGATOR.default_prompts["ChooseLink"]
    own = with_prompt(spec, "navigate", "ChooseLink", "Choose well.", shipped)
    assert own.nodes["navigate"].prompts == {"ChooseLink": "Choose well."}
    for text in ("", shipped):
        assert with_prompt(own, "navigate", "ChooseLink", text, shipped) == spec


def test_inner_graph_is_replaced_in_place() -> None:
    spec = load_graph("abreast")
    name = next(name for name, node in spec.nodes.items() if node.type == "graph")
    inner = graph_at(spec, (name,))
    assert with_graph_at(spec, (name,), inner).hash == spec.hash
    changed = inner.model_copy(update={"description": "another"})
    assert graph_at(with_graph_at(spec, (name,), changed), (name,)).description == "another"
