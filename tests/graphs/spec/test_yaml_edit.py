import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.spec.spec import PRESETS, Edge, GraphSpec, NodeSpec, load, parse, presets
from graphs.spec.yaml_edit import rewritten, written
from graphs.spec.yaml_text import entry

NOTED = """\
# what the file is
name: noted  # its name
nodes:
  # apart from all

  # above survey
  survey:    {type: surveyor, params: {pages: 0}}  # beside survey
    # below survey
  # above act
  act:
    # above the type
    type: actor
    params:
      # above steps
      steps: 3  # beside steps
      # above rounds
      rounds: 4
  # above answer
  answer:    {type: answerer}  # beside answer
# above the edges
edges:
  # above the start
  - start -> survey  # beside the start
  - survey.found -> act
  # above none
  - survey.none -> answer
  - act.moved->answer
# the end
"""
SPEC = parse(NOTED)

WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    ["two\nlines", "yes", "010", "1_0", "a: b", "# no comment", "  led\n\n\n", "e\n", "=", "~"]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, width=32) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
).filter(lambda value: value not in (float("inf"), float("-inf")))
PARAMS = st.dictionaries(WORDS.filter(lambda name: name != "spec"), VALUES, max_size=3)
PROMPTS = st.dictionaries(WORDS, TEXTS, max_size=2)
NODES = st.builds(NodeSpec, type=WORDS, params=PARAMS, prompts=PROMPTS)
PLACES = st.tuples(*[st.floats(-999, 999) | st.integers(-999, 999).map(float)] * 2)


@st.composite
def changed(draw: st.DrawFn, spec: GraphSpec) -> GraphSpec:  # noqa: C901
    """A graph after some changes of any kind."""
    nodes, edges = dict(spec.nodes), list(spec.edges)
    rest: dict[str, Any] = {}
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(sorted(nodes))) if nodes else draw(WORDS)
        match draw(st.integers(0, 7)):
            case 0:
                nodes.pop(name, None)
            case 1:
                nodes[draw(WORDS | TEXTS)] = draw(NODES)
            case 2:
                nodes[name] = draw(NODES)
            case 3 if name in nodes:
                new = draw(WORDS)
                nodes = {new if key == name else key: node for key, node in nodes.items()}
                moved = [str(edge) for edge in edges]
                edges = [Edge.model_validate(each.replace(name, new)) for each in moved]
            case 4 if edges:
                edges.pop(draw(st.integers(0, len(edges) - 1)))
            case 5:
                place = draw(st.integers(0, len(edges)))
                arrow = draw(st.sampled_from(["->", "=>"]))
                if re.fullmatch(r"\w+", name):
                    new = f"{draw(WORDS)}.{draw(WORDS)} {arrow} {name}"
                    edges.insert(place, Edge.model_validate(new))
            case 6:
                edges = draw(st.permutations(edges))
            case _:
                rest["positions"] = draw(st.dictionaries(WORDS, PLACES, max_size=3))
                rest["folds"] = {draw(TEXTS): (name, "answer")}
                rest["description"] = draw(TEXTS)
    return spec.model_copy(update={"nodes": nodes, "edges": tuple(edges), **rest})


def exact(one: GraphSpec, other: GraphSpec) -> None:
    assert one == other
    assert one.canonical() == other.canonical()


@pytest.mark.parametrize("name", presets())
def test_a_preset_comes_back_with_the_same_hash(name: str) -> None:
    text = (PRESETS / f"{name}.yaml").read_text()
    spec = load(name)
    assert rewritten(text, spec) == text
    exact(parse(written(spec)), spec)
    exact(parse(rewritten("", spec)), spec)


@pytest.mark.parametrize("name", ["abreast", "mango"])
@given(data=st.data())
@settings(max_examples=10)
def test_any_change_of_a_preset_is_read_back(name: str, data: st.DataObject) -> None:
    text = (PRESETS / f"{name}.yaml").read_text()
    spec = data.draw(changed(load(name)))
    again = rewritten(text, spec)
    exact(parse(again), spec)
    back = rewritten(again, load(name))
    exact(parse(back), load(name))


@given(spec=changed(SPEC))
@settings(max_examples=50)
def test_what_did_not_change_keeps_its_lines(spec: GraphSpec) -> None:
    again = rewritten(NOTED, spec)
    exact(parse(again), spec)
    kept = [line for line in NOTED.splitlines() if "#" in line and "bove " not in line]
    lines = again.splitlines()
    assert "# what the file is" in lines
    for name, node in SPEC.nodes.items():
        if spec.nodes.get(name) == node:
            at = lines.index(f"  # above {name}")
            assert lines[at + 1].startswith(f"  {name}:")
            assert all(line in lines for line in kept if line.startswith(f"  {name}:"))
    if spec.nodes.get("act") == SPEC.nodes["act"]:
        start, end = NOTED.index("  # above act"), NOTED.index("  # above answer")
        assert NOTED[start:end] in again
    if SPEC.edges[0] in spec.edges:
        assert "  # above the start\n  - start -> survey  # beside the start\n" in again
    if SPEC.edges[2] in spec.edges:
        assert "  # above none\n  - survey.none -> answer\n" in again


@given(spec=changed(SPEC), other=changed(SPEC))
@settings(max_examples=15)
def test_json_and_other_line_breaks_are_brought_along(spec: GraphSpec, other: GraphSpec) -> None:
    text = SPEC.model_dump_json()
    exact(parse(rewritten(text, spec)), spec)
    windows = rewritten(NOTED.replace("\n", "\r\n"), other)
    exact(parse(windows), other)


@given(key=TEXTS, value=VALUES | st.dictionaries(TEXTS, VALUES), indent=st.integers(0, 6))
def test_any_value_can_be_written(key: str, value: object, indent: int) -> None:
    text = "".join(f"{' ' * each}k{each}:\n" for each in range(indent)) + entry(key, value, indent)
    found = yaml.safe_load(text)
    for each in range(indent):
        found = found[f"k{each}"]
    assert found == {key: value}


def lines_of(old: str, new: str) -> tuple[list[str], list[str]]:
    """The lines that went and that came."""
    before, after = old.splitlines(), new.splitlines()
    return [e for e in before if e not in after], [e for e in after if e not in before]


def test_a_changed_parameter_changes_its_line_alone() -> None:
    text = (PRESETS / "mango.yaml").read_text()
    spec = load("mango")
    node = spec.nodes["navigate"]
    nodes = {
        **spec.nodes,
        "navigate": node.model_copy(update={"params": {"mode": "links", "steps": 12}}),
    }
    gone, come = lines_of(text, rewritten(text, spec.model_copy(update={"nodes": nodes})))
    assert gone == ["  navigate:  {type: navigator, params: {mode: links, steps: 10}}"]
    assert come == ["  navigate:  {type: navigator, params: {mode: links, steps: 12}}"]


def test_a_new_node_stands_in_the_column_of_the_others() -> None:
    text = (PRESETS / "mango.yaml").read_text()
    spec = load("mango")
    nodes = {**spec.nodes, "judge": NodeSpec(type="critic")}
    edges = (*spec.edges[:9], Edge.model_validate("judge.sufficient -> answer"), *spec.edges[9:])
    gone, come = lines_of(
        text, rewritten(text, spec.model_copy(update={"nodes": nodes, "edges": edges}))
    )
    assert gone == []
    assert come == ["  judge:     {type: critic}", "  - judge.sufficient -> answer"]


def test_a_renamed_node_keeps_its_place_its_column_and_its_comments() -> None:
    text = re.sub(r"\bsurvey\b", "map", NOTED)
    again = rewritten(NOTED, parse(text))
    assert "  map:       {type: surveyor, params: {pages: 0}}  # beside survey\n" in again
    assert again.index("  # above survey\n  map:") < again.index("  act:")
    assert "  # above the start\n  - start -> map  # beside the start\n" in again


def test_a_removed_node_takes_its_own_comments_along() -> None:
    nodes = {name: node for name, node in SPEC.nodes.items() if name != "survey"}
    again = rewritten(NOTED, SPEC.model_copy(update={"nodes": nodes}))
    assert "# above survey" not in again
    assert "# below survey" not in again
    assert "  # apart from all\n\n  # above act\n  act:\n" in again


def test_a_graph_inside_is_changed_where_it_stands() -> None:
    text = (PRESETS / "abreast.yaml").read_text()
    text = text.replace("          act: ", "          # the hands\n          act: ")
    spec = parse(
        text.replace("steps: 5", "steps: 6").replace("act.moved -> extract", "act.moved -> end")
    )
    gone, come = lines_of(text, rewritten(text, spec))
    assert [line.strip() for line in gone] == [
        "navigate:  {type: navigator, params: {mode: links, steps: 5, least: 0.6}}",
        "- act.moved -> extract",
    ]
    assert len(come) == 2


def test_the_name_of_a_graph_inside_stays_until_it_changes() -> None:
    inner = "  inner: {type: graph, params: {spec: webwalker}}"
    text = f"name: a\nnodes:\n{inner}\nedges:\n  - start -> inner\n"
    spec = parse(text)
    more = spec.model_copy(update={"description": "More."})
    assert "spec: webwalker}}" in rewritten(text, more)
    body = spec.nodes["inner"].params["spec"]
    assert isinstance(body, dict)
    other = {**body, "description": "Another."}
    nodes = {"inner": NodeSpec(type="graph", params={"spec": other})}
    exact(
        parse(rewritten(text, spec.model_copy(update={"nodes": nodes}))),
        spec.model_copy(update={"nodes": nodes}),
    )


def test_json_stays_json() -> None:
    more = SPEC.model_copy(update={"description": "\x85"})
    again = rewritten(SPEC.model_dump_json(), more)
    assert again.startswith("{\n")
    exact(parse(again), more)


def test_a_text_without_a_graph_is_written_anew() -> None:
    assert rewritten("- nothing", SPEC) == written(SPEC) == rewritten("{", SPEC)
