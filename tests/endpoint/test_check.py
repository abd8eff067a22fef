"""What the API would refuse is refused, with the parameter named, and remembered."""

import copy
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from openai import BadRequestError
from pydantic import BaseModel, Field

from tests.endpoint import Endpoint
from tests.endpoint.client import TLS, client
from tests.endpoint.request import Json

USER: Json = {"role": "user", "content": "Answer in JSON."}
PARTS = [{"type": "text", "text": "Who?"}]
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLING = {"role": "assistant", "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "nothing"}
OBJECT: Json = {
    "type": "object",
    "properties": {"part": {"type": "string"}},
    "required": ["part"],
    "additionalProperties": False,
}
TOOL: Json = {"type": "function", "function": {"name": "look", "parameters": OBJECT}}


@pytest.fixture(scope="module")
def shared() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(shared: Endpoint) -> Endpoint:
    shared.invalid.clear()
    return shared


def post(endpoint: Endpoint, **body: Any) -> tuple[int, Json]:
    request = {"model": "small", "messages": [USER]} | body
    answer = httpx2.post(f"{endpoint.url}/chat/completions", json=request, verify=TLS)
    content: Json = answer.json()
    return answer.status_code, content


def shape(schema: Json, name: str = "Verdict", strict: bool = True) -> Json:
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": strict},
    }


def with_part(part: Json) -> Json:
    """A strict schema with one property."""
    schema = copy.deepcopy(OBJECT)
    schema["properties"]["part"] = part
    return schema


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": [{"role": "system", "content": PARTS}, {"role": "user", "content": PARTS}]},
        {"messages": [USER, CALLING, RESULT, USER]},
        {"messages": [USER, {"role": "assistant", "content": ""}, USER]},
        {"tools": [TOOL], "tool_choice": "auto", "parallel_tool_calls": False},
        {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "look"}}},
        {"response_format": {"type": "json_object"}},
        {"response_format": shape(OBJECT)},
        {"response_format": shape({"type": "object"}, strict=False)},
        {"temperature": 0, "top_p": 1, "seed": 7, "max_completion_tokens": 1, "stop": ["\n"]},
        {"stream": False, "n": 1, "user": "me", "metadata": {"run": "1"}, "store": None},
    ],
)
def test_valid_requests_pass(endpoint: Endpoint, body: Json) -> None:
    assert (post(endpoint, **body)[0], endpoint.invalid) == (200, [])


@pytest.mark.parametrize(
    ("param", "body"),
    [
        ("messages", {"messages": []}),
        ("messages", {"messages": "Who?"}),
        ("foo", {"foo": 1}),
        ("temperature", {"temperature": 2.1}),
        ("temperature", {"temperature": "0"}),
        ("max_tokens", {"max_tokens": 0}),
        ("max_completion_tokens", {"max_completion_tokens": -1}),
        ("max_tokens", {"max_tokens": 9, "max_completion_tokens": 9}),
        ("max_tokens", {"max_tokens": 1.5}),
        ("n", {"n": 2}),
        ("stop", {"stop": list("abcde")}),
        ("stream", {"stream": "yes"}),
        ("stream_options", {"stream_options": {"include_usage": True}}),
        ("stream_options.foo", {"stream": True, "stream_options": {"foo": True}}),
        ("messages[0].role", {"messages": [{"content": "Who?"}]}),
        ("messages[1].role", {"messages": [USER, {"role": "wizard", "content": "Who?"}]}),
        ("messages[0].foo", {"messages": [USER | {"foo": 1}]}),
        ("messages[0].content", {"messages": [{"role": "user"}]}),
        ("messages[0].content", {"messages": [{"role": "user", "content": None}]}),
        ("messages[0].content", {"messages": [{"role": "assistant", "content": None}]}),
        ("messages[0].role", {"messages": [RESULT]}),
        ("messages[2].role", {"messages": [USER, CALLING, USER]}),
        ("messages[1].role", {"messages": [CALLING]}),
        ("tools", {"tools": []}),
        ("tools", {"tools": [TOOL, TOOL]}),
        ("tools[0].foo", {"tools": [TOOL | {"foo": 1}]}),
        ("tools[0].function.name", {"tools": [{"type": "function", "function": {"name": "a b"}}]}),
        ("tool_choice", {"tool_choice": "auto"}),
        ("parallel_tool_calls", {"parallel_tool_calls": False}),
        (
            "tool_choice",
            {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "leap"}}},
        ),
        ("response_format.type", {"response_format": {"type": "xml"}}),
        ("response_format.json_schema.name", {"response_format": shape(OBJECT, name="a.b")}),
        ("response_format.json_schema.name", {"response_format": shape(OBJECT, name="a" * 65)}),
        ("response_format", {"response_format": shape({"type": "array"}, strict=False)}),
        (
            "messages",
            {
                "messages": [{"role": "user", "content": "Who?"}],
                "response_format": {"type": "json_object"},
            },
        ),
    ],
)
def test_invalid_requests_are_refused(endpoint: Endpoint, param: str, body: Json) -> None:
    status, content = post(endpoint, **body)
    assert (status, content["error"]["param"]) == (400, param), content
    assert content["error"].keys() == {"message", "type", "param", "code"}
    [invalid] = endpoint.invalid
    assert (invalid.param, invalid.message) == (param, content["error"]["message"])


def test_what_is_missing_is_named(endpoint: Endpoint) -> None:
    answer = httpx2.post(f"{endpoint.url}/chat/completions", json={"messages": [USER]}, verify=TLS)
    assert answer.json()["error"] == {
        "message": "Missing required parameter: 'model'.",
        "type": "invalid_request_error",
        "param": "model",
        "code": "missing_required_parameter",
    }


@pytest.mark.parametrize(
    ("words", "schema"),
    [
        ("'additionalProperties' is required", {"type": "object", "properties": {}}),
        ("Missing 'part'", OBJECT | {"required": []}),
        ("extra required key 'whole'", OBJECT | {"required": ["part", "whole"]}),
        ("'default' is not permitted", with_part({"type": "string", "default": ""})),
        ("'oneOf' is not permitted", with_part({"oneOf": [{"type": "string"}]})),
        ("$ref cannot have keywords", with_part({"$ref": "#", "description": "all"})),
        ("points to no definition", with_part({"$ref": "#/$defs/Part"})),
        ("array schema missing items", with_part({"type": "array"})),
        ("must have a 'type' key", with_part({"description": "anything"})),
        ("format 'uri' is not supported", with_part({"type": "string", "format": "uri"})),
        ("In context=('properties', 'part')", with_part({"type": ["object", "null"]})),
        ("got 'type: \"None\"'", {"anyOf": [OBJECT]}),
    ],
)
def test_strict_schemas_are_strict(endpoint: Endpoint, words: str, schema: Json) -> None:
    status, content = post(endpoint, response_format=shape(schema))
    assert (status, content["error"]["param"]) == (400, "response_format")
    assert words in content["error"]["message"]
    tool = {"name": "look", "parameters": schema, "strict": True}
    status, content = post(endpoint, tools=[{"type": "function", "function": tool}])
    assert (status, content["error"]["code"]) == (400, "invalid_function_parameters")
    assert words in content["error"]["message"]


def test_schemas_nest_to_a_limit(endpoint: Endpoint) -> None:
    schema: Json = {"type": "string"}
    for _ in range(11):
        schema = with_part(schema)
    status, content = post(endpoint, response_format=shape(schema))
    assert (status, "11 levels of nesting" in content["error"]["message"]) == (400, True)


class Node(BaseModel):
    name: str = Field(description="what it is called")
    next: "Node | None"


class Verdict(BaseModel):
    nodes: list[Node]
    first: Node = Field(description="the first")


def test_what_the_client_makes_of_a_model_passes(endpoint: Endpoint) -> None:
    with client(endpoint) as openai:
        answer = openai.chat.completions.parse(
            model="small",
            messages=[{"role": "user", "content": "Who?"}],
            response_format=Verdict,
        )
    assert answer.choices[0].message.parsed == Verdict(nodes=[], first=Node(name="", next=None))
    assert endpoint.invalid == []


def test_the_client_sees_a_bad_request(endpoint: Endpoint) -> None:
    with client(endpoint) as openai, pytest.raises(BadRequestError):
        openai.chat.completions.create(model="small", messages=[])


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
def test_a_body_that_is_no_object_is_refused(endpoint: Endpoint, content: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    address = f"{endpoint.url}/chat/completions"
    answer = httpx2.post(address, content=content, headers=headers, verify=TLS)
    assert (answer.status_code, len(endpoint.invalid)) == (400, 1)


def test_a_body_of_another_type_is_refused(endpoint: Endpoint) -> None:
    answer = httpx2.post(f"{endpoint.url}/chat/completions", data={"model": "small"}, verify=TLS)
    assert (answer.status_code, len(endpoint.invalid)) == (400, 1)
