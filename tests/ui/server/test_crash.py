import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.coast import ENGINEER, SKARN, Coast
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served, serving


@pytest.fixture
def sites() -> Iterator[list[Coast]]:
    with ExitStack() as stack:
        found = [stack.enter_context(Coast(SKARN)) for _ in range(3)]
        yield found
        for site in found:
            site.let_go.set()


def caller(server: Served) -> Caller:
    return Caller(server.port, server.token)


def test_runs_of_a_server_that_was_killed_go_on_and_fetch_nothing_twice(
    tmp_path: Path, sites: list[Coast]
) -> None:
    words = "--port", "0", "--allow-private", "127.0.0.1"
    ids = [f"run-{number}" for number in range(3)]
    with serving(tmp_path, *words) as server:
        for id, site in zip(ids, sites, strict=True):
            asked = {"question": ENGINEER, "sites": [site.url()], "session": id}
            assert caller(server).ask("/api/sessions", asked).status == 201
        for site in sites:
            assert site.wanted.wait(120)
        assert caller(server).ask("/api/health").json()["running"] == 3
        server.end(signal.SIGKILL)
    for site in sites:
        site.let_go.set()
    with serving(tmp_path, *words) as server:
        listed = caller(server).ask("/api/sessions").json()["sessions"]
        assert {each["id"]: each["status"] for each in listed} == dict.fromkeys(ids, "interrupted")
        for id in ids:
            assert caller(server).ask(f"/api/sessions/{id}/resume", method="POST").status == 202
        for id, site in zip(ids, sites, strict=True):
            view = caller(server).seen(id, "answered")
            assert "Marta Lindqvist" in str(view["answer"])
            assert Counter(site.paths()) == {"/": 1, "/all.html": 1, SKARN: 2}  # it never came


def test_at_a_signal_it_is_said_what_was_running(tmp_path: Path, sites: list[Coast]) -> None:
    with serving(tmp_path, "--port", "0", "--allow-private", "127.0.0.1") as server:
        asked = {"question": ENGINEER, "sites": [sites[0].url()], "session": "left"}
        assert caller(server).ask("/api/sessions", asked).status == 201
        assert sites[0].wanted.wait(120)
        out, errors = server.end(signal.SIGINT)
        assert "forager resume left" in out
        assert all(line.startswith(("Loading ", "Sites served ")) for line in errors.splitlines())
        assert server.process.returncode == 0
