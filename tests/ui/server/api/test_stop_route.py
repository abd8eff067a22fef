"""A run that waits for its model is stopped over HTTP, and by a second call ended at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from tests.endpoint import Endpoint
from tests.loopback_model import PATIENCE, Silent
from tests.ui.server.api_client import Caller, called
from ui.server.handbook.handbook_site import HOST

QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture
def silent() -> Iterator[Silent]:
    """A model that keeps the answer waiting."""
    model = Silent("answerer")
    yield model
    model.let_go.set()


@pytest.fixture
def waiting(silent: Silent, tmp_path: Path) -> Iterator[Caller]:
    """The API over it."""
    with Endpoint(silent) as endpoint:
        settings = Settings(
            data=tmp_path / "data",
            allow_private=(HOST,),
            base_url=endpoint.url,
            model="openai:any",
            memory=False,
        )
        with called(settings) as caller:
            yield caller
            silent.let_go.set()


def test_a_second_stop_ends_a_run_at_once(waiting: Caller, silent: Silent, site: str) -> None:
    waiting.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "one"})
    assert silent.asked.wait(PATIENCE)
    assert waiting.backend
    asked: list[object] = []
    for _ in range(2):
        assert waiting.ask("/api/sessions/one/stop", b"").status == 202
        asked.append(waiting.backend.sessions.call(lambda to: to.get("one")).asked)
    assert asked[0] == "stop"
    assert asked[1] in ("end", "")  # none of a run that has ended
    waiting.seen("one", "partial")
    assert not silent.let_go.is_set()
    assert waiting.ask("/api/sessions/one").json()["citations"]
