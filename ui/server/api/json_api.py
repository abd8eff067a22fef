"""The JSON API: the commands as calls, for the pages' components and for programs."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from forager.text.unicode import escape_json
from forager.util.distribution import installed_version
from ui.server.api import (
    batch_routes,
    graph_routes,
    session_data_routes,
    session_routes,
    system_routes,
    trial_routes,
)
from ui.server.api.api_errors import FIRST_ERROR, JSON, add_error_handlers
from ui.server.api.docs_page import render_docs
from ui.server.api.stream_shapes import stream_schemas
from ui.server.chat import chat_routes
from ui.server.people import account_routes, share_routes

DESCRIPTION = """\
The commands of `forager` as calls. A session that is started here runs on whoever looks at it.

Every call but `/api/health` needs a token: `Authorization: Bearer TOKEN`. It is that of an
account, or the one in `ui-token` in the data folder, which is there while the server runs. Bodies
are JSON of at most 1,000,000 bytes, whatever their content type says; an empty body is `{}`. Every
error is JSON with `error`, what happened, and `mend`, how to mend it.
"""
TAGS = [
    {"name": "sessions", "description": "Ask questions, follow them, and change their course."},
    {"name": "session data", "description": "What a run did: history, nodes, map, spending."},
    {"name": "batches", "description": "Files of questions in, files of answers out."},
    {"name": "graphs", "description": "Presets and saved graphs with their versions."},
    {"name": "trials", "description": "Two graphs on the same questions."},
    {"name": "chat", "description": "Chat completions for OpenAI's clients; errors in its shape."},
    {"name": "accounts", "description": "Accounts, their limits and their tokens."},
    {"name": "shares", "description": "What accounts show each other."},
    {"name": "memory", "description": "What was learned from earlier sessions."},
    {"name": "search", "description": "Search without a session."},
    {"name": "system", "description": "The server and the machine."},
]
SECURITY: Mapping[str, Any] = {
    "token": {"type": "http", "scheme": "bearer", "description": "ui-token, or an account's."}
}
EXAMPLES = Path(__file__).parent / "response_examples.json"
"""Answers that scripts/record_examples.py recorded, by the names of their calls."""
DEFAULT_DESCRIPTION = "Successful Response"
ROUTERS = (
    session_routes.router,
    session_data_routes.router,
    batch_routes.router,
    trial_routes.router,
    graph_routes.router,
    system_routes.router,
    chat_routes.router,
    account_routes.router,
    share_routes.router,
)


class JsonApi(FastAPI):
    """The application; its OpenAPI document also says that calls need the token."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document."""
        if self.openapi_schema:
            return self.openapi_schema
        document = super().openapi()
        document.setdefault("components", {})["securitySchemes"] = SECURITY
        document["security"] = [{"token": []}]
        schemas = document["components"]["schemas"]
        for name, schema in stream_schemas().items():
            schemas.setdefault(name, schema)
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
        for path in document["paths"].values():
            for operation in path.values():
                _correct_operation(operation, schemas)
                _add_example(operation, examples)
        return document


def _correct_operation(operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Correct what FastAPI cannot know of an operation.

    An empty body is `{}`, so one without required members may be left out. Parameters that do not
    fit are answered with 400.
    """
    body = operation.get("requestBody", {})
    if name := _schema_name(body):
        body["required"] = bool(schemas[name].get("required"))
    responses = operation["responses"]
    if _schema_name(responses.get("422", {})) == "HTTPValidationError":
        del responses["422"]
    for status, response in responses.items():
        if int(status) >= FIRST_ERROR:
            _declare_as_json(response)
        if response["description"] == DEFAULT_DESCRIPTION:
            name = _schema_name(response)
            response["description"] = schemas.get(name, {}).get("description", "The answer.")


def _add_example(operation: dict[str, Any], examples: Mapping[str, Any]) -> None:
    """Add the recorded answer of a call, if its answer is JSON and has no example of its own."""
    if (example := examples.get(operation["operationId"])) is None:
        return
    for status, response in operation["responses"].items():
        if int(status) < FIRST_ERROR and JSON in response["content"]:
            response["content"][JSON].setdefault("example", example)


def _declare_as_json(response: dict[str, Any]) -> None:
    """Errors are JSON, also those of a call whose answer is not."""
    content = response["content"]
    schema = next(each["schema"] for each in content.values() if "schema" in each)
    response["content"] = {JSON: {**content[JSON], "schema": schema}}


def _schema_name(content: Mapping[str, Any]) -> str:
    """The name of the schema of a body or a response, if it is one of the document's."""
    schema = content.get("content", {}).get(JSON, {}).get("schema", {})
    return str(schema.get("$ref", "")).rpartition("/")[2]


class HeadAsGet:
    """Answers HEAD as GET; the server sends no body then."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)


class PlainJson(JSONResponse):
    """JSON in which no character of a page can reorder or rewrite what a terminal shows."""

    def render(self, content: object) -> bytes:
        """The bytes of the body."""
        return escape_json(super().render(content).decode()).encode()


@cache
def build_api() -> JsonApi:
    """The API as an application of its own."""
    api = JsonApi(
        title="Forager",
        version=installed_version(),
        summary="Ask questions whose answer is spread over several pages.",
        description=DESCRIPTION,
        openapi_tags=TAGS,
        generate_unique_id_function=lambda route: route.name,
        default_response_class=PlainJson,
        docs_url=None,
        redoc_url=None,
    )
    for router in ROUTERS:
        api.include_router(router)
    add_error_handlers(api)

    @api.get("/docs", include_in_schema=False)
    async def show_docs() -> HTMLResponse:
        return HTMLResponse(render_docs(api.openapi()))

    return api


ROUTES = [
    Route(path, HeadAsGet(build_api()))
    for path in ("/api/{path:path}", "/v1/{path:path}", "/openapi.json", "/docs")
]
"""The API's routes in the server's application."""
