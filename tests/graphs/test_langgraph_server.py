"""What LangGraph's development server is given: graphs that open nothing until they are run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore
from langgraph_sdk.runtime import _ExecutionRuntime, _ReadRuntime
from starlette.exceptions import HTTPException

from forager.adapters.models.model_lines import OFFLINE
from forager.domain.answers import Answer
from forager.domain.spend import Budget
from forager.domain.state import Question, State
from graphs import langgraph_server as server
from graphs.spec.library import Library
from graphs.spec.plugins import FOLDER
from graphs.spec.spec import PRESETS, preset_names
from tests.graphs.spec.test_plugins_page import ASKED, PAGES, block
from tests.servers import Site

ENTRIES = json.loads((PRESETS.parents[1] / "langgraph.json").read_text())["graphs"]
LOOK: server.Runtime = _ReadRuntime(access_context="assistants.read", store=InMemoryStore())
RUN: server.Runtime = _ExecutionRuntime(access_context="threads.create_run", store=InMemoryStore())


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a saved graph of two versions, the second with an own node."""
    monkeypatch.setenv("FORAGER_DATA", str(tmp_path))
    monkeypatch.setenv("FORAGER_OWN_NODES", "fresh.py")
    monkeypatch.setenv("FORAGER_ALLOW_PRIVATE", '["127.0.0.1"]')
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "fresh.py").write_text(block("python"), encoding="utf-8")
    walker = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    nodes, edges = block("yaml").split("edges:\n")
    recent = walker.replace("nodes:\n", nodes).replace("  - aggregate.next -> judge\n", edges)
    library = Library(tmp_path / "graphs.sqlite")
    first = library.save("recent", walker)
    library.save("recent", recent, base=first.number)
    return tmp_path


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


def wanted(**named: Any) -> Any:
    return {"configurable": named}


async def nodes(factory: server.Factory, **named: Any) -> set[str]:
    async with factory(wanted(**named), LOOK) as graph:
        return set(graph.nodes)


@pytest.mark.parametrize("name", preset_names())
async def test_every_preset_has_an_entry(name: str) -> None:
    file, _, attribute = ENTRIES[name].partition(":")
    assert file == "./graphs/langgraph_server.py"
    factory = getattr(server, attribute)
    assert await nodes(factory) == await nodes(server.forager, graph=name)


async def test_saved_graphs_and_their_versions_are_named() -> None:
    assert "Fresh" in await nodes(server.forager, graph="recent")
    assert "Fresh" in await nodes(server.mango, graph="recent@2")
    assert "Fresh" not in await nodes(server.forager, graph="recent@1")


async def test_what_can_be_configured_is_the_schema_of_the_assistant(data: Path) -> None:
    text = (PRESETS / "mango.yaml").read_text(encoding="utf-8")
    declared = "parameters:\n  tries: {type: integer, default: 4, help: How often.}\nnodes:"
    saved = text.replace("nodes:", declared, 1).replace("rounds: 10", "rounds: $tries", 1)
    Library(data / "graphs.sqlite").save("tried", saved.replace("name: mango", "name: tried"))
    async with server.mango(wanted(graph="tried", parameters={"tries": 7}), LOOK) as graph:
        schema = graph.get_context_jsonschema() or {}
    assert set(schema["properties"]) == {"graph", "model", "parameters"}
    tries = schema["$defs"]["Parameters"]["properties"]["tries"]
    assert (tries["type"], tries["default"], tries["description"]) == ("integer", 7, "How often.")
    async with server.mango(wanted(), LOOK) as graph:
        assert set((graph.get_context_jsonschema() or {})["properties"]) == {"graph", "model"}


async def test_edges_have_the_names_of_their_routes() -> None:
    async with server.forager(wanted(graph="abreast"), LOOK) as graph:
        drawn = {(edge.source, edge.target): edge.data for edge in graph.get_graph().edges}
    assert drawn["Judge", "Survey"] == "insufficient"
    assert drawn["Select", "Walk"] == "arm"


async def test_a_look_opens_nothing(data: Path) -> None:
    before = sorted(data.rglob("*"))
    for name in (*preset_names(), "recent"):
        await nodes(server.forager, graph=name, model="openai:any")
    assert sorted(data.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("recnt", "There is no graph 'recnt'. Did you mean 'recent'?"),
        ("./langgraph.json", "There is no graph './langgraph.json'."),
        (["recent"], "`configurable.graph` is not a name."),
    ],
)
async def test_what_is_no_graph_is_told(name: object, said: str) -> None:
    for runtime in (LOOK, RUN):
        with pytest.raises(HTTPException) as caught:
            async with server.forager(wanted(graph=name), runtime):
                pass
        assert caught.value.status_code == server.UNPROCESSABLE
        assert said in caught.value.detail


async def test_a_broken_node_and_a_model_that_is_none_are_told(data: Path) -> None:
    with pytest.raises(HTTPException, match="nonesuch"):
        async with server.forager(wanted(model="nonesuch:x"), RUN):
            pass
    (data / FOLDER / "fresh.py").write_text("oh no")
    assert "Select" in await nodes(server.forager)
    with pytest.raises(HTTPException, match="cannot be read: SyntaxError"):
        await nodes(server.forager, graph="recent")


async def test_a_saved_graph_runs(site: Site) -> None:
    question = Question(text=ASKED, sites=(site.url(),), budget=Budget(rounds=2, steps=4))
    async with server.forager(wanted(graph="recent", model=OFFLINE), RUN) as graph:
        state = await graph.ainvoke(State(question=question), {"recursion_limit": 200})
    assert isinstance(state["answer"], Answer)
    kept = {entry.passage.url: not entry.dropped for entry in state["evidence"]}
    assert (kept[site.url("/ona")], kept[site.url("/runde")]) == (True, False)


async def test_parameters_are_set_by_the_assistant(data: Path) -> None:
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    text = text.replace("steps: 15", "steps: $deep").replace("name: webwalker", "name: deep")
    text += "parameters: {deep: {type: integer, default: 15}}\n"
    Library(data / "graphs.sqlite").save("deep", text)
    async with server.forager(wanted(graph="deep", parameters={"deep": 3}), LOOK) as graph:
        assert "Navigate" in graph.nodes
    for values, said in (({"deep": "x"}, "'deep' cannot be 'x'"), ([3], "is not an object")):
        with pytest.raises(HTTPException) as caught:
            async with server.forager(wanted(graph="deep", parameters=values), LOOK):
                pass
        assert said in caught.value.detail
