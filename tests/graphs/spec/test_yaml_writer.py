import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.domain.parameters import Parameter
from forager.util.yaml_reader import read_yaml
from graphs.spec.edit import with_parameter, with_values
from graphs.spec.spec import (
    PRESETS,
    Edge,
    GraphSpec,
    NodeSpec,
    load_graph,
    parse_graph,
    preset_names,
)
from graphs.spec.yaml_writer import rewrite_graph, write_graph, write_yaml

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
SPEC = parse_graph(NOTED)

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


@pytest.mark.parametrize("name", preset_names())
def test_written_preset_has_the_same_hash(name: str) -> None:
    text = (PRESETS / f"{name}.yaml").read_text()
    spec = load_graph(name)
    assert rewrite_graph(text, spec) == text
    exact(parse_graph(write_graph(spec)), spec)
    exact(parse_graph(rewrite_graph("", spec)), spec)


@pytest.mark.parametrize("name", ["abreast", "mango"])
@given(data=st.data())
@settings(max_examples=10)
def test_any_change_of_a_preset_is_read_back(name: str, data: st.DataObject) -> None:
    text = (PRESETS / f"{name}.yaml").read_text()
    spec = data.draw(changed(load_graph(name)))
    again = rewrite_graph(text, spec)
    exact(parse_graph(again), spec)
    back = rewrite_graph(again, load_graph(name))
    exact(parse_graph(back), load_graph(name))


@given(spec=changed(SPEC))
@settings(max_examples=50)
def test_unchanged_parts_keep_their_lines(spec: GraphSpec) -> None:
    again = rewrite_graph(NOTED, spec)
    exact(parse_graph(again), spec)
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
    exact(parse_graph(rewrite_graph(text, spec)), spec)
    windows = rewrite_graph(NOTED.replace("\n", "\r\n"), other)
    exact(parse_graph(windows), other)


@given(key=TEXTS, value=VALUES | st.dictionaries(TEXTS, VALUES), depth=st.integers(0, 6))
def test_any_value_can_be_written(key: str, value: Any, depth: int) -> None:
    data = {key: value}
    for level in range(depth):
        data = {f"k{level}": data}
    assert read_yaml(write_yaml(data), "it")[0] == data


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_laid_out_as_a_new_text(name: str) -> None:
    text = (PRESETS / f"{name}.yaml").read_text()
    more = load_graph(name).model_copy(update={"positions": {"answer": (1.0, 2.0)}})
    assert rewrite_graph(text, more) == f"{text}positions: {{answer: [1.0, 2.0]}}\n"
    assert rewrite_graph(rewrite_graph(text, more), load_graph(name)) == text
    if name != "abreast":  # whose inner graph is in order, and not in that of its hash
        assert re.sub("^#.*\n", "", text, flags=re.MULTILINE) == write_graph(load_graph(name))


def test_a_new_text_reads_like_a_preset() -> None:
    spec = GraphSpec(
        name="small",
        nodes={
            "judge": NodeSpec(type="critic", prompts={"JudgePart": "Judge.\nBe strict."}),
            "answer": NodeSpec(type="answerer"),
        },
        edges=(Edge(source="start", target="judge"),),
        positions={"judge": (1, 2.5)},
        folds={"end of it": ("judge", "answer")},
    )
    assert write_graph(spec) == (
        "name: small\n"
        "nodes:\n"
        "  judge:\n"
        "    type: critic\n"
        "    prompts:\n"
        "      JudgePart: |-\n"
        "        Judge.\n"
        "        Be strict.\n"
        "  answer: {type: answerer}\n"
        "edges:\n"
        "  - start -> judge\n"
        "positions: {judge: [1.0, 2.5]}\n"
        "folds: {end of it: [judge, answer]}\n"
    )
    assert parse_graph(write_graph(spec)) == spec


def lines_of(old: str, new: str) -> tuple[list[str], list[str]]:
    """The removed and the added lines."""
    before, after = old.splitlines(), new.splitlines()
    return [e for e in before if e not in after], [e for e in after if e not in before]


def test_a_changed_parameter_changes_its_line_alone() -> None:
    text = (PRESETS / "mango.yaml").read_text()
    spec = load_graph("mango")
    node = spec.nodes["navigate"]
    nodes = {
        **spec.nodes,
        "navigate": node.model_copy(update={"params": {"mode": "links", "steps": 12}}),
    }
    gone, come = lines_of(text, rewrite_graph(text, spec.model_copy(update={"nodes": nodes})))
    assert gone == ["  navigate: {type: navigator, params: {mode: links, steps: 10}}"]
    assert come == ["  navigate: {type: navigator, params: {mode: links, steps: 12}}"]


def test_a_new_node_and_its_edge_are_two_new_lines() -> None:
    text = (PRESETS / "mango.yaml").read_text()
    spec = load_graph("mango")
    nodes = {**spec.nodes, "judge": NodeSpec(type="critic")}
    edges = (*spec.edges[:9], Edge.model_validate("judge.sufficient -> answer"), *spec.edges[9:])
    gone, come = lines_of(
        text, rewrite_graph(text, spec.model_copy(update={"nodes": nodes, "edges": edges}))
    )
    assert gone == []
    assert come == ["  judge: {type: critic}", "  - judge.sufficient -> answer"]


def test_a_renamed_node_keeps_its_place_and_its_comments() -> None:
    text = re.sub(r"\bsurvey\b", "map", NOTED)
    again = rewrite_graph(NOTED, parse_graph(text))
    assert "  map:    {type: surveyor, params: {pages: 0}}  # beside survey\n" in again
    assert again.index("  # above survey\n  map:") < again.index("  act:")
    assert "  # above the start\n  - start -> map  # beside the start\n" in again


def test_removing_a_node_removes_its_comments() -> None:
    nodes = {name: node for name, node in SPEC.nodes.items() if name != "survey"}
    again = rewrite_graph(NOTED, SPEC.model_copy(update={"nodes": nodes}))
    assert "# above survey" not in again
    assert "# below survey" not in again
    assert "  # apart from all\n\n  # above act\n  act:\n" in again


def test_inner_graph_is_edited_in_place() -> None:
    text = (PRESETS / "abreast.yaml").read_text()
    text = text.replace("          act: ", "          # the hands\n          act: ")
    spec = parse_graph(
        text.replace("steps: 5", "steps: 6").replace("act.moved -> extract", "act.moved -> end")
    )
    gone, come = lines_of(text, rewrite_graph(text, spec))
    assert [line.strip() for line in gone] == [
        "navigate: {type: navigator, params: {mode: links, steps: 5, least: 0.6}}",
        "- act.moved -> extract",
    ]
    assert len(come) == 2


def test_the_name_of_a_graph_inside_stays_until_it_changes() -> None:
    inner = "  inner: {type: graph, params: {spec: webwalker}}"
    text = f"name: a\nnodes:\n{inner}\nedges:\n  - start -> inner\n"
    spec = parse_graph(text)
    more = spec.model_copy(update={"description": "More."})
    assert "spec: webwalker}}" in rewrite_graph(text, more)
    body = spec.nodes["inner"].params["spec"]
    assert isinstance(body, dict)
    other = {**body, "description": "Another."}
    nodes = {"inner": NodeSpec(type="graph", params={"spec": other})}
    exact(
        parse_graph(rewrite_graph(text, spec.model_copy(update={"nodes": nodes}))),
        spec.model_copy(update={"nodes": nodes}),
    )


def test_json_stays_json() -> None:
    more = SPEC.model_copy(update={"description": "\x85"})
    again = rewrite_graph(SPEC.model_dump_json(), more)
    assert again.startswith("{\n")
    exact(parse_graph(again), more)


def test_edges_that_are_spelled_out_are_read_and_renamed() -> None:
    text = NOTED.replace("- start -> survey", "- {source: start, target: survey}")
    spec = parse_graph(re.sub(r"\bsurvey\b", "map", text))
    exact(parse_graph(rewrite_graph(text, spec)), spec)
    more = parse_graph(text).model_copy(update={"description": "More."})
    assert "  - {source: start, target: survey}  # beside the start\n" in rewrite_graph(text, more)


ODD = """steps: 3
      list:
        - |  # beside
          text
        # above
        - [1,  # in
           2]
      none:  # no value"""


def test_comments_in_odd_places_stay() -> None:
    text = NOTED.replace("steps: 3  # beside steps", ODD)
    spec = parse_graph(text)
    again = rewrite_graph(text, spec.model_copy(update={"description": "More."}))
    assert lines_of(text, again) == ([], ["description: More."])
    act = spec.nodes["act"]
    act = act.model_copy(update={"params": {**act.params, "steps": 4}})
    again = rewrite_graph(text, spec.model_copy(update={"nodes": {**spec.nodes, "act": act}}))
    assert lines_of(text, again) == (["      steps: 3"], ["      steps: 4"])


def test_text_without_a_graph_is_replaced() -> None:
    assert rewrite_graph("- nothing", SPEC) == write_graph(SPEC) == rewrite_graph("{", SPEC)


OWN_STYLE = """\
%YAML 1.1
---
name: 'own'   # in quotes
description: >-
  folded and
  told

  in two
nodes:

  look: { type: surveyor, params: { "pages": 0x10, note: 'it''s' } }
  act:   # the hands
   type: actor
   prompts:
     Act: |  # told
       Act.
         Be quick.
  both: {type: critic,  # one of two
    params: {least: 1_0,
             # the other
             most: 1.50}}
edges:
- start -> look
- look.found  ->  act  # go
- act.moved -> both
"""


def test_style_of_unchanged_text_is_kept() -> None:
    spec = parse_graph(OWN_STYLE)
    assert spec.nodes["both"].params == {"least": 10, "most": 1.5}
    edges = (*spec.edges[:1], Edge.model_validate("look.none -> act"), *spec.edges[1:])
    nodes = {**spec.nodes, "answer": NodeSpec(type="answerer")}
    new = spec.model_copy(update={"edges": edges, "nodes": nodes})
    gone, come = lines_of(OWN_STYLE, rewrite_graph(OWN_STYLE, new))
    assert gone == []
    assert come == ["  answer: {type: answerer}", "- look.none -> act"]
    exact(parse_graph(rewrite_graph(OWN_STYLE, new)), new)


def test_a_changed_parameter_leaves_the_others_their_order_and_their_quotes() -> None:
    spec = parse_graph(OWN_STYLE)
    look = spec.nodes["look"].model_copy(update={"params": {"note": "it's", "pages": 3, "a": "b"}})
    again = rewrite_graph(
        OWN_STYLE, spec.model_copy(update={"nodes": {**spec.nodes, "look": look}})
    )
    assert """  look: {type: surveyor, params: {pages: 3, a: b, note: 'it''s'}}\n""" in again


def test_renaming_keeps_comments_beside_the_name() -> None:
    named = parse_graph(OWN_STYLE).model_copy(update={"name": "other", "description": "Told."})
    again = rewrite_graph(OWN_STYLE, named)
    assert "name: other  # in quotes\ndescription: Told.\nnodes:\n\n  look: {" in again


def test_removing_the_last_node_moves_no_comment() -> None:
    nodes = {name: node for name, node in SPEC.nodes.items() if name != "answer"}
    again = rewrite_graph(NOTED, SPEC.model_copy(update={"nodes": nodes}))
    assert "answer:" not in again
    assert "# above answer" not in again
    assert "# beside answer" not in again
    assert "      # above rounds\n      rounds: 4\n# above the edges\nedges:\n" in again


def test_comment_moves_with_its_edge() -> None:
    edges = (SPEC.edges[2], *SPEC.edges[:2], SPEC.edges[3])
    again = rewrite_graph(NOTED, SPEC.model_copy(update={"edges": edges}))
    assert again.endswith(
        "edges:\n"
        "  # above none\n"
        "  - survey.none -> answer\n"
        "  # above the start\n"
        "  - start -> survey  # beside the start\n"
        "  - survey.found -> act\n"
        "  - act.moved->answer\n"
        "# the end\n"
    )


def test_a_position_is_renamed_with_its_node() -> None:
    text = f"{NOTED}positions:\n  survey: [1, 2]  # drawn here\n  act: [3, 4]\n"
    spec = parse_graph(re.sub(r"\bsurvey\b", "map", text))
    again = rewrite_graph(text, spec)
    assert again.endswith("positions:\n  map: [1, 2]  # drawn here\n  act: [3, 4]\n")
    flow = text.replace("positions:\n  survey: [1, 2]  # drawn here\n  act: [3, 4]\n", "")
    flow += "positions: {survey: [1, 2]}\n"
    spec = parse_graph(re.sub(r"\bsurvey\b", "map", flow))
    assert rewrite_graph(flow, spec).endswith("# the end\npositions: {map: [1, 2]}\n")


def test_separate_comment_is_kept_once_when_an_edge_is_renamed() -> None:
    text = NOTED.replace("  # above none\n", "  # apart\n\n")
    again = rewrite_graph(text, parse_graph(re.sub(r"\bsurvey\b", "map", text)))
    assert "  - map.found -> act\n  # apart\n\n  - map.none -> answer\n" in again
    assert again.count("# apart\n") == 1


@st.composite
def commented(draw: st.DrawFn) -> str:
    """A text with comments of its own anywhere."""
    lines: list[str] = []
    for number, line in enumerate(NOTED.splitlines()):
        indent = len(line) - len(line.lstrip())
        if draw(st.booleans()):
            lines.append(f"{' ' * draw(st.sampled_from([0, 2, 4, 6, indent]))}# <{number}>")
        lines += [""] * draw(st.integers(0, 1))
        beside = draw(st.booleans()) and "#" not in line
        lines.append(f"{line}   # <{number}.>" if beside else line)
    return "\n".join(lines) + "\n"


@given(text=commented(), change=st.integers(0, 4))
@settings(max_examples=40)
def test_without_removals_no_comment_is_lost_or_duplicated(text: str, change: int) -> None:
    nodes = dict(SPEC.nodes)
    edges = (*SPEC.edges, Edge.model_validate("act.failed -> survey"))
    act = nodes["act"].model_copy(update={"params": {"steps": 5, "rounds": 4, "more": 1}})
    new = (
        SPEC.model_copy(update={"nodes": {"first": NodeSpec(type="critic"), **nodes}}),
        SPEC.model_copy(update={"nodes": {**nodes, "act": act}}),
        SPEC.model_copy(update={"edges": edges}),
        SPEC.model_copy(update={"edges": SPEC.edges[::-1]}),
        parse_graph(re.sub(r"\bsurvey\b", "map", NOTED)),
    )[change]
    again = rewrite_graph(text, new)
    exact(parse_graph(again), new)
    comments = re.compile("#.*")
    assert sorted(comments.findall(again)) == sorted(comments.findall(text))


def test_parameters_are_written_one_on_each_line_and_edited_in_their_place() -> None:
    text = (PRESETS / "mango.yaml").read_text(encoding="utf-8")
    text = text.replace("steps: 10", "steps: $deep").replace(
        "nodes:\n", "parameters:\n  deep: {type: integer, default: 10}  # clicks\nnodes:\n", 1
    )
    spec = parse_graph(text)
    added = with_parameter(spec, "wide", Parameter(type="boolean", default=False, help="all"))
    changed = rewrite_graph(text, with_values(added, {"deep": 4}))
    assert "  deep: {type: integer, default: 4}  # clicks\n" in changed
    assert "  wide: {type: boolean, default: false, help: all}\n" in changed
    assert (
        changed.replace("default: 4", "default: 10").replace(
            "  wide: {type: boolean, default: false, help: all}\n", ""
        )
        == text
    )
    assert parse_graph(write_graph(added)) == added
