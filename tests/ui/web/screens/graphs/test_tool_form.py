"""The form of a node that calls a tool."""

import json

from streamlit.testing.v1 import AppTest

from graphs.spec.drafts import open_drafts
from graphs.spec.library import open_library
from graphs.system.tool_servers import add_server
from tests.forager.adapters.tools.servers import program
from tests.ui.web.screens.graphs.test_graphs_page import at_place, page
from ui.server.space_backend import Backend

GRAPH = """\
name: asking
nodes:
  call: {type: tool}
edges:
  - start -> call
  - call.found -> end
  - call.nothing -> end
"""


def opened(office: Backend) -> AppTest:
    open_library(office.settings).save("asking", GRAPH)
    at = page(graph="asking")
    at_place(at.selectbox, "graph-node").set_value("call").run()
    return at


def tool_params(office: Backend) -> dict[str, object]:
    [draft] = open_drafts(office.settings, open_library(office.settings)).list()
    return dict(draft.spec.nodes["call"].params)


def press(at: AppTest, label: str) -> AppTest:
    return next(each for each in at.button if each.label == label).click().run()


def test_each_argument_of_a_tool_has_a_field(office: Backend) -> None:
    entry = program()
    add_server(office.settings, "lights", [entry["command"], *entry["args"]])
    at = opened(office)
    assert at_place(at.selectbox, "param-call-server").options == ["lights"]
    at_place(at.selectbox, "param-call-server").set_value("lights").run()
    press(at, "Fetch its tools")
    assert not at.exception
    choice = at_place(at.selectbox, "param-call-tool")
    assert choice.options == ["look_up", "list_all", "note", "key"]
    choice.set_value("look_up").run()
    assert any("What the register says" in each.value for each in at.caption)
    at_place(at.text_input, "param-call-arguments-name-text").set_value("{part}").run()
    assert not at.exception
    assert tool_params(office) == {
        "server": "lights",
        "tool": "look_up",
        "arguments": {"name": "{part}"},
    }
    at_place(at.selectbox, "param-call-tool").set_value("note").run()
    assert any("Each call needs an approval" in each.value for each in at.caption)


def test_without_servers_the_way_to_add_one_is_told(office: Backend) -> None:
    at = opened(office)
    assert any("There are no tool servers yet" in each.value for each in at.caption)
    field = at_place(at.text_input, "param-call-arguments-json")
    field.set_value(json.dumps({"q": "{question}"})).run()
    assert tool_params(office) == {"arguments": {"q": "{question}"}}
