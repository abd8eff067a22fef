"""Runs pause for a page that is asked for, and no longer than two thirds of the time."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from ui.server.page_priority import (
    DRAWING_SECONDS,
    LONGEST_PAUSE,
    PagePriority,
    PageRequestWatcher,
    PausingSelector,
)

GAPS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def test_runs_pause_from_the_moment_something_is_asked_for() -> None:
    priority = PagePriority()
    assert priority.remaining_pause(10.0) == 0
    priority.request_started(10.0)
    assert priority.remaining_pause(10.0) == pytest.approx(LONGEST_PAUSE)
    assert 0 < priority.remaining_pause(10.0 + LONGEST_PAUSE / 2) < LONGEST_PAUSE
    assert priority.remaining_pause(10.0 + LONGEST_PAUSE) == 0


def test_they_go_on_once_all_is_sent_and_drawn() -> None:
    priority = PagePriority()
    priority.request_started(10.0)
    priority.response_sent(10.1)
    assert priority.remaining_pause(10.1) == pytest.approx(DRAWING_SECONDS)
    priority.response_sent(10.2)
    assert priority.remaining_pause(10.2) == pytest.approx(DRAWING_SECONDS)
    priority.response_sent(10.3)
    assert priority.remaining_pause(10.3) == pytest.approx(LONGEST_PAUSE - 0.3)


@given(GAPS)
def test_runs_have_at_least_half_as_long_as_they_pause(gaps: list[tuple[float, bool]]) -> None:
    priority, now, paused, free = PagePriority(), 1.0, 0.0, 0.0
    for gap, answer in gaps:
        (priority.response_sent if answer else priority.request_started)(now)
        left = min(gap, priority.remaining_pause(now))
        paused, free, now = paused + left, free + gap - left, now + gap
        assert paused <= 2 * free + LONGEST_PAUSE + 1e-6


async def _receive() -> Message:
    return {"type": "websocket.receive", "text": ""}


async def _send(message: Message) -> None:
    """Nobody listens."""


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()


async def test_clicks_and_parts_of_pages_are_told_of_and_calls_of_the_api_are_not() -> None:
    told = {}
    for kind, path in (
        ("http", "/api/sessions"),
        ("http", "/ask"),
        ("websocket", "/_stcore/stream"),
    ):
        priority = PagePriority()
        await PageRequestWatcher(_app, priority)({"type": kind, "path": path}, _receive, _send)
        told[path] = priority.remaining_pause(time.monotonic()) > 0
    assert told == {"/api/sessions": False, "/ask": True, "/_stcore/stream": True}


def test_a_loop_goes_on_after_the_pause() -> None:
    priority = PagePriority()
    with asyncio.Runner(
        loop_factory=lambda: asyncio.SelectorEventLoop(PausingSelector(priority))
    ) as runner:
        now = time.monotonic()
        priority.request_started(now)
        runner.run(asyncio.sleep(0))
        assert priority.remaining_pause(time.monotonic()) == 0
