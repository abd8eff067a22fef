"""Sends a request to an API; its reply is a page that can be quoted."""

import json
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from pydantic import Field, JsonValue
from pydantic.config import JsonDict

from forager.browsing.safety.address_verbs import following_reason, link_side_effect
from forager.browsing.tool_steps import (
    NAMES,
    AskFor,
    Values,
    call_type,
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
from forager.node_type import ParamFault
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
    """Send the request, with approval if it may change something; a failure is a failed step."""
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

    return {"steps": await make_calls(state, actions, ports, _reason_to_ask, perform)}


def _reason_to_ask(action: Action) -> str:
    """Why the request may change something; empty for a GET whose address names no change."""
    method, _, url = action.target.partition(" ")
    return following_reason(link_side_effect(url)) if method == "GET" else WHY


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


NODE_TYPE = call_type(
    "request",
    "Sends a request to an API; what it returns is read like a page.",
    send_request,
    RequestParams,
    _find_faults,
)


def _make_action(params: RequestParams, values: Values) -> Action:
    url = fill_in(params.url, values, lambda text: quote(text, safe=""))
    body = fill_in(dict(params.body), values)
    written = json.dumps(body, ensure_ascii=False, sort_keys=True) if body else ""
    return Action(kind="request", target=f"{params.method} {url}", value=written)
