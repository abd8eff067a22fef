"""What a server cannot do is refused each time, and the rest is served."""

from typing import Any

import openai
import pytest

from tests.endpoint import Endpoint
from tests.endpoint.client import COUNTED, FORCED, FORMAT, ask, served, streamed
from tests.endpoint.limits import NoPictures, NoSchema, NoStreamOptions, NoTools, Overflow
from tests.endpoint.request import Json

PIXEL = {"url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE="}


@pytest.mark.parametrize(
    ("server", "kind"),
    [
        ("openai", "invalid_request_error"),
        ("vllm", "BadRequestError"),
        ("vllm-flat", "BadRequestError"),
        ("llama.cpp", "exceed_context_size_error"),
        ("ollama", "api_error"),
    ],
)
def test_a_small_context(endpoint: Endpoint, server: Any, kind: str) -> None:
    endpoint.faults.append(Overflow(400, server))
    for _ in range(2):
        with pytest.raises(openai.BadRequestError, match="context") as raised:
            ask(endpoint, "long " * 100)
        assert raised.value.type == kind
        assert (raised.value.code == "context_length_exceeded") == (server == "openai")
    assert served(endpoint, text="long " * 70)


@pytest.mark.parametrize("server", ["openai", "vllm-flat", "compatible"])
def test_no_schema(endpoint: Endpoint, server: Any) -> None:
    endpoint.faults.append(NoSchema(server))
    for _ in range(2):
        with pytest.raises(openai.BadRequestError, match="json_schema"):
            ask(endpoint, response_format=FORMAT)
    assert served(endpoint, text="JSON", response_format={"type": "json_object"})
    assert served(endpoint, **FORCED)


@pytest.mark.parametrize(
    ("server", "error"),
    [
        ("ollama", openai.BadRequestError),
        ("vllm-flat", openai.BadRequestError),
        ("llama.cpp", openai.InternalServerError),
    ],
)
def test_no_tools(endpoint: Endpoint, server: Any, error: type[openai.APIError]) -> None:
    endpoint.faults += [NoSchema(), NoTools(server)]
    for _ in range(2):
        with pytest.raises(error, match="tool"):
            ask(endpoint, **FORCED)
    with pytest.raises(openai.BadRequestError):
        ask(endpoint, response_format=FORMAT)
    assert served(endpoint)


def test_no_stream_options(endpoint: Endpoint) -> None:
    endpoint.faults.append(NoStreamOptions())
    with pytest.raises(openai.BadRequestError, match="stream_options"):
        ask(endpoint, **COUNTED)
    assert streamed(ask(endpoint, stream=True)) == ("served", "", "stop")


def test_no_pictures(endpoint: Endpoint) -> None:
    endpoint.faults.append(NoPictures())
    parts: list[Json] = [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": PIXEL},
    ]
    with pytest.raises(openai.BadRequestError, match="image_url"):
        ask(endpoint, parts)
    endpoint.faults.clear()
    assert served(endpoint, text=parts)
    [picture] = endpoint.requests[-1].pictures
    assert picture.startswith(b"\x89PNG")
    with pytest.raises(openai.BadRequestError, match="unsupported image"):
        ask(endpoint, [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}])
