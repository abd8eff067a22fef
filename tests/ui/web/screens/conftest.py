import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import open_sessions
from graphs.spec.spec import load_graph
from tests.graphs.conftest import SMALL
from tests.graphs.scripted import REGISTRY, loosened
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import QUESTION
from tests.ui.web.scripted_sessions import scripted_doors
from ui.server.backend import open_backend
from ui.server.handbook.handbook_site import HOST
from ui.server.space_backend import Backend

QUESTIONS = ("Who lit the lamp of Ona?", "Who painted the *tower* of Holm?")
SITE = "http://127.0.0.1:1/"


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two sessions, `ona` and `holm`, that came to their end."""
    folder = tmp_path_factory.mktemp("asked")
    asyncio.run(_ask(Settings(data=folder, memory=False, allow_private=(HOST,))))
    return folder


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory, site: str) -> Iterator[Served]:
    """A server with the session `one`, which was answered."""
    here = "--port", "0", "--allow-private", HOST
    with serving(tmp_path_factory.mktemp("data"), *here) as server:
        caller = Caller(server.port, server.token)
        asked = {"question": QUESTION, "sites": [site], "session": "one"}
        assert caller.ask("/api/sessions", asked).status == 201
        caller.seen("one", "answered")
        yield server


@pytest.fixture
def office(asked: Path, tmp_path: Path) -> Iterator[Backend]:
    """The office of a test's own copy of it."""
    shutil.copytree(asked, tmp_path / "data")
    with open_backend(Settings(data=tmp_path / "data", allow_private=(HOST,))) as office:
        yield office


async def _ask(settings: Settings) -> None:
    async with open_sessions(settings, scripted_doors, REGISTRY) as sessions:
        for id, text in zip(("ona", "holm"), QUESTIONS, strict=True):
            question = Question(text=text, sites=(SITE,), budget=SMALL["budget"])
            await sessions.start(question, loosened(load_graph("forager")), "offline", id)
            await sessions.run(id)
