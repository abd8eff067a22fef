import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from forager.state import Question
from graphs.sessions import open_sessions
from graphs.spec import load
from tests.graphs.scripted import REGISTRY, loosened
from tests.ui.screens.opened import scripted_doors
from ui.server.office import Office, opened

QUESTIONS = ("Who lit the lamp of Ona?", "Who painted the *tower* of Holm?")
SITE = "http://127.0.0.1:1/"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """The office of a data folder with two sessions, `ona` and `holm`, that came to their end."""
    settings = Settings(data=tmp_path, memory=False)
    asyncio.run(_asked(settings))
    with opened(settings) as office:
        yield office


async def _asked(settings: Settings) -> None:
    async with open_sessions(settings, scripted_doors, REGISTRY) as sessions:
        for id, text in zip(("ona", "holm"), QUESTIONS, strict=True):
            question = Question(text=text, sites=(SITE,))
            await sessions.start(question, loosened(load("forager")), "offline", id)
            await sessions.run(id)
