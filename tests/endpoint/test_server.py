"""The endpoint answers the real client of the API, whole and streamed, in every way it is asked."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from openai import APITimeoutError, AsyncOpenAI

from tests.endpoint import Asked, Endpoint, Reply, conforming
from tests.endpoint.client import (
    COUNTED,
    FORCED,
    FORMAT,
    MINIMAL,
    SCHEMA,
    TLS,
    TOOL,
    ask,
    client,
    streamed,
)
from tests.endpoint.faults import Fault
from tests.endpoint.request import Json


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


def test_text_is_answered_whole(endpoint: Endpoint) -> None:
    endpoint.script = lambda asked: Reply("The observatory's dome.")
    answer = ask(endpoint, "What turns at night?")
    [choice] = answer.choices
    assert (choice.message.content, choice.finish_reason) == ("The observatory's dome.", "stop")
    assert answer.usage.prompt_tokens == len("user\nWhat turns at night?") // 4
    assert answer.usage.completion_tokens == len("The observatory's dome.") // 4
    assert answer.usage.prompt_tokens_details.cached_tokens == 0


def test_text_is_streamed_in_pieces(endpoint: Endpoint) -> None:
    endpoint.script = lambda asked: Reply("Grüße aus dem Observatorium ☾ 天文台.")
    chunks = ask(endpoint, **COUNTED)
    assert streamed(chunks) == ("Grüße aus dem Observatorium ☾ 天文台.", "", "stop")
    assert chunks[0].choices[0].delta.role == "assistant"
    assert len(chunks) > 5
    assert chunks[-1].choices == []
    assert chunks[-1].usage.total_tokens > 0


def test_usage_is_streamed_only_when_asked_for(endpoint: Endpoint) -> None:
    assert all(chunk.usage is None and chunk.choices for chunk in ask(endpoint, stream=True))


@pytest.mark.parametrize("options", [{}, COUNTED], ids=["whole", "streamed"])
def test_one_script_serves_all_ways(endpoint: Endpoint, options: Json) -> None:
    reply = {"part": "dome", "score": 0.5}
    endpoint.script = lambda asked: Reply(reply)

    def said(**ways: Any) -> tuple[str, str]:
        answer = ask(endpoint, f"JSON like {json.dumps(SCHEMA)}, please", **options, **ways)
        if options:
            return streamed(answer)[:2]
        message = answer.choices[0].message
        calls = message.tool_calls or []
        return message.content or "", "".join(call.function.arguments for call in calls)

    text = json.dumps(reply)
    assert said() == (text, "")
    assert said(response_format={"type": "json_object"}) == (text, "")
    assert said(response_format=FORMAT) == (text, "")
    assert said(**FORCED) == ("", text)
    assert said(**FORCED | {"tool_choice": "required"}) == ("", text)
    assert said(tools=[TOOL], tool_choice="auto") == (text, "")
    assert [asked.way for asked in endpoint.requests] == [
        *("text", "json", "schema", "tool", "tool", "text")
    ]
    assert all(asked.schema == SCHEMA for asked in endpoint.requests)
    assert endpoint.invalid == []


def test_a_tool_is_called_by_name(endpoint: Endpoint) -> None:
    [call] = ask(endpoint, **FORCED).choices[0].message.tool_calls
    assert (call.type, call.function.name, call.id) == ("function", "Verdict", "call_1")
    chunks = ask(endpoint, stream=True, **FORCED)
    starts = [chunk.choices[0].delta.tool_calls for chunk in chunks]
    assert [calls[0].function.name for calls in starts if calls and calls[0].id] == ["Verdict"]
    assert streamed(chunks)[2] == "stop"
    assert ask(endpoint, tools=[TOOL], tool_choice="required").choices[0].finish_reason == (
        "tool_calls"
    )


def test_a_reply_is_cut_at_the_tokens_asked_for(endpoint: Endpoint) -> None:
    endpoint.script = lambda asked: Reply("x" * 100)
    choice = ask(endpoint, max_completion_tokens=5).choices[0]
    assert (len(choice.message.content), choice.finish_reason) == (20, "length")
    chunks = ask(endpoint, max_tokens=5, stream=True)
    assert streamed(chunks) == ("x" * 20, "", "length")


def test_a_refusal_is_no_content(endpoint: Endpoint) -> None:
    endpoint.script = lambda asked: Reply(refusal="I can't help with that.")
    message = ask(endpoint, response_format=FORMAT).choices[0].message
    assert (message.content, message.refusal) == (None, "I can't help with that.")
    deltas = [chunk.choices[0].delta for chunk in ask(endpoint, stream=True)]
    assert "".join(delta.refusal or "" for delta in deltas) == "I can't help with that."


def test_a_shared_prefix_is_cached_in_steps(endpoint: Endpoint) -> None:
    def cached(text: str, **options: Any) -> int:
        usage = ask(endpoint, text, **options).usage
        count: int = usage.prompt_tokens_details.cached_tokens
        return count

    long = "".join(f"{number:04}" for number in range(2000))  # a token each
    assert cached(long) == 0
    assert cached(long) == 1920
    assert cached(long[: 4 * 1500] + "another end" * 100) == 1408
    assert cached(long[: 4 * 1100]) == 1024
    assert cached(long[: 4 * 1000]) == 0  # shorter than any prefix that is kept
    assert cached("another start" + long) == 0
    assert cached(long, tools=[TOOL]) == 0  # tools come first


def test_requests_are_remembered(endpoint: Endpoint) -> None:
    ask(endpoint, "What?", temperature=0)
    [asked] = endpoint.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer none"
    assert asked.body["temperature"] == 0
    assert asked.model == "small"
    assert asked.text == "user\nWhat?"
    assert asked.arrived > 0
    assert not asked.client_gone


def test_the_models_are_listed(endpoint: Endpoint) -> None:
    with client(endpoint) as openai:
        assert [model.id for model in openai.models.list()] == ["scripted"]


def test_other_addresses_are_not_found(endpoint: Endpoint) -> None:
    answer = httpx2.post(f"{endpoint.url}/embeddings", json={}, verify=TLS)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_url")


def test_a_connection_is_kept(endpoint: Endpoint) -> None:
    with httpx2.Client() as http:
        ports = set()
        for _ in range(3):
            answer = http.get(f"{endpoint.url}/models")
            ports.add(answer.extensions["network_stream"].get_extra_info("client_addr"))
    assert len(ports) == 1


async def test_the_peak_is_counted(endpoint: Endpoint) -> None:
    endpoint.latency = 60
    async with AsyncOpenAI(base_url=endpoint.url, api_key="none", max_retries=0) as openai:
        ask_all = asyncio.gather(*(openai.chat.completions.create(**MINIMAL) for _ in range(5)))
        assert await asyncio.to_thread(endpoint.arrived, 5)
        ask_all.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ask_all
    assert all(asked.gone.wait(10) for asked in endpoint.requests)
    endpoint.latency = 0
    ask(endpoint)
    assert endpoint.peak == 5


def test_a_client_that_leaves_is_seen(endpoint: Endpoint) -> None:
    endpoint.latency = 60
    with pytest.raises(APITimeoutError):
        ask(endpoint, seconds=0.1)
    assert endpoint.arrived(1)
    assert endpoint.requests[0].gone.wait(10)


def test_arrivals_can_be_waited_for(endpoint: Endpoint) -> None:
    thread = threading.Thread(target=ask, args=(endpoint,))
    thread.start()
    assert endpoint.arrived(1)
    thread.join()
    assert not endpoint.arrived(2, seconds=0)


def test_what_a_script_raises_is_raised_at_the_end() -> None:
    def script(asked: Asked) -> Reply | Fault:
        raise KeyError(asked.model)

    def use() -> None:
        with Endpoint(script) as endpoint, pytest.raises(httpx2.RemoteProtocolError):
            httpx2.post(f"{endpoint.url}/chat/completions", json=MINIMAL)

    with pytest.raises(KeyError, match="small"):
        use()


def test_an_endpoint_ends_with_requests_under_way() -> None:
    before = threading.active_count()
    with Endpoint(latency=60) as endpoint, httpx2.Client() as http:
        thread = threading.Thread(target=_fails, args=(http, endpoint))
        thread.start()
        assert endpoint.arrived(1)
        endpoint.die()
        thread.join()
    assert threading.active_count() == before


def _fails(http: httpx2.Client, endpoint: Endpoint) -> None:
    with pytest.raises(httpx2.ReadError):
        http.post(f"{endpoint.url}/chat/completions", json=MINIMAL)


def test_the_default_script_conforms(endpoint: Endpoint) -> None:
    assert endpoint.script is conforming
    answer = ask(endpoint, response_format=FORMAT)
    assert json.loads(answer.choices[0].message.content) == {"part": "", "score": 0.5}
    assert ask(endpoint).choices[0].message.content == "OK"
