import re

import pytest

from graphs.exchange.mermaid import draw_mermaid
from graphs.spec.spec import load_graph, parse_graph, preset_names
from tests.graphs.fanned_graph import FANNED


@pytest.mark.parametrize("name", preset_names())
def test_every_node_and_route_is_drawn(name: str) -> None:
    spec = load_graph(name)
    drawn = draw_mermaid(spec)
    graphs = {node for node, body in spec.nodes.items() if body.type == "graph"}
    for node, body in spec.nodes.items():
        if node in graphs:
            assert f'subgraph {node.capitalize()}["{node}"]' in drawn
            continue
        assert f'{node.capitalize()}["{node}<br>{body.type}"]' in drawn
    inside = sum(len(spec.inner(node).edges) for node in graphs)
    assert len(re.findall("-->|==>", drawn)) == len(spec.edges) + inside
    for edge in spec.edges[1:]:
        if graphs & {edge.source, edge.target}:
            continue
        label = f'{edge.source.capitalize()} -->|"{edge.route}"| {edge.target.capitalize()}'
        assert label in drawn


def test_a_fan_is_thick_and_a_graph_inside_is_a_box() -> None:
    drawn = draw_mermaid(FANNED)
    assert 'subgraph Expedition["expedition"]' in drawn
    assert 'Select ==>|"arm"| Expedition_Start' in drawn
    assert "Expedition_End --> Judge" in drawn
    assert 'Expedition_Navigate -->|"act"| Expedition_Act' in drawn


def test_a_node_may_be_called_by_another_name_and_be_marked() -> None:
    drawn = draw_mermaid(FANNED, {"select": "Choose a page"}, ["select", "expedition/act"])
    assert 'Select["Choose a page<br>select"]' in drawn
    assert "style Select stroke-width:3px" in drawn
    assert "style Expedition_Act stroke-width:3px" in drawn


def test_no_id_is_a_word_of_mermaid() -> None:
    spec = parse_graph(
        "{name: x, nodes: {graph: {type: answerer}, style: {type: answerer}}, "
        "edges: [start -> graph, graph.end -> style, style.end -> end]}"
    )
    ids = re.findall(r"^ +(\w+)", draw_mermaid(spec), re.MULTILINE)
    assert all(id[0].isupper() for id in ids)


def test_text_cannot_break_out_of_its_box() -> None:
    spec = parse_graph('{name: x, nodes: {a: {type: "\\"]; click <b>"}}, edges: [start -> a]}')
    assert 'A["a<br>&quot;]; click &lt;b>"]' in draw_mermaid(spec)
