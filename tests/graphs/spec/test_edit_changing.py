from graphs.check.checker import check
from graphs.spec.edit import at, placed, prompted, routed, within
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load

NAVIGATOR = REGISTRY["navigator"]


def test_a_route_leads_to_one_target_or_to_none() -> None:
    spec = load("mango")
    other = routed(spec, "navigate", "stop", "answer")
    assert "navigate.stop -> answer" in map(str, other.edges)
    assert len(other.edges) == len(spec.edges)
    assert routed(other, "navigate", "stop", "reflect") == spec
    none = routed(spec, "navigate", "stop", "")
    told = [each.message for each in check(none) if each.at == "navigate"]
    assert "The route navigate.stop leads nowhere." in told
    assert routed(none, "navigate", "stop", "reflect").hash == spec.hash


def test_a_default_is_not_written_unless_it_stood_there() -> None:
    spec = load("mango")
    assert placed(spec, "navigate", "finds", 2, NAVIGATOR.params) == spec
    written = placed(spec, "navigate", "steps", 12, NAVIGATOR.params)
    assert written.nodes["navigate"].params["steps"] == 12
    again = placed(written, "navigate", "steps", 10, NAVIGATOR.params)
    assert again.nodes["navigate"].params["steps"] == 10


def test_a_prompt_as_shipped_is_none_of_the_graphs() -> None:
    spec = load("mango")
    shipped = NAVIGATOR.default_prompts["ChooseLink"]
    own = prompted(spec, "navigate", "ChooseLink", "Choose well.", shipped)
    assert own.nodes["navigate"].prompts == {"ChooseLink": "Choose well."}
    for text in ("", shipped):
        assert prompted(own, "navigate", "ChooseLink", text, shipped) == spec


def test_a_graph_inside_is_changed_in_its_place() -> None:
    spec = load("abreast")
    name = next(name for name, node in spec.nodes.items() if node.type == "graph")
    inner = at(spec, (name,))
    assert within(spec, (name,), inner).hash == spec.hash
    changed = inner.model_copy(update={"description": "another"})
    assert at(within(spec, (name,), changed), (name,)).description == "another"
