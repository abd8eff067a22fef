import asyncio
import time

import pytest

from forager.adapters.models.endpoint_features import Limiter
from tests.endpoint import Endpoint
from tests.forager.adapters.models.model_client import ONE, Asking, script_replies
from tests.forager.adapters.models.sample_tasks import Extract, Pick


@pytest.mark.parametrize("at_once", [1, 3])
async def test_so_many_calls_are_in_flight_at_once(
    endpoint: Endpoint, asking: Asking, at_once: int
) -> None:
    endpoint.script, endpoint.latency = script_replies(ONE), 0.1
    asking.limiter = Limiter(at_once)
    line = "openai:a extractor=openai:b"
    await asyncio.gather(*(asking.ask(task(), line) for task in (Pick, Extract) * 4))
    assert min(2, at_once) <= endpoint.peak <= at_once
    assert len(endpoint.requests) == 8


async def test_few_calls_do_not_wait(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.script, endpoint.latency = script_replies(ONE), 1.0
    asking.set(model_calls_at_once=8)
    await asyncio.gather(*(asking.ask(Pick()) for _ in range(8)))
    assert endpoint.peak > 4


async def test_calls_begin_an_even_time_apart() -> None:
    limiter = Limiter(8, per_second=50.0)
    begun: list[float] = []

    async def call() -> None:
        async with limiter.wait_turn():
            begun.append(time.monotonic())

    began = time.monotonic()
    await asyncio.gather(*(call() for _ in range(6)))
    for number, at in enumerate(begun):
        assert at - began >= number / 50 - 0.005


async def test_the_first_call_need_not_wait() -> None:
    async with asyncio.timeout(50), Limiter(8, per_second=0.001).wait_turn():
        assert True


async def test_a_cancelled_call_frees_its_place() -> None:
    limiter = Limiter(1)
    entered = asyncio.Event()

    async def hold() -> None:
        async with limiter.wait_turn():
            entered.set()
            await asyncio.Event().wait()

    held = asyncio.create_task(hold())
    await entered.wait()
    held.cancel()
    async with asyncio.timeout(5), limiter.wait_turn():
        assert True


async def test_the_rate_holds_over_http(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.script = script_replies(ONE)
    asking.set(model_calls_per_second=25.0)
    await asyncio.gather(*(asking.ask(Pick()) for _ in range(6)))
    arrived = [asked.arrived for asked in endpoint.requests]
    assert arrived[-1] - arrived[0] >= 5 / 25 * 0.6
