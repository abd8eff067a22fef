"""The OpenAPI document and the page at /docs say all of the API, and say it truly."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.ui.server.api.contract import JSON, Operation, document, operations, validate
from tests.ui.server.api_client import Caller
from ui.server.api import graph_routes, session_data_routes, session_routes, system_routes
from ui.server.api.json_api import EXAMPLES, ROUTERS, build_api
from ui.server.api.json_body import MAX_BYTES
from ui.server.handbook.markdown_pages import docs_folder

EVERY = list(operations())
WITH_BODY = [each for each in EVERY if each.body]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=9,
)


def named(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


def call(operation: Operation) -> str:
    """A path at which nothing is."""
    return operation.fill("1" if operation.path.startswith("/api/recipes") else "none")


def contents(operation: Operation) -> Iterator[dict[str, Any]]:
    """The bodies of an operation: of the request, and of each response."""
    yield from operation.about.get("requestBody", {}).get("content", {}).values()
    for response in operation.about["responses"].values():
        yield from response.get("content", {}).values()


def examples(content: dict[str, Any]) -> Iterator[Any]:
    """The examples of a body, its own and those of its schema."""
    if "example" in content:
        yield content["example"]
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    yield from document()["components"]["schemas"].get(name, {}).get("examples", ())


def item_schemas(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The shapes of the items of a stream."""
    if "itemSchema" in content:
        yield content["itemSchema"]


def test_what_is_streamed_has_its_shape(server: Caller, site: str) -> None:
    asked = {"question": "Who built the Skarn lighthouse?", "sites": [site], "session": "shape"}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("shape", "answered")
    text = server.ask("/api/sessions/shape/events/stream").body.decode()
    events = [
        dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        for block in text.split("\n\n")
        if "data: " in block
    ]
    [stream] = [each for each in EVERY if each.path.endswith("/events/stream")]
    shape = stream.about["responses"]["200"]["content"]["text/event-stream"]["itemSchema"]
    assert events[-1]["event"] == "end"
    for event in events:
        validate(event, shape)
    kinds = {"end": "StreamEnd"}
    for event in events:
        name = kinds.get(event["event"], "Event")
        validate(json.loads(event["data"]), {"$ref": f"#/components/schemas/{name}"})


def test_every_route_is_in_the_document() -> None:
    routes = [route for router in ROUTERS for route in router.routes]
    assert len(routes) == len(EVERY)
    declared = {(each.method, each.path) for each in EVERY}
    for route in routes:
        assert isinstance(route, APIRoute)
        for method in route.methods or ():
            assert (method, route.path_format) in declared
    modules = (session_routes, session_data_routes, graph_routes, system_routes)
    assert all(module.router in ROUTERS for module in modules)


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_a_call_is_described(operation: Operation) -> None:
    about = operation.about
    known = {tag["name"] for tag in document()["tags"]}
    assert about["summary"]
    assert about["description"]
    assert set(about["tags"]) <= known
    assert len(about["tags"]) == 1
    for parameter in about.get("parameters", ()):
        assert parameter["description"], parameter
    for status, response in about["responses"].items():
        assert response["description"] != "Successful Response"
        assert response["content"], status


def test_calls_have_names_of_their_own() -> None:
    names = [each.about["operationId"] for each in EVERY]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_examples_are_as_their_schemas_say(operation: Operation) -> None:
    for parameter in operation.about.get("parameters", ()):
        for example in parameter.get("examples", parameter["schema"].get("examples", ())):
            validate(example, parameter["schema"])
    for content in contents(operation):
        for example in examples(content):
            validate(example, content["schema"])


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
def test_a_body_has_an_example(operation: Operation) -> None:
    content = operation.about["requestBody"]["content"][JSON]
    assert list(examples(content))


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_an_answer_of_json_has_an_example(operation: Operation) -> None:
    for status, response in operation.about["responses"].items():
        if JSON in response["content"]:
            found = list(examples(response["content"][JSON]))
            assert found, status
            assert all(each not in ([], {}) for each in found)


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_every_error_that_can_be_is_declared(operation: Operation) -> None:
    """401 and 403 of every call but one, 413 and 422 of those with a body, 404 below an id."""
    statuses = operation.about["responses"].keys()
    if operation.path == "/api/health":
        return
    assert {"401", "403"} <= statuses
    if operation.body:
        assert {"400", "413", "422"} <= statuses
    if "{id}" in operation.path:
        assert "404" in statuses


def test_recorded_examples_are_of_calls_that_there_are() -> None:
    names = {each.about["operationId"] for each in EVERY}
    assert json.loads(EXAMPLES.read_text(encoding="utf-8")).keys() <= names


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_the_items_of_a_stream_have_a_shape(operation: Operation) -> None:
    for content in contents(operation):
        for schema in item_schemas(content):
            Draft202012Validator.check_schema(schema)
            for reference in re.findall(r"#/components/schemas/(\w+)", json.dumps(schema)):
                assert reference in document()["components"]["schemas"]
    streams = {
        kind: content
        for response in operation.about["responses"].values()
        for kind, content in response["content"].items()
        if kind in {"text/event-stream", "application/x-ndjson"}
    }
    if "answers" not in operation.path:  # a file, not a stream
        assert all("itemSchema" in content for content in streams.values())
        assert all(content["example"] for content in streams.values())


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_errors_have_one_shape(operation: Operation) -> None:
    for status, response in operation.about["responses"].items():
        if int(status) < 400:
            continue
        content = response["content"][JSON]
        name = content["schema"]["$ref"].rpartition("/")[2]
        if operation.path.startswith("/v1/"):
            assert name == "ChatErrorAnswer"
        else:
            assert name in {"ErrorAnswer", "InvalidBodyAnswer"}
        assert {"error", "mend"} <= content["example"].keys()


def test_the_stream_is_described() -> None:
    [live] = [each for each in EVERY if each.path.endswith("/live")]
    answer = live.about["responses"]["200"]
    assert "merge patch" in answer["description"]
    whole, _ = answer["content"]["application/x-ndjson"]["itemSchema"]["anyOf"]
    assert whole["$ref"].endswith("/SessionView")


def test_the_first_line_of_the_stream_is_the_view(server: Caller, site: str) -> None:
    asked = {"question": "Who built the Skarn lighthouse?", "sites": [site], "session": "view"}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("view", "answered")
    validate(next(server.follow("view")), {"$ref": "#/components/schemas/SessionView"})


@pytest.mark.parametrize("operation", EVERY, ids=named)
def test_without_the_token_every_call_but_one_is_refused(
    server: Caller, operation: Operation
) -> None:
    answer = server.bare(call(operation), b"{}" if operation.body else None, operation.method)
    if operation.path == "/api/health":
        assert (answer.status, operation.about["security"]) == (200, [])
        return
    assert answer.status == 401
    name = "ChatErrorAnswer" if operation.path.startswith("/v1/") else "ErrorAnswer"
    validate(answer.json(), {"$ref": f"#/components/schemas/{name}"})


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{", 400), (b"\xff", 400), (b"[]", 422), (b'{"no such": 1}', 422), (b" " * 1_000_001, 413)],
)
def test_a_body_that_does_not_fit_is_refused(
    server: Caller, operation: Operation, body: bytes, status: int
) -> None:
    answer = server.ask(call(operation), body, operation.method)
    assert answer.status == status, answer.body
    assert answer.json()["error"]
    assert answer.json()["mend"]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b'{"question": "?", "seed": NaN}', "NaN is not a number of JSON."),
        (b'{"question": "?", "budget": {"usd": Infinity}}', "Infinity is not a number of JSON."),
        (b'{"question": "?", "budget": {"usd": -Infinity}}', "-Infinity is not a number of JSON."),
        (b'{"question": "?", "budget": {"usd": 1e999}}', "1e999 is too large a number."),
        (b"[" * 100_000, "recursion"),
        (b'{"question"', "At line 1, column 12: Expecting ':' delimiter."),
    ],
)
def test_what_is_not_json_is_said(server: Caller, body: bytes, fault: str) -> None:
    answer = server.ask("/api/sessions", body)
    assert (answer.status, answer.json()["error"]) == (400, "The body is not JSON.")
    assert fault in answer.json()["mend"]
    assert not answer.json()["mend"].startswith(":")


def test_a_limit_that_is_infinite_in_words_is_refused(server: Caller) -> None:
    answer = server.ask("/api/sessions", {"question": "?", "budget": {"usd": "inf"}})
    assert answer.status == 422
    assert answer.json()["mend"].startswith("budget.usd: ")


@given(operation=st.sampled_from(WITH_BODY), value=VALUES)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_body_is_answered_with_more_than_an_error(
    server: Caller, operation: Operation, value: object
) -> None:
    if value == {}:
        return  # no limits, no changes: what some calls take
    answer = server.ask(call(operation), value, operation.method)
    assert 400 <= answer.status < 500, answer.body
    assert {"error", "mend"} <= answer.json().keys()


@pytest.mark.parametrize(
    ("method", "path", "status", "error"),
    [
        ("POST", "/api/nowhere", 404, "There is no POST /api/nowhere."),
        ("GET", "/api/", 404, "There is no GET /api/."),
        ("PUT", "/api/sessions", 405, "There is no PUT /api/sessions."),
        ("GET", "/api/sessions?page=0", 400, "The parameter page is not valid"),
        ("GET", "/api/sessions/none/history?turn=x", 400, "The parameter turn is not valid"),
        ("GET", "/api/search?query=x&count=0", 400, "The parameter count is not valid"),
    ],
)
def test_an_address_that_does_not_fit_is_refused(
    server: Caller, method: str, path: str, status: int, error: str
) -> None:
    answer = server.ask(path, method=method)
    assert answer.status == status
    assert error in answer.json()["error"]
    assert answer.json()["mend"]


def test_a_body_of_another_content_type_is_read_and_answers_are_not_stored(server: Caller) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = server.ask("/api/graphs/check", {"graph": "mango"}, **headers)
    assert (answer.status, answer.json()) == (200, [])
    assert answer.headers["cache-control"] == "no-store"
    assert server.ask("/api/sessions", method="HEAD").status == 200
    assert MAX_BYTES == 1_000_000


def test_the_document_and_its_page_are_served_and_load_nothing(server: Caller) -> None:
    assert server.bare("/openapi.json").json() == build_api().openapi()
    answer = server.bare("/docs")
    page = answer.body.decode()
    assert answer.headers["content-type"].startswith("text/html")
    assert "<script" not in page
    assert not re.search(r"(src|href)=[\"'](?!/[\"'])", page)
    for operation in EVERY:
        assert f"<code>{operation.method} {operation.path}</code>" in page
    for name in document()["components"]["schemas"]:
        assert f"<h3>{name}</h3>" in page


def test_the_handbook_names_every_call() -> None:
    page = (docs_folder() / "api.md").read_text(encoding="utf-8")
    for operation in EVERY:
        last = [part for part in operation.path.split("/") if "{" not in part][-1]
        assert re.search(rf"[/` ]{re.escape(last)}\b", page), named(operation)
        assert operation.method in page
