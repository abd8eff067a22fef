"""Deletions that can be undone."""

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from forager.errors import SessionError
from forager.settings import Settings
from graphs.learning.admin import open_memory
from tests.ui.web.screens.learned_sites import learn_attempts
from ui.server.pending_deletions import (
    UNDO_SECONDS,
    Deletion,
    Forgetting,
    PendingDeletions,
    PendingForgets,
    Waiting,
)

LONG = 60.0
ONA = Deletion("ona", "Ona", forget=False)


def known_items(settings: Settings) -> list[str]:
    """The IDs of what is remembered."""

    async def read() -> list[str]:
        async with open_memory(settings) as known:
            return [item.id for item in await known.list()]

    return asyncio.run(read())


def test_what_was_undone_is_not_deleted() -> None:
    begun: list[Future[int]] = []

    def submit(work: Any) -> Future[int]:
        begun.append(Future())
        return begun[-1]

    deletions = PendingDeletions(submit, LONG)
    deletions.ask(ONA)
    assert deletions.waiting() == (ONA,)
    assert deletions.hidden() == {"ona"}
    assert deletions.undo("ona")
    assert not deletions.undo("ona")
    deletions.finish(0)
    assert (begun, deletions.hidden()) == ([], frozenset())


def test_what_is_to_be_forgotten_can_be_undone_and_else_is_forgotten(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    asyncio.run(learn_attempts(settings, "He did."))
    one, other = (Forgetting((id,), id) for id in known_items(settings))
    forgets = PendingForgets(lambda: settings, LONG)
    forgets.ask(one)
    forgets.ask(other)
    assert forgets.hidden() == {*one.ids, *other.ids}
    forgets.undo(one)
    forgets.finish()
    assert (forgets.waiting(), forgets.hidden()) == ((), frozenset())
    assert known_items(settings) == list(one.ids)


def test_it_is_deleted_when_the_seconds_are_over() -> None:
    begun = threading.Event()
    done: Future[int] = Future()

    def submit(work: Any) -> Future[int]:
        begun.set()
        return done

    deletions = PendingDeletions(submit, 0.0)
    deletions.ask(ONA)
    assert begun.wait(LONG)
    assert deletions.hidden() == {"ona"}
    done.set_result(0)
    assert (deletions.hidden(), deletions.is_deleted("ona")) == (frozenset(), True)


def test_it_waits_while_its_notice_is_read_and_then_anew() -> None:
    begun = threading.Event()
    waiting = Waiting[Deletion](lambda item: begun.set(), LONG, held_seconds=LONG)
    waiting.add(ONA)
    waiting.hold(held=True)
    assert waiting.items() == (ONA,)
    assert not begun.is_set()
    waiting.seconds = 0.0
    waiting.hold(held=False)
    assert begun.wait(LONG)


def test_there_is_time_to_read_what_can_be_undone() -> None:
    assert UNDO_SECONDS >= 20, "WCAG 2.2.1"


def test_one_that_cannot_be_deleted_is_listed_again(caplog: pytest.LogCaptureFixture) -> None:
    done: Future[int] = Future()
    done.set_exception(SessionError("It runs.", "Stop it."))
    deletions = PendingDeletions(lambda work: done, LONG)
    deletions.ask(ONA)
    deletions.finish(0)
    assert (deletions.hidden(), deletions.is_deleted("ona")) == (frozenset(), False)
    assert "It runs." in caplog.text
