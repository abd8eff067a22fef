"""Each fault reaches the real client as it would from a real endpoint."""

import json
import socket
from email.utils import formatdate

import httpx2
import openai
import pytest

from tests.endpoint import Endpoint
from tests.endpoint.client import FORCED, FORMAT, MINIMAL, TLS, ask, client, served, streamed
from tests.endpoint.errors import BODIES
from tests.endpoint.faults import (
    BrokenChunk,
    ContentFilter,
    Dead,
    DroppedStream,
    EmptyStream,
    Fault,
    Hang,
    HtmlError,
    Malformed,
    Quota,
    RateLimited,
    Reset,
    Status,
    StreamError,
    Truncated,
    When,
)
from tests.endpoint.limits import Overflow
from tests.endpoint.request import Json

WAYS: list[Json] = [{}, {"stream": True}]


@pytest.mark.parametrize("code", [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504, 529])
def test_statuses(endpoint: Endpoint, code: int) -> None:
    endpoint.faults.append(Status(code))
    with pytest.raises(openai.APIStatusError) as raised:
        ask(endpoint)
    assert raised.value.status_code == code
    assert BODIES[code]["error"]["message"] in raised.value.message
    assert served(endpoint)
    assert endpoint.faults == []


def test_a_status_takes_a_body(endpoint: Endpoint) -> None:
    endpoint.faults.append(Status(418, {"detail": "teapot"}, retry_after="1"))
    answer = httpx2.post(f"{endpoint.url}/chat/completions", json=MINIMAL, verify=TLS)
    assert (answer.status_code, answer.json()) == (418, {"detail": "teapot"})
    assert answer.headers["retry-after"] == "1"


@pytest.mark.parametrize("after", ["0.01", None, formatdate(0, usegmt=True)])
def test_rate_limits(endpoint: Endpoint, after: str | None) -> None:
    endpoint.faults.append(RateLimited(after))
    with pytest.raises(openai.RateLimitError) as raised:
        ask(endpoint)
    assert raised.value.response.headers.get("retry-after") == after
    assert raised.value.code == "rate_limit_exceeded"


def test_an_empty_account(endpoint: Endpoint) -> None:
    endpoint.faults.append(Quota())
    with pytest.raises(openai.RateLimitError) as raised:
        ask(endpoint)
    assert raised.value.code == "insufficient_quota"


def test_an_error_page(endpoint: Endpoint) -> None:
    endpoint.faults.append(HtmlError())
    with pytest.raises(openai.InternalServerError) as raised:
        ask(endpoint)
    assert "<h1>nginx</h1>" in raised.value.response.text


@pytest.mark.parametrize("options", WAYS)
def test_hanging(endpoint: Endpoint, options: Json) -> None:
    endpoint.faults.append(Hang())
    with pytest.raises(openai.APITimeoutError):
        ask(endpoint, seconds=0.1, **options)
    assert endpoint.arrived(1)
    assert endpoint.requests[0].gone.wait(10)
    assert served(endpoint)


def test_hanging_in_a_stream(endpoint: Endpoint) -> None:
    endpoint.faults.append(Hang(after=1))
    with client(endpoint, seconds=1) as asking:
        stream = asking.chat.completions.create(**MINIMAL, stream=True)
        assert next(stream).choices[0].delta.role == "assistant"
        with pytest.raises(openai.APITimeoutError):
            next(stream)
    assert endpoint.requests[0].gone.wait(10)


@pytest.mark.parametrize("options", WAYS)
def test_resetting(endpoint: Endpoint, options: Json) -> None:
    endpoint.faults.append(Reset())
    with pytest.raises(openai.APIConnectionError):
        ask(endpoint, **options)
    endpoint.faults.append(Reset())
    with pytest.raises(httpx2.ReadError, match="reset"):
        httpx2.post(f"{endpoint.url}/chat/completions", json=MINIMAL, verify=TLS)
    assert served(endpoint)


@pytest.mark.parametrize("fault", [DroppedStream(), Truncated()])
def test_a_dropped_stream_ends_early(endpoint: Endpoint, fault: Fault) -> None:
    endpoint.faults.append(fault)
    seen: list[str] = []
    with (
        httpx2.Client() as http,
        http.stream(
            "POST", f"{endpoint.url}/chat/completions", json=MINIMAL | {"stream": True}
        ) as answer,
        pytest.raises(httpx2.RemoteProtocolError, match="incomplete chunked read"),
    ):
        seen.extend(line for line in answer.iter_lines() if line)
    assert len(seen) == 2
    assert "data: [DONE]" not in seen


@pytest.mark.parametrize("fault", [DroppedStream(), Truncated()])
@pytest.mark.parametrize("options", WAYS)
def test_the_client_sees_a_cut(endpoint: Endpoint, fault: Fault, options: Json) -> None:
    endpoint.faults.append(fault)
    with pytest.raises((openai.APIConnectionError, openai.APIResponseValidationError)):
        ask(endpoint, **options)
    assert served(endpoint)


@pytest.mark.parametrize("options", WAYS)
def test_broken_json(endpoint: Endpoint, options: Json) -> None:
    endpoint.faults.append(BrokenChunk())
    with pytest.raises((json.JSONDecodeError, openai.APIResponseValidationError)):
        ask(endpoint, **options)
    assert served(endpoint)


def test_an_error_inside_a_stream(endpoint: Endpoint) -> None:
    endpoint.faults += [StreamError(), StreamError()]
    with pytest.raises(openai.APIError, match="The server had an error"):
        ask(endpoint, stream=True)
    answer = httpx2.post(f"{endpoint.url}/chat/completions", json=MINIMAL, verify=TLS)
    assert (answer.status_code, answer.json()["error"]["type"]) == (200, "server_error")


@pytest.mark.parametrize("done", [False, True])
def test_an_empty_stream(endpoint: Endpoint, done: bool) -> None:
    endpoint.faults += [EmptyStream(done), EmptyStream(done)]
    assert ask(endpoint, stream=True) == []
    assert ask(endpoint).choices == []


@pytest.mark.parametrize("arguments", [False, True])
def test_malformed_text(endpoint: Endpoint, arguments: bool) -> None:
    endpoint.faults += [Malformed('{"part": ', arguments)] * 3
    assert ask(endpoint, response_format=FORMAT).choices[0].message.content == '{"part": '
    message = ask(endpoint, **FORCED).choices[0].message
    assert bool(message.tool_calls) == arguments
    said = streamed(ask(endpoint, stream=True, **FORCED))
    assert said == (("", '{"part": ', "stop") if arguments else ('{"part": ', "", "stop"))


def test_filters(endpoint: Endpoint) -> None:
    endpoint.faults += [ContentFilter(), ContentFilter("answer"), ContentFilter("refusal")]
    with pytest.raises(openai.BadRequestError) as raised:
        ask(endpoint)
    assert raised.value.code == "content_filter"
    choice = ask(endpoint).choices[0]
    assert (choice.finish_reason, choice.message.content) == ("content_filter", "")
    assert ask(endpoint).choices[0].message.refusal.startswith("I'm sorry")


def refused(endpoint: Endpoint) -> bool:
    port = int(httpx2.URL(endpoint.url).port or 0)
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_dead_endpoint_comes_back_on_its_port(endpoint: Endpoint) -> None:
    with httpx2.Client() as http:  # with a connection that was kept
        url = endpoint.url
        assert http.post(f"{url}/chat/completions", json=MINIMAL).status_code == 200
        endpoint.faults.append(Dead())
        with pytest.raises(httpx2.ReadError):
            http.post(f"{url}/chat/completions", json=MINIMAL)
        for _ in range(3):
            with pytest.raises(httpx2.ConnectError):
                http.post(f"{url}/chat/completions", json=MINIMAL)
        assert refused(endpoint)
        endpoint.die()  # is dead already
        endpoint.revive()
        endpoint.revive()
        assert endpoint.url == url
        assert http.post(f"{url}/chat/completions", json=MINIMAL).status_code == 200


def test_an_endpoint_comes_back_by_itself(endpoint: Endpoint) -> None:
    endpoint.faults.append(Dead(seconds=0.3))
    with pytest.raises(openai.APIConnectionError):
        ask(endpoint)
    with client(endpoint, retries=5) as patient:
        answer = patient.chat.completions.create(**MINIMAL)
    assert answer.choices[0].message.content == "served"


def test_faults_queue_in_their_order(endpoint: Endpoint) -> None:
    endpoint.faults += [
        When(lambda asked: "response_format" in asked.body, Status(500)),
        When(lambda asked: asked.streams, Status(503), once=True),
        Status(502),
    ]
    codes = []
    shaped = {"response_format": FORMAT}
    asked: list[Json] = [shaped, {}, {"stream": True}, shaped]
    for options in asked:
        with pytest.raises(openai.InternalServerError) as raised:
            ask(endpoint, **options)
        codes.append(raised.value.status_code)
    assert codes == [500, 502, 503, 500]
    assert streamed(ask(endpoint, stream=True)) == ("served", "", "stop")
    assert len(endpoint.faults) == 1


def test_a_script_returns_faults() -> None:
    with Endpoint(lambda asked: Overflow(400)) as endpoint:
        with pytest.raises(openai.BadRequestError):
            ask(endpoint, "long " * 100)
        assert ask(endpoint, "short").choices[0].message.content == "OK"
    with Endpoint(lambda asked: Status(503)) as endpoint, pytest.raises(openai.InternalServerError):
        ask(endpoint)


def test_an_invalid_request_uses_no_fault_up(endpoint: Endpoint) -> None:
    endpoint.faults.append(Status(500))
    with pytest.raises(openai.BadRequestError):
        ask(endpoint, temperature=9)
    assert endpoint.faults == [Status(500)]
