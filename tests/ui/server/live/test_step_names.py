from graphs.reports.trace import list_node_types
from graphs.spec.spec import load_graph, preset_names
from ui.server.live.step_names import STEP_NAMES, step_name, step_names


def test_every_step_of_a_preset_has_a_plain_name() -> None:
    nodes = {node for name in preset_names() for node in list_node_types(load_graph(name))}
    assert {node for node in nodes if node.rpartition("/")[2] not in STEP_NAMES} == set()


def test_no_two_steps_of_a_preset_have_the_same_name() -> None:
    for preset in preset_names():
        names = list(step_names(load_graph(preset)).values())
        assert sorted(names) == sorted(set(names))


def test_a_step_of_a_graph_of_ones_own_is_called_what_it_is_called_there() -> None:
    assert step_name("walk/ferry") == "Ferry"
    assert step_name("walk/extract") == "Copy quotes"
