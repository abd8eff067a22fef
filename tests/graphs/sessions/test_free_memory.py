"""Memory that a run has freed goes back to the system."""

import platform
import resource
from pathlib import Path

import pytest

from forager.domain.state import Question
from graphs.sessions.service import Sessions
from tests.graphs.conftest import FORAGER, SMALL

PIECE, PIECES = 4000, 20_000


def resident() -> int:
    """The resident memory of this process, in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def free_beneath() -> bytes:
    """Take 80 MB and free them, all but the last piece, under which the C library keeps them."""
    return [bytes(PIECE) for _ in range(PIECES)].pop()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library has no malloc_trim")
async def test_a_run_gives_back_what_was_freed(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    last = free_beneath()
    before = resident()
    await sessions.run(id)
    assert before - resident() > len(last) * PIECES // 2
