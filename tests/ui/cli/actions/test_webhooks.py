"""A command, and a server, tell a webhook how a session has ended."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loopback_model import Surveyed
from tests.observatory import GROUND
from tests.servers import Asked, Reply, Site
from tests.ui.conftest import Forager
from tests.ui.server.process import serving
from ui.server.handbook.handbook_site import HOST

QUESTION = "Who ground the lens of the great refractor?"
SECRET = "a secret of the test"
PATIENCE = 60


@pytest.fixture
def arrived() -> threading.Event:
    """Set when the receiver has been told something."""
    return threading.Event()


@pytest.fixture
def receiver(arrived: threading.Event) -> Iterator[Site]:
    def take(asked: Asked) -> Reply:
        arrived.set()
        return Reply(status=204)

    with Site({"/hook": take}) as site:
        yield site


def env(receiver: Site) -> dict[str, str]:
    return {"FORAGER_WEBHOOKS": receiver.url("/hook"), "FORAGER_WEBHOOK_SECRET": SECRET}


def test_a_command_tells_before_it_ends(
    observed: Forager, observatory: Surveyed, receiver: Site
) -> None:
    site = "--site", observatory.site.url(), "--allow-private", HOST
    done = observed("ask", QUESTION, *site, "--session", "one", "--seed", "7", **env(receiver))
    assert done.exit_code == 0
    message = json.loads(receiver.asked[0].body)
    assert message["type"] == "session.answered"
    assert message["data"]["session"] == "one"
    assert GROUND in message["data"]["answer"]
    assert receiver.asked[0].headers["webhook-signature"].startswith("v1,")


def test_a_server_tells_while_it_runs(
    observatory: Surveyed, receiver: Site, arrived: threading.Event, tmp_path: Path
) -> None:
    data = observatory.copied(tmp_path / "data")
    hosts = {"FORAGER_ALLOW_PRIVATE": HOST}
    with serving(data, **env(receiver), **hosts) as server:
        asked = {"question": QUESTION, "sites": [observatory.site.url()], "model": "offline"}
        assert server.ask("/api/sessions", {**asked, "session": "two", "seed": 7})[0] == 201
        assert arrived.wait(PATIENCE)
    assert json.loads(receiver.asked[0].body)["data"]["session"] == "two"
