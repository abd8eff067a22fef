"""Sessions on a folder of their own, with scripted nodes and ports."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.ports import Ports
from forager.settings import Settings
from graphs.runtime.composition import OpenPorts
from graphs.sessions.service import OpenAdapters, Sessions, open_sessions
from graphs.spec.spec import load_graph
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import alone, scripted
from tests.loopback_model import endpoint, observatory

__all__ = ["endpoint", "observatory"]

FORAGER = loosened(load_graph("forager"))
SMALL = {"budget": Budget(rounds=2, steps=2)}


@pytest.fixture
def question() -> Question:
    return Question(
        text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=Budget(rounds=2, steps=3)
    )


@pytest.fixture
async def ended(sessions: Sessions, question: Question) -> str:
    """A small session that came to its end."""
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    return id


@pytest.fixture
def log() -> list[str]:
    """What the web and the model were asked."""
    return []


@pytest.fixture
def faults() -> list[Exception | None]:
    """What opening pages will raise, in order; a test adds to it."""
    return []


def ports_with(log: list[str], faults: list[Exception | None]) -> OpenAdapters:
    @contextmanager
    def doors(settings: Settings) -> Iterator[OpenPorts]:
        @asynccontextmanager
        async def ports(model: str, since: float, session: str = "") -> AsyncIterator[Ports]:
            yield scripted(log, faults)

        yield ports

    return doors


@pytest.fixture
async def sessions(
    stored: None, tmp_path: Path, log: list[str], faults: list[Exception | None]
) -> AsyncIterator[Sessions]:
    async with open_sessions(alone(tmp_path), ports_with(log, faults), REGISTRY) as opened:
        yield opened
