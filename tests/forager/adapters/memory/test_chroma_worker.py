"""Calls aside: what they return and raise, and one that does not come back."""

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from forager.adapters.memory.chroma import SerialWorker

SECONDS = 60.0


class Panic(BaseException):
    """As one of Chroma's core: no Exception."""


@pytest.fixture
def aside() -> Iterator[SerialWorker]:
    made = SerialWorker()
    yield made
    made.stop()


def test_what_a_call_returns_or_raises_comes_back(aside: SerialWorker) -> None:
    def fail(error: BaseException) -> None:
        raise error

    for error in (ValueError("no"), Panic("no")):
        with pytest.raises(type(error), match="no"):
            aside.call(lambda error=error: fail(error), SECONDS)  # type: ignore[misc]
    assert aside.call(threading.current_thread, SECONDS).daemon


def test_a_call_that_does_not_come_back_holds_nobody_up(aside: SerialWorker) -> None:
    stuck = threading.Event()
    with pytest.raises(TimeoutError):
        aside.call(stuck.wait, 0.0)
    with pytest.raises(TimeoutError):
        aside.call(lambda: None, 0.0)
    stuck.set()
    assert aside.call(lambda: 1, SECONDS) == 1


def test_a_process_ends_though_a_call_does_not_come_back() -> None:
    stuck = "aside.call(threading.Event().wait, 0.1)"
    program = (
        "import threading; from forager.adapters.memory.chroma import SerialWorker; "
        f"aside = SerialWorker(); {stuck}"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=SECONDS, check=False
    )
    assert b"TimeoutError" in ended.stderr
