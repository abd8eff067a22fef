"""What the streams of the API send, as the OpenAPI document says it: the shape of each item.

`itemSchema` is that of OpenAPI 3.2, which FastAPI writes into its documents, too.
"""

from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ui.server.api.api_errors import ErrorAnswer
from ui.server.api.response_models import SessionView, StreamEnd
from ui.server.chat.chat_bodies import ChatChunk

REFERENCE: Final = "#/components/schemas/"
STREAMED: Final[tuple[type[BaseModel], ...]] = (*(SessionView, StreamEnd, ChatChunk, ErrorAnswer),)
"""Models that only streams have."""


def _sse_item(model: str, event: dict[str, Any] | None = None, *, numbered: bool = False) -> Any:
    """A server-sent event whose data is this model as JSON."""
    data = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"$ref": REFERENCE + model},
    }
    head: dict[str, Any] = {"event": event} if event else {}
    if numbered:
        head["id"] = {"type": "string", "description": "The number of the event."}
    return {"type": "object", "properties": {**head, "data": data}, "required": [*head, "data"]}


EVENTS: Final[dict[str, Any]] = {
    "description": "Server-sent events: each event of the session, its kind as `event`, its number "
    "as `id`, and its JSON as `data`; then `end`, with the status as `data`. `fault` tells an "
    "error. A comment now and then says that the server is there. After a stream that breaks off "
    "without `end`, ask again from the last id on.",
    "content": {
        "text/event-stream": {
            "schema": {"type": "string"},
            "example": 'event: visit\nid: 12\ndata: {"seq": 12, "kind": "visit", …}\n\n'
            'event: end\ndata: {"session": "q07", "status": "answered"}\n\n',
            "itemSchema": {
                "oneOf": [
                    _sse_item(
                        "Event",
                        {"type": "string", "not": {"enum": ["end", "fault"]}},
                        numbered=True,
                    ),
                    _sse_item("StreamEnd", {"const": "end"}),
                    _sse_item("ErrorAnswer", {"const": "fault"}),
                ]
            },
        }
    },
}
VIEWS: Final[dict[str, Any]] = {
    "application/x-ndjson": {
        "schema": {"type": "string"},
        "example": '{"session": {"id": "q07", "status": "running", …}, …}\n{"pages": 12}\n',
        "itemSchema": {
            "anyOf": [
                {"$ref": REFERENCE + "SessionView"},
                {"type": "object", "description": "A merge patch of the view."},
            ]
        },
    }
}
CHUNKS: Final[dict[str, Any]] = {
    "description": "The answer; with `stream`, server-sent events with chunks, then `[DONE]`.",
    "content": {
        "text/event-stream": {
            "schema": {"type": "string"},
            "example": 'data: {"object": "chat.completion.chunk", …}\n\ndata: [DONE]\n\n',
            "itemSchema": {
                "oneOf": [
                    _sse_item("ChatChunk"),
                    _sse_item("ChatErrorAnswer"),
                    {"type": "object", "properties": {"data": {"const": "[DONE]"}}},
                ]
            },
        }
    },
}


def stream_schemas() -> dict[str, Any]:
    """The schemas of the models that only streams have, by name."""
    _, document = models_json_schema(
        [(model, "serialization") for model in STREAMED], ref_template=REFERENCE + "{model}"
    )
    found: dict[str, Any] = document["$defs"]
    return found
