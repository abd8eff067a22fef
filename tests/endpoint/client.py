"""Calls an endpoint through the real client."""

import ssl
from typing import Any

from openai import DefaultHttpxClient, OpenAI

from tests.endpoint import Endpoint
from tests.endpoint.request import Json

SCHEMA: Json = {
    "type": "object",
    "properties": {"part": {"type": "string"}, "score": {"type": "number", "minimum": 0.5}},
    "required": ["part", "score"],
    "additionalProperties": False,
}
FORMAT: Json = {
    "type": "json_schema",
    "json_schema": {"name": "Verdict", "schema": SCHEMA, "strict": True},
}
TOOL: Json = {
    "type": "function",
    "function": {"name": "Verdict", "parameters": SCHEMA, "strict": True},
}
FORCED: Json = {
    "tools": [TOOL],
    "tool_choice": {"type": "function", "function": {"name": "Verdict"}},
}
MINIMAL: Json = {"model": "small", "messages": [{"role": "user", "content": "Who?"}]}
COUNTED: Json = {"stream": True, "stream_options": {"include_usage": True}}
TLS = ssl.create_default_context()  # unused on loopback, and slow to make for every client


def client(endpoint: Endpoint, seconds: float = 10, retries: int = 0) -> OpenAI:
    http = DefaultHttpxClient(verify=TLS)
    return OpenAI(
        base_url=endpoint.url,
        api_key="none",
        max_retries=retries,
        timeout=seconds,
        http_client=http,
    )


def ask(
    endpoint: Endpoint, text: str | list[Json] = "Who?", seconds: float = 10, **options: Any
) -> Any:
    """What the client makes of the answer: a completion, or the chunks of a stream."""
    messages = [{"role": "user", "content": text}]
    with client(endpoint, seconds) as openai:
        request: Any = openai.chat.completions.create
        answer = request(model="small", messages=messages, **options)
        return list(answer) if options.get("stream") else answer


def streamed(chunks: list[Any]) -> tuple[str, str, str]:
    """The content, the arguments of the tool, and the finish reason of a stream."""
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    calls = [call for delta in deltas for call in delta.tool_calls or []]
    finish = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert finish[:-1] == [None] * (len(finish) - 1)
    content = "".join(delta.content or "" for delta in deltas)
    return content, "".join(call.function.arguments for call in calls), finish[-1]


def served(endpoint: Endpoint, **options: Any) -> bool:
    """Whether a request gets "served", as the script says."""
    content: str = ask(endpoint, **options).choices[0].message.content
    return content == "served"
