"""Graphs as Python on LangGraph: what is written builds the same graph, and is read back."""

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from pydantic import JsonValue

from forager.domain.spend import Budget
from forager.domain.state import Question, State
from forager.errors import GraphError
from graphs.exchange.python_reader import read_python
from graphs.exchange.python_writer import write_python
from graphs.reports.events import EventData
from graphs.runtime.compile import compile_graph, super_step_limit
from graphs.runtime.graph_nodes import Graph, Hooks, Nodes
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec, NodeSpec, load_graph, parse_graph, preset_names
from tests.graphs.fanned_graph import FANNED
from tests.graphs.runtime.test_branch_node import TYPES, branching
from tests.graphs.scripted import REGISTRY as SCRIPTED
from tests.graphs.scripted import loosened
from tests.graphs.scripted_ports import scripted

QUESTION = Question(text="Which?", sites=("http://site/",), budget=Budget(rounds=3, steps=2))
Told = list[tuple[str, str, str, object]]


def executed(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "exported.py", "exec"), names)  # noqa: S102  # it is what a user runs
    return names


def built(text: str, hooks: Hooks) -> Graph:
    """What the file builds when it is run."""
    names = executed(text)
    graph: Graph = names["build_graph"](Nodes(scripted(), SCRIPTED, hooks)).compile()
    return graph


def listening(told: Told) -> Hooks:
    async def emit(node: str, kind: str, message: str, data: EventData) -> None:
        told.append((node, kind, message, data.get("route")))

    return Hooks(emit=emit)


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_read_back_as_it_was(name: str) -> None:
    spec = load_graph(name)
    text = write_python(spec, REGISTRY)
    assert read_python(text, REGISTRY).hash == spec.hash
    assert max(map(len, text.splitlines())) <= 110
    compile(text, "exported.py", "exec")


@pytest.mark.parametrize("name", ["forager", "mango", "webwalker", "fanned"])
async def test_the_file_runs_as_the_graph_does(name: str) -> None:
    """Node for node, with the same routes, messages and answer; parallel branches in any order."""
    spec = loosened(FANNED if name == "fanned" else load_graph(name))
    limit = RunnableConfig(recursion_limit=super_step_limit(spec, SCRIPTED))
    from_spec: Told = []
    from_file: Told = []
    graph = compile_graph(spec, scripted(), SCRIPTED, listening(from_spec))
    exported = built(write_python(spec, SCRIPTED), listening(from_file))
    values = await graph.ainvoke(State(question=QUESTION), limit)
    again = await exported.ainvoke(State(question=QUESTION), limit)
    assert in_branch_order(from_file) == in_branch_order(from_spec)
    assert again["answer"] == values["answer"]
    assert again["evidence"] == values["evidence"]
    assert [step.page for step in again["steps"]] == [step.page for step in values["steps"]]


def in_branch_order(told: Told) -> Told:
    """What happened inside of branches that run at the same time has no order of its own."""
    outer = [each for each in told if "/" not in each[0]]
    return outer + sorted((each for each in told if "/" in each[0]), key=repr)


HOSTILE = (
    'It says """no""" \\ and\n\x00 \u2028 {x} %s #" \N{ZERO WIDTH JOINER} 灯塔 \N{GRINNING FACE}'
)


def test_texts_stay_texts() -> None:
    """Quotes, line ends and control characters in what a graph says do not become code."""
    spec = load_graph("webwalker").model_copy(update={"description": HOSTILE, "name": 'a "b" \\'})
    answer = spec.nodes["answer"].model_copy(update={"prompts": {"WriteAnswer": HOSTILE}})
    spec = spec.model_copy(update={"nodes": {**spec.nodes, "answer": answer}})
    assert read_python(write_python(spec, REGISTRY), REGISTRY) == without_layout(spec)


def without_layout(spec: GraphSpec) -> GraphSpec:
    return spec.model_copy(update={"positions": {}, "folds": {}, "edges": in_file_order(spec)})


def in_file_order(spec: GraphSpec) -> tuple[Any, ...]:
    order = ["start", *spec.nodes]
    return tuple(sorted(spec.edges, key=lambda edge: order.index(edge.source)))


def test_inner_graphs_of_one_name_are_functions_of_their_own() -> None:
    inner = load_graph("abreast").nodes["walk"]
    spec = load_graph("abreast")
    deep = {**inner.params["spec"], "description": "Deep."}  # type: ignore[dict-item]
    nodes = {**spec.nodes, "walk": inner.model_copy(update={"params": {"spec": deep}})}
    spec = spec.model_copy(update={"nodes": nodes})
    text = write_python(spec, REGISTRY)
    assert text.count("def build_") == 2
    assert read_python(text, REGISTRY).hash == spec.hash


WHOLE = write_python(load_graph("webwalker"), REGISTRY)
CHANGED = MappingProxyType(
    {
        "    return graph\n": "    import os; os.mkdir('made')\n    return graph\n",
        'nodes.bind("survey", "surveyor"': 'open("survey", "surveyor"',
        "graph.add_edge(START,": "graph.add_edge(FINISH,",
        "nodes.new_graph()": "__import__('os').getcwd()",
        'nodes.bind("interpret", "interpreter")': 'nodes.bind("interpret")',
        'graph.add_node("Act", ': 'graph.add_node("Act", "act", ',
        'graph.add_edge("Answer", END)': 'graph.add_edge(END, "Answer")',
        'main(build_graph, "webwalker")': "main(build_graph, " + "(" * 300 + ")" * 300 + ")",
        "main(build_graph,": "print(build_graph,",
        "def build_graph(": "def build graph(",
    }
)


@pytest.mark.parametrize("old", CHANGED)
def test_other_code_is_refused_and_not_run(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in WHOLE
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GraphError) as refused:
        read_python(WHOLE.replace(old, CHANGED[old]), REGISTRY)
    assert refused.value.mend
    assert not list(tmp_path.iterdir())


def test_a_refusal_names_the_line() -> None:
    changed = WHOLE.replace("    return graph\n", "    graph.clear()\n    return graph\n")
    line = changed.splitlines().index("    graph.clear()") + 1
    with pytest.raises(GraphError, match=f"Line {line} "):
        read_python(changed, REGISTRY)


def test_a_graph_inside_itself_is_refused() -> None:
    text = write_python(load_graph("abreast"), REGISTRY)
    with pytest.raises(GraphError, match="builds itself"):
        read_python(text.replace("build_walk(nodes.inside", "build_graph(nodes.inside"), REGISTRY)


@pytest.mark.parametrize(("given", "rounds"), [({}, 2), ({"last": 1}, 1), ({"last": "3"}, 3)])
async def test_a_branch_with_a_parameter_runs_from_the_file_with_its_value(
    given: dict[str, JsonValue], rounds: int
) -> None:
    body = branching("rounds >= $last -> done").model_dump(mode="json")
    body["parameters"] = {"last": {"type": "integer", "default": 2}}
    spec = GraphSpec.model_validate(body)
    text = write_python(spec, TYPES)
    assert '"rounds >= $last -> done"' in text
    names = executed(text)
    told: Told = []
    nodes = Nodes(scripted(), TYPES, listening(told), given=given)
    graph: Graph = names["build_graph"](nodes).compile()
    limit = RunnableConfig(recursion_limit=super_step_limit(spec, TYPES))
    values = await graph.ainvoke(State(question=QUESTION), limit)
    assert values["draw"].round == rounds
    taken = [route for node, kind, _, route in told if (node, kind) == ("decide", "finished")]
    assert taken == ["more"] * (rounds - 1) + ["done"]
    back = read_python(text, TYPES)
    assert (back.hash, back.parameters) == (spec.hash, spec.parameters)
    assert [str(edge) for edge in back.edges if edge.source == "decide"] == [
        "decide.done -> answer",
        "decide.more -> select",
    ]


PARAMETERS = """\
name: outer
parameters:
  pages: {type: integer, default: 4, help: "pages of a site, \\"all\\" of them"}
  share: {type: number, default: 0.5}
  spec: {type: text, default: none}
nodes:
  survey: {type: surveyor, params: {pages: $pages}}
  walk:
    type: graph
    params:
      set: {pages: $pages, spec: $spec}
      spec:
        name: inside
        parameters:
          pages: {type: integer, default: 9}
          most: {type: integer, default: 2}
          spec: {type: text, default: $$x}
        nodes:
          select: {type: selector, params: {rounds: $pages}}
          decide:
            type: branch
            params: {cases: [rounds > $most -> out, 'kind == $spec -> out'], otherwise: again}
        edges:
          - start -> select
          - select.drawn -> decide
          - select.spent -> end
          - decide.again -> select
          - decide.out -> end
  answer: {type: answerer}
edges:
  - start -> survey
  - survey.found -> walk
  - survey.none -> answer
  - walk.end -> answer
  - answer.end -> end
"""
"""A parameter may be named as what a node of type graph holds, and the graph inside has its own."""


def test_parameters_of_a_graph_and_of_the_one_inside_are_read_back() -> None:
    spec = parse_graph(PARAMETERS)
    text = write_python(spec, REGISTRY)
    compile(text, "exported.py", "exec")
    back = read_python(text, REGISTRY)
    assert back.hash == spec.hash
    assert back.parameters == spec.parameters
    assert back.inner("walk").parameters == spec.inner("walk").parameters


def test_values_reach_the_nodes_of_the_file_and_of_the_graph_inside() -> None:
    bound: dict[str, object] = {}

    class Listening(Nodes):
        def bind(self, name: str, type: str, params: Any = None, prompts: Any = None) -> Any:
            bound[f"{self.prefix}{name}"] = self._fill(type, params)
            return super().bind(name, type, params, prompts)

    build = executed(write_python(parse_graph(PARAMETERS), REGISTRY))["build_graph"]
    build(Listening(None, REGISTRY, Hooks(), given={"pages": "7", "spec": "list"}))
    assert bound["survey"] == {"pages": 7}
    assert bound["walk/select"] == {"rounds": 7}
    assert bound["walk/decide"] == {
        "cases": ["rounds > 2 -> out", 'kind == "list" -> out'],
        "otherwise": "again",
    }


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"pages": "all"}, "'pages' cannot be 'all'"),
        ({"page": 1}, "Did you mean 'pages'?"),
        ({"pages": -1}, "survey: the parameter 'pages' cannot be -1"),
    ],
)
def test_a_value_that_does_not_fit_is_told(given: dict[str, JsonValue], told: str) -> None:
    build = executed(write_python(parse_graph(PARAMETERS), REGISTRY))["build_graph"]
    with pytest.raises(GraphError, match=re.escape(told)):
        build(Nodes(scripted(), REGISTRY, Hooks(), given=given))


def test_a_dollar_sign_of_a_text_stays_one() -> None:
    """A graph without parameters, in which a text begins with a dollar sign, written with two."""
    spec = load_graph("webwalker")
    request = NodeSpec(type="request", params={"url": "$$x"})
    spec = spec.model_copy(update={"nodes": {**spec.nodes, "fetch": request}})
    text = write_python(spec, REGISTRY)
    assert "nodes.declare({})" in text
    assert read_python(text, REGISTRY).hash == spec.hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Parameter(type=", "open(type="),
        ('type="number"', 'type="code"'),
        ("nodes.declare(PARAMETERS)", "nodes.declare(OTHERS)"),
        ('{"pages": "$pages", "spec": "$spec"}', "dict(pages=1)"),
        ('"outer", PARAMETERS)', '"outer", OTHERS)'),
    ],
)
def test_other_parameters_are_refused(old: str, new: str) -> None:
    text = write_python(parse_graph(PARAMETERS), REGISTRY)
    assert old in text
    with pytest.raises(GraphError):
        read_python(text.replace(old, new), REGISTRY)
