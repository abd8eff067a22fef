"""Calls a tool of an MCP server; its result is a page that can be quoted."""

import json
from collections.abc import Iterator, Mapping

from pydantic import Field, JsonValue

from forager.browsing.tool_steps import (
    NAMES,
    AskFor,
    call_type,
    fill_in,
    make_calls,
    not_made_before,
    unknown_names,
    values_to_fill_in,
)
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.documents import OpenedPage
from forager.domain.state import State, Update
from forager.errors import ToolError
from forager.node_type import ParamFault
from forager.ports import Ports

CHOOSE = "Choose one of those in Settings, Tools (forager tools list)."
WHY = "The server does not say that this tool only reads."


class ToolParams(Frozen):
    """Which tool is called, and with what."""

    server: str = Field("", description="the tool server, as the settings name it")
    tool: str = Field("", description="the tool")
    arguments: Mapping[str, JsonValue] = Field(
        {},
        description="what it is given; names such as {part} are filled in",
        json_schema_extra={"names": dict(NAMES)},
    )
    ask_for: AskFor = Field(
        "question", description="called once for the question, or for each part that is open"
    )


async def call_tool(state: State, ports: Ports, params: ToolParams) -> Update:
    """Call the tool, with approval unless it only reads; a call that fails is a failed step."""
    given = (
        fill_in(dict(params.arguments), each) for each in values_to_fill_in(state, params.ask_for)
    )
    actions = not_made_before(
        state,
        (
            Action(
                kind="call",
                target=f"{params.server}/{params.tool}",
                value=json.dumps(arguments, ensure_ascii=False, sort_keys=True),
            )
            for arguments in given
        ),
    )
    try:
        described = await ports.tools.describe(params.server, params.tool)
    except ToolError:
        why = ""  # the call itself says what is wrong
    else:
        why = "" if described.read_only else WHY

    async def perform(action: Action) -> OpenedPage:
        return await ports.tools.call(params.server, params.tool, json.loads(action.value))

    return {"steps": await make_calls(state, actions, ports, lambda _: why, perform)}


def _find_faults(params: ToolParams) -> Iterator[ParamFault]:
    if not params.server.strip():
        yield ParamFault(param="server", message="No server is chosen.", mend=CHOOSE)
    elif not params.tool.strip():
        yield ParamFault(param="tool", message="No tool is chosen.", mend=CHOOSE)
    yield from unknown_names("arguments", dict(params.arguments))


NODE_TYPE = call_type(
    "tool",
    "Calls a tool of an MCP server; what it returns is read like a page.",
    call_tool,
    ToolParams,
    _find_faults,
)
