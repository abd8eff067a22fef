"""Sends a request to an API; its reply is a page that can be quoted."""

import json
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from pydantic import Field, JsonValue
from pydantic.config import JsonDict

from forager.browsing.tool_steps import (
    NAMES,
    AskFor,
    Values,
    call_route,
    fill_in,
    make_calls,
    not_made_before,
    unknown_names,
    values_to_fill_in,
)
from forager.domain.actions import Action, ApiRequest, Method
from forager.domain.base import Frozen
from forager.domain.documents import OpenedPage
from forager.domain.state import State, Update
from forager.node_type import NodeType, ParamFault, state_keys
from forager.ports import Ports

WHY = "A request of this kind may change something."
WITH_NAMES: JsonDict = {"names": {**NAMES}}


class RequestParams(Frozen):
    """Where the request goes, and what it holds."""

    url: str = Field(
        "",
        description="the address; names such as {part} are filled in",
        json_schema_extra=WITH_NAMES,
    )
    method: Method = Field("GET", description="all but GET need an approval")
    headers: Mapping[str, str] = Field(
        {}, description="headers; {{name}} is a secret of the settings"
    )
    body: Mapping[str, JsonValue] = Field(
        {},
        description="what is sent, as JSON; names such as {part} are filled in",
        json_schema_extra=WITH_NAMES,
    )
    ask_for: AskFor = Field(
        "question", description="sent once for the question, or for each part that is open"
    )


async def send_request(state: State, ports: Ports, params: RequestParams) -> Update:
    """Send the request, with approval unless it is a GET; one that fails is a failed step."""
    asked = values_to_fill_in(state, params.ask_for)
    actions = not_made_before(state, (_make_action(params, values) for values in asked))

    async def perform(action: Action) -> OpenedPage:
        request = ApiRequest(
            url=action.target.partition(" ")[2],
            method=params.method,
            headers=params.headers,
            body=action.value,
        )
        return await ports.web.send(request)

    why = "" if params.method == "GET" else WHY
    return {"steps": await make_calls(state, actions, ports, why, perform)}


def _find_faults(params: RequestParams) -> Iterator[ParamFault]:
    if not params.url.lower().startswith(("http://", "https://")):
        yield ParamFault(
            param="url",
            message=f"{params.url!r} is not a web address."
            if params.url
            else "There is no address.",
            mend="Write it as https://host/path?q={part}.",
        )
    if "{{" in params.url:
        yield ParamFault(
            param="url",
            message="A secret in an address would be shown with every citation.",
            mend="Send it in a header.",
        )
    if params.body and params.method == "GET":
        yield ParamFault(
            param="body",
            message="A GET has no body.",
            mend="Write it into the address, or use POST.",
            value={},
            label="Remove the body",
        )
    yield from unknown_names("url", params.url)
    yield from unknown_names("body", dict(params.body))


NODE_TYPE = NodeType(
    name="request",
    family="walk",
    summary="Sends a request to an API; what it returns is read like a page.",
    function=send_request,
    params=RequestParams,
    routes=("found", "nothing"),
    route=call_route,
    reads=state_keys("question"),
    looks=state_keys("meaning survey draw steps reading feedback verdict"),
    writes=state_keys("steps"),
    faults=_find_faults,
)


def _make_action(params: RequestParams, values: Values) -> Action:
    url = fill_in(params.url, values, lambda text: quote(text, safe=""))
    body = fill_in(dict(params.body), values)
    written = json.dumps(body, ensure_ascii=False, sort_keys=True) if body else ""
    return Action(kind="request", target=f"{params.method} {url}", value=written)
