"""Calls in the memory's thread: their results and errors, and calls that hang."""

import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from forager.adapters.memory.chroma import SerialWorker

SECONDS = 60.0


class Panic(BaseException):
    """Like a panic of Chroma's Rust core, which is no Exception."""


@pytest.fixture
def aside() -> Iterator[SerialWorker]:
    made = SerialWorker()
    yield made
    made.stop()


def test_call_returns_or_raises_as_its_work_does(aside: SerialWorker) -> None:
    def fail(error: BaseException) -> None:
        raise error

    for error in (ValueError("no"), Panic("no")):
        with pytest.raises(type(error), match="no"):
            aside.call(lambda error=error: fail(error), SECONDS)  # type: ignore[misc]
    assert aside.call(threading.current_thread, SECONDS).daemon


def test_hanging_call_times_out(aside: SerialWorker) -> None:
    stuck = threading.Event()
    with pytest.raises(TimeoutError):
        aside.call(stuck.wait, 0.0)
    with pytest.raises(TimeoutError):
        aside.call(lambda: None, 0.0)
    stuck.set()
    assert aside.call(lambda: 1, SECONDS) == 1


def test_process_exits_despite_a_hanging_call() -> None:
    stuck = "aside.call(threading.Event().wait, 0.1)"
    program = (
        "import threading; from forager.adapters.memory.chroma import SerialWorker; "
        f"aside = SerialWorker(); {stuck}"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=SECONDS, check=False
    )
    assert b"TimeoutError" in ended.stderr
