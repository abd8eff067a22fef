"""Runs pause for a page that is asked for, and no longer than two thirds of the time."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from ui.server.courtesy import DRAWN_SECONDS, PAUSE_SECONDS, Attentive, Courtesy, Polite

GAPS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def test_runs_pause_from_the_moment_something_is_asked_for() -> None:
    courtesy = Courtesy()
    assert courtesy.left(10.0) == 0
    courtesy.asked(10.0)
    assert courtesy.left(10.0) == pytest.approx(PAUSE_SECONDS)
    assert 0 < courtesy.left(10.0 + PAUSE_SECONDS / 2) < PAUSE_SECONDS
    assert courtesy.left(10.0 + PAUSE_SECONDS) == 0


def test_they_go_on_once_all_is_sent_and_drawn() -> None:
    courtesy = Courtesy()
    courtesy.asked(10.0)
    courtesy.answered(10.1)
    assert courtesy.left(10.1) == pytest.approx(DRAWN_SECONDS)
    courtesy.answered(10.2)
    assert courtesy.left(10.2) == pytest.approx(DRAWN_SECONDS)
    courtesy.answered(10.3)
    assert courtesy.left(10.3) == pytest.approx(PAUSE_SECONDS - 0.3)


@given(GAPS)
def test_runs_have_at_least_half_as_long_as_they_pause(gaps: list[tuple[float, bool]]) -> None:
    courtesy, now, paused, free = Courtesy(), 1.0, 0.0, 0.0
    for gap, answer in gaps:
        (courtesy.answered if answer else courtesy.asked)(now)
        left = min(gap, courtesy.left(now))
        paused, free, now = paused + left, free + gap - left, now + gap
        assert paused <= 2 * free + PAUSE_SECONDS + 1e-6


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
        courtesy = Courtesy()
        await Attentive(_app, courtesy)({"type": kind, "path": path}, _receive, _send)
        told[path] = courtesy.left(time.monotonic()) > 0
    assert told == {"/api/sessions": False, "/ask": True, "/_stcore/stream": True}


def test_a_loop_goes_on_after_the_pause() -> None:
    courtesy = Courtesy()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(Polite(courtesy))) as runner:
        now = time.monotonic()
        courtesy.asked(now)
        runner.run(asyncio.sleep(0))
        assert courtesy.left(time.monotonic()) == 0
