"""The node `tool` makes a page of what a tool returns."""

from dataclasses import replace

import pytest

from forager.budget import start_meter
from forager.domain.documents import Document
from forager.domain.state import Reading, Verdict
from nodes.extractor import ExtractorParams, extract
from nodes.tool import NODE_TYPE as TOOL
from nodes.tool import ToolParams, call_tool
from tests.fake_browser import FakePerson
from tests.fake_ports import ports
from tests.fake_tools import FakeTools
from tests.fakes import MemoryBlobs
from tests.nodes.states import part, state

SEARCH = ToolParams(server="papers", tool="search", arguments={"query": "{part}", "most": 3})
TWO = state(part("p1", "Who founded it?"), part("p2", "When was it founded?"))


async def test_the_result_of_a_tool_is_a_step_with_a_page() -> None:
    blobs = MemoryBlobs()
    tools = FakeTools(blobs, {"search": "Ann founded it."})
    with start_meter() as used:
        update = await call_tool(TWO, ports(tools=tools, blobs=blobs), SEARCH)
    [done] = update["steps"]
    assert set(update) == {"steps"}
    assert tools.called == [("search", {"query": TWO.asked, "most": 3})]
    assert (done.id, done.outcome, done.action.kind) == ("1.1", "moved", "call")
    assert done.action.target == "papers/search"
    assert done.page is not None
    assert done.page.url == "mcp://papers/search"
    assert Document.model_validate_json(blobs.get(done.page.blob)).text == "Ann founded it."
    assert TOOL.route(replace(TWO, steps=update["steps"])) == "found"
    assert used.actions == 1


async def test_open_parts_are_asked_each_and_all_results_are_read() -> None:
    blobs = MemoryBlobs()
    tools = FakeTools(blobs, {"search": "Ann founded it in 1903."})
    given = ports(tools=tools, blobs=blobs)
    each = SEARCH.model_copy(update={"ask_for": "parts"})
    closed = replace(TWO, verdict=Verdict(sufficient=False, covered=("p1",), open=("p2",)))
    with start_meter():
        both = replace(TWO, steps=(await call_tool(TWO, given, each))["steps"])
        await call_tool(closed, given, each)
        read = await extract(both, given, ExtractorParams(least=0))
    asked = [arguments["query"] for _, arguments in tools.called]
    assert asked == ["Who founded it?", "When was it founded?", "When was it founded?"]
    assert [step.id for step in both.steps] == ["1.1", "1.2"]
    assert read["reading"].step == "1.2"
    assert {passage.url for passage in read["reading"].passages} == {"mcp://papers/search"}


async def test_the_same_call_is_not_made_twice() -> None:
    blobs = MemoryBlobs()
    tools = FakeTools(blobs, {"search": "Ann founded it."})
    given = ports(tools=tools, blobs=blobs)
    with start_meter():
        once = replace(TWO, steps=(await call_tool(TWO, given, SEARCH))["steps"])
        read = replace(once, reading=Reading(step="1.1"))
        again = await call_tool(read, given, SEARCH)
    assert again["steps"] == ()
    assert len(tools.called) == 1
    assert TOOL.route(read) == "nothing"


async def test_a_tool_that_is_not_there_is_a_failed_step_and_a_warning() -> None:
    told: list[str] = []

    async def warn(text: str) -> None:
        told.append(text)

    with start_meter() as used:
        used.warn = warn
        update = await call_tool(TWO, ports(), SEARCH)
    [failed] = update["steps"]
    assert failed.outcome == "failed"
    assert failed.reason == "The tool server papers has no tool 'search'."
    assert told == [failed.reason]
    assert TOOL.route(replace(TWO, steps=update["steps"])) == "nothing"


@pytest.mark.parametrize("says", [True, False])
async def test_a_tool_that_may_change_something_needs_an_approval(says: bool) -> None:
    blobs, person = MemoryBlobs(), FakePerson(says=says)
    tools = FakeTools(blobs, {"search": "Done."}, read_only=False)
    with start_meter():
        update = await call_tool(TWO, ports(tools=tools, blobs=blobs, person=person), SEARCH)
    [asked] = person.asked
    assert asked.what == 'Call papers/search with {"most": 3, "query": "Who founded it?"}'
    assert asked.why == "The server does not say that this tool only reads."
    [done] = update["steps"]
    assert (len(tools.called), done.outcome) == ((1, "moved") if says else (0, "failed"))
    assert done.reason == ("" if says else "It was not approved.")


@pytest.mark.parametrize(
    ("params", "says"),
    [
        (ToolParams(), ["No server is chosen."]),
        (ToolParams(server="a"), ["No tool is chosen."]),
        (
            ToolParams(server="a", tool="b", arguments={"q": ["{prat}"]}),
            ["{prat} stands for nothing."],
        ),
        (ToolParams(server="a", tool="b", arguments={"q": "{{kept}} {part}"}), []),
    ],
)
def test_faults_of_a_tool(params: ToolParams, says: list[str]) -> None:
    assert [each.message for each in TOOL.faults(params)] == says
