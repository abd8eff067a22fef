"""All faults over HTTP: temporary ones are retried, others raise errors."""

import time
from email.utils import formatdate

import pytest

from forager.domain.spend import Budget
from forager.errors import AwayError
from tests.endpoint import Endpoint
from tests.endpoint.errors import BODIES, body, error
from tests.endpoint.faults import (
    BrokenChunk,
    Dead,
    DroppedStream,
    EmptyStream,
    Fault,
    Hang,
    HtmlError,
    RateLimited,
    Reset,
    Serve,
    Status,
    StreamError,
    Truncated,
    When,
)
from tests.endpoint.request import Asked
from tests.endpoint.wire import Answer, Whole
from tests.forager.adapters.models.model_client import ONE, Asking, script_replies
from tests.forager.adapters.models.sample_tasks import RULE, Pick, Picked

SILENCE = 1.0
NO_STREAM = When(
    lambda asked: asked.streams, Status(400, body("Streaming is not supported.", None, "stream"))
)
PASSING: dict[str, Fault] = {
    "silent": Hang(),
    "silent in a stream": Hang(2),
    "busy": RateLimited("0.01"),
    "busy without a word": RateLimited(),
    "proxy": HtmlError(502),
    "proxy at a loss": HtmlError(504),
    "reset": Reset(),
    "dropped at once": DroppedStream(0),
    "dropped": DroppedStream(3),
    "truncated": Truncated(),
    "broken": BrokenChunk(),
    "an error in a stream": StreamError(),
    "empty": EmptyStream(),
    "empty but done": EmptyStream(done=True),
} | {str(code): Status(code) for code in (408, 500, 503, 529)}


class Busy(Fault):
    """429 with headers computed when it is sent."""

    def __init__(self, **headers: str) -> None:
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.until = time.time()

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        headers = dict(self.headers)
        if headers.get("Retry-After") == "date":
            self.until = float(int(time.time() + 1))
            headers["Retry-After"] = formatdate(self.until, usegmt=True)
        return error(429, BODIES[429], headers)


@pytest.fixture
def endpoint(endpoint: Endpoint) -> Endpoint:
    """An endpoint without faults."""
    endpoint.script = script_replies(ONE)
    return endpoint


@pytest.mark.parametrize(
    ("name", "structure"),
    [(name, "schema") for name in PASSING]
    + [(name, "tool") for name in ("dropped", "broken", "an error in a stream", "empty")],
)
async def test_temporary_faults_are_retried(
    endpoint: Endpoint, asking: Asking, name: str, structure: str
) -> None:
    asking.set(model_seconds=SILENCE if "silent" in name else 20.0)
    endpoint.faults.append(PASSING[name])
    assert await asking.ask(Pick(), f"openai:m,structure={structure}") == Picked.model_validate(ONE)
    [warned] = asking.warned
    assert warned.startswith("openai:m: ")
    assert "; retrying in 0.0 s" in warned
    assert len(endpoint.requests) == 2
    assert asking.meter.model_calls == 1


@pytest.mark.parametrize("name", ["silent", "busy", "reset", "truncated", "broken", "empty", "500"])
async def test_temporary_faults_are_retried_without_streams(
    endpoint: Endpoint, asking: Asking, name: str
) -> None:
    endpoint.faults.append(NO_STREAM)
    assert await asking.ask(Pick())
    asking.set(model_seconds=SILENCE if "silent" in name else 20.0)
    endpoint.faults.append(PASSING[name])
    assert await asking.ask(Pick(), "openai:m") == Picked.model_validate(ONE)
    assert len(asking.warned) == 1
    assert not endpoint.requests[-1].streams


async def test_an_error_as_the_whole_body(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults += [NO_STREAM, StreamError()]
    assert await asking.ask(Pick())
    assert "The server had an error" in asking.warned[0]


async def test_faults_in_a_row(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults += [Reset(), Status(503), DroppedStream(2), RateLimited("0.01"), EmptyStream()]
    assert await asking.ask(Pick())
    assert len(asking.warned) == 5
    assert len(endpoint.requests) == 6


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Hang(), "openai:scripted: the request timed out; retrying in"),
        (RateLimited(), "429: Rate limit reached for requests (rate_limit_exceeded); retrying in"),
        (HtmlError(502), "502: Bad Gateway; retrying in"),
        (Reset(), "Connection error: Connection reset by peer; retrying in"),
        (DroppedStream(2), "Connection error: peer closed connection"),
        (BrokenChunk(), "the reply cannot be read"),
        (EmptyStream(), "the reply cannot be read"),
    ],
)
async def test_the_warning_names_the_fault(
    endpoint: Endpoint, asking: Asking, fault: Fault, said: str
) -> None:
    asking.set(model_seconds=SILENCE if isinstance(fault, Hang) else 20.0)
    endpoint.faults.append(fault)
    await asking.ask(Pick())
    assert said in asking.warned[0]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"Retry_After": "0.3"}, 0.3), ({"retry_after_ms": "250", "Retry_After": "9"}, 0.25)],
)
async def test_retry_after_is_obeyed(
    endpoint: Endpoint, asking: Asking, headers: dict[str, str], seconds: float
) -> None:
    endpoint.faults.append(Busy(**headers))
    await asking.ask(Pick())
    first, second = endpoint.requests
    assert second.arrived - first.arrived >= seconds


async def test_retry_after_may_be_a_date(endpoint: Endpoint, asking: Asking) -> None:
    busy = Busy(Retry_After="date")
    endpoint.faults.append(busy)
    await asking.ask(Pick())
    assert len(endpoint.requests) == 2
    assert time.time() >= busy.until


@pytest.mark.parametrize("after", ["Thu, 01 Jan 1970 00:00:00 GMT", "soon", "-3", "nan"])
async def test_an_invalid_retry_after_is_ignored(
    endpoint: Endpoint, asking: Asking, after: str
) -> None:
    endpoint.faults.append(RateLimited(after))
    assert await asking.ask(Pick())
    assert "retrying in 0.0 s" in asking.warned[0]


async def test_retries_have_jitter(endpoint: Endpoint, asking: Asking) -> None:
    asking.set(model_pause=0.5)
    waits = []
    for _ in range(3):
        endpoint.faults.append(RateLimited("0.01"))
        await asking.ask(Pick())
        waits.append(endpoint.requests[-1].arrived - endpoint.requests[-2].arrived)
    assert max(waits) - min(waits) > 0.001


async def test_a_long_retry_after_raises_an_error_at_once(
    endpoint: Endpoint, asking: Asking
) -> None:
    endpoint.faults.append(RateLimited("3600"))
    with pytest.raises(AwayError, match=r"it asks for 3600 s\); last error: 429:"):
        await asking.ask(Pick())
    assert len(endpoint.requests) == 1


async def test_an_endpoint_that_comes_back_is_waited_for(
    endpoint: Endpoint, asking: Asking
) -> None:
    endpoint.faults.append(Dead(0.3))
    assert await asking.ask(Pick()) == Picked.model_validate(ONE)
    assert asking.warned
    assert all("Connection error" in warned for warned in asking.warned)


async def test_an_endpoint_that_stays_away_is_named(endpoint: Endpoint, asking: Asking) -> None:
    asking.set(model_patience=0.3)
    endpoint.faults.append(Dead())
    with pytest.raises(AwayError) as raised:
        await asking.ask(Pick())
    assert f"openai:scripted at {endpoint.url} gave no reply in" in raised.value.what
    assert "last error: Connection error: " in raised.value.what
    assert raised.value.mend == (
        "No results are lost: resume the session when the endpoint is back."
    )
    assert asking.meter.model_calls == 0
    endpoint.revive()
    assert await asking.ask(Pick()) == Picked.model_validate(ONE)


async def test_where_the_questions_time_is_up_the_rule_answers(
    endpoint: Endpoint, asking: Asking
) -> None:
    asking.budget = Budget(seconds=0.3)
    endpoint.faults.append(Dead())
    assert (await asking.ask(Pick())).reason == RULE
    assert "the question's time is up; openai:scripted at " in asking.warned[-1]
    assert asking.warned[-1].endswith("; the built-in rule answered instead")


async def test_a_wait_for_ones_turn_is_no_fault_of_the_endpoint(
    endpoint: Endpoint, asking: Asking
) -> None:
    asking.set(model_calls_per_second=1.5, model_patience=0.6)
    await asking.ask(Pick())
    endpoint.faults.append(When(lambda asked: True, RateLimited("0.01"), once=True))
    assert await asking.ask(Pick()) == Picked.model_validate(ONE)


async def test_a_web_page_instead_of_an_api_is_named(endpoint: Endpoint, asking: Asking) -> None:
    class Page(Fault):
        """A web page with the status 200."""

        def answer(self, asked: Asked, serve: Serve) -> Answer:
            return Whole(200, b"<html><body>Welcome to my web server</body></html>", "text/html")

    asking.set(model_patience=0.1)
    endpoint.script = script_replies(Page())
    with pytest.raises(AwayError, match="the reply cannot be read"):
        await asking.ask(Pick())
