import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.fetch.politeness import MAX_PAUSE, HostLimiter, Pace
from tests.forager.adapters.conftest import Naps


def test_the_pause_follows_a_slow_host() -> None:
    pace = Pace(0.25, 4)
    for _ in range(20):
        pace.observe(8.0, 200)
    assert pace.pause == pytest.approx(2.0, abs=0.01)
    for _ in range(40):
        pace.observe(0.01, 200)
    assert pace.pause == 0.25


@pytest.mark.parametrize("status", [429, 500, 503])
def test_the_pause_doubles_under_strain(status: int) -> None:
    pace = Pace(1.0, 4)
    pace.observe(0.1, status)
    pace.observe(0.1, status)
    assert pace.pause == 4.0


@given(st.lists(st.tuples(st.floats(0, 1e6), st.sampled_from([200, 404, 429, 503]))))
def test_the_pause_stays_within_bounds(answers: list[tuple[float, int]]) -> None:
    pace = Pace(0.25, 4)
    for seconds, status in answers:
        pace.observe(seconds, status)
        assert 0.25 <= pace.pause <= MAX_PAUSE


async def test_requests_to_one_host_keep_their_distance(naps: Naps) -> None:
    host = HostLimiter("a.example", 5.0, sleep=naps)

    async def ask() -> None:
        async with host.wait_turn():
            await asyncio.sleep(0)

    await asyncio.gather(*(ask() for _ in range(4)))
    assert [round(nap) for nap in naps.taken] == [5, 10, 15]


async def test_robots_may_ask_for_more(naps: Naps) -> None:
    host = HostLimiter("a.example", 0.25, sleep=naps)
    host.set_least_pause(3.0)
    assert host.pace.pause == 3.0
    host.set_least_pause(86400.0)
    assert host.pace.pause == MAX_PAUSE


async def test_politeness_is_lifted(naps: Naps) -> None:
    host = HostLimiter("a.example", 5.0, lifted=True, sleep=naps)
    host.set_least_pause(30.0)
    for _ in range(3):
        async with host.wait_turn():
            await host.observe(9.0, 503)
    assert naps.taken == []


async def test_an_overloaded_host_is_left_alone_for_as_long_as_it_asks(naps: Naps) -> None:
    host = HostLimiter("a.example", 0.25, sleep=naps)
    async with host.wait_turn():
        await host.observe(0.1, 429, retry_after=12.0)
    async with host.wait_turn():
        pass
    assert [round(nap) for nap in naps.taken] == [12]
