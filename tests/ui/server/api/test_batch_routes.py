"""Batches over HTTP: uploaded, run, paused, continued after a restart, and downloaded."""

import csv
import io
import json
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from forager.settings import Settings
from tests.servers import Asked, Reply, Site
from tests.ui.conftest import PAGES
from tests.ui.server.api_client import Caller, called
from tests.ui.server.process import serving
from ui.server.handbook.handbook_site import HOST

ENGINEER, HEIGHT = "Which engineer built the Skarn lighthouse?", "How high is the Holm lighthouse?"
PATIENCE = 60


def upload(server: Caller, rows: list[dict[str, Any]], name: str = "mine.jsonl") -> str:
    body = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    added = server.ask(f"/api/batches?file={name}", body)
    assert added.status == 201, added.body
    assert added.json()["state"] == "ready"
    return str(added.json()["batch"])


def wait_for(server: Caller, id: str, *states: str) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while True:
        found: dict[str, Any] = server.ask(f"/api/batches/{id}").json()
        if found["state"] in states:
            return found
        assert time.monotonic() < end, found
        threading.Event().wait(0.05)


@contextmanager
def served(data: Path) -> Iterator[Caller]:
    with called(Settings(data=data, memory=False, allow_private=(HOST,))) as server:
        yield server


class Held:
    """A page that is not sent before it is let go."""

    def __init__(self) -> None:
        self.wanted, self.let_go = threading.Event(), threading.Event()

    def __call__(self, asked: Asked) -> Reply:
        self.wanted.set()
        self.let_go.wait(PATIENCE)
        return Reply(PAGES["/holm.html"])


def test_a_batch_is_answered_and_downloaded(server: Caller, site: str) -> None:
    id = upload(
        server, [{"id": "a", "question": ENGINEER}, {"question": HEIGHT}, {"question": "?"}]
    )
    assert server.ask(f"/api/batches/{id}/resume", {}).status == 400  # it was not started
    begun = server.ask(f"/api/batches/{id}/start", {"sites": [site], "at_once": 2})
    assert begun.status == 202, begun.body
    done = wait_for(server, id, "done")
    assert (done["rows"], done["done"], done["name"]) == (3, 3, "mine.jsonl")
    assert done["statuses"]["answered"] == 2
    assert server.ask(f"/api/batches/{id}/start", {}).status == 400
    page = server.ask(f"/api/batches/{id}/rows").json()
    first = page["rows"][0]
    assert (page["count"], first["id"], first["status"]) == (3, "a", "answered")
    assert "Marta Lindqvist" in first["lead"]
    assert 0 <= first["confidence"] <= 1
    session = server.ask(f"/api/sessions/{first['session']}").json()
    assert session["answer"] == first["answer"]
    assert server.ask(f"/api/sessions/{first['session']}/history").json()
    found = server.ask(f"/api/batches/{id}/rows?search=holm&status=answered").json()
    assert [row["id"] for row in found["rows"]] == ["2"]
    answers = server.ask(f"/api/batches/{id}/answers")
    lines = {line["id"]: line for line in map(json.loads, answers.body.splitlines())}
    assert {"id", "question", "sites", "status", "answer", "citations"} <= lines["a"].keys()
    assert "mine-answers.jsonl" in answers.headers["content-disposition"]
    table = server.ask(f"/api/batches/{id}/answers?format=csv").body.decode("utf-8-sig")
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(table))}
    assert rows["2"]["answer"] == lines["2"]["answer"]
    assert rows["2"]["citations"].endswith("/holm.html")
    assert [each["batch"] for each in server.ask("/api/batches").json()] == [id]


def test_a_batch_is_deleted_with_the_sessions_of_its_rows(server: Caller, site: str) -> None:
    id = upload(server, [{"question": ENGINEER}])
    server.ask(f"/api/batches/{id}/start", {"sites": [site]})
    wait_for(server, id, "done")
    [row] = server.ask(f"/api/batches/{id}/rows").json()["rows"]
    assert server.ask(f"/api/batches/{id}?sessions=true", method="DELETE").status == 200
    assert server.ask(f"/api/batches/{id}").status == 404
    end = time.monotonic() + PATIENCE
    while server.ask(f"/api/sessions/{row['session']}").status != 404:
        assert time.monotonic() < end
    assert server.ask("/api/batches/none", method="DELETE").status == 404


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("q.csv", b"text\nWhy?\n", "no column question. Its columns: text."),
        ("q.csv", b"", "q.csv is empty."),
        ("q.csv", "question\nWarum können Kühe fliegen?\n".encode("latin-1"), "not UTF-8 text"),
        ("q.csv", b"question\nWho?\n\x00\x01\x02\n", "not UTF-8 text: see line 3"),
        ("q.csv", b"PK\x03\x04....", "is a spreadsheet, not text. Save it as"),
        ("q.csv", b"id,question\n1,Why?\n1,Who?\n", "the id '1' twice, in rows 1 and 2"),
        ("q.csv", b"question\nWho, and when?\n", "has more cells than the file has columns"),
        ("q.jsonl", b"Why?\n", "line 1, is not JSON"),
        ("q.jsonl", b" " * 20_000_001, "20,000,000 bytes"),
    ],
)
def test_a_file_of_something_else_is_refused_before_anything_starts(
    server: Caller, name: str, data: bytes, fault: str
) -> None:
    before = server.ask("/api/batches").json()
    answer = server.ask(f"/api/batches?file={name}", data)
    assert answer.status in {400, 413}
    assert fault in f"{answer.json()['error']} {answer.json()['mend']}"
    assert server.ask("/api/batches").json() == before


def test_a_batch_is_paused_and_goes_on_in_the_same_sessions(tmp_path: Path) -> None:
    hold = Held()
    with Site({**PAGES, "/holm.html": hold}) as site, served(tmp_path) as server:
        id = upload(server, [{"question": HEIGHT, "sites": [site.url()]}, {"question": ENGINEER}])
        server.ask(f"/api/batches/{id}/start", {"sites": [site.url()], "at_once": 1})
        assert hold.wanted.wait(PATIENCE)
        running = server.ask(f"/api/batches/{id}").json()
        assert running["statuses"] == {"open": 1, "running": 1}
        assert server.ask("/api/health").json()["running"] == 1
        assert server.ask(f"/api/batches/{id}/pause", b"").status == 202
        assert server.ask(f"/api/batches/{id}").json()["state"] == "pausing"
        assert server.ask(f"/api/batches/{id}", method="DELETE").status == 400
        assert server.ask(f"/api/batches/{id}/resume", {}).status == 400
        hold.let_go.set()
        paused = wait_for(server, id, "paused")
        assert paused["done"] == 0
        first, second = server.ask(f"/api/batches/{id}/rows").json()["rows"]
        assert (first["status"], second["status"], second["session"]) == ("paused", "open", "")
        assert server.ask(f"/api/batches/{id}/resume", {}).status == 202
        assert wait_for(server, id, "done")["statuses"] == {"answered": 2}
        rows = server.ask(f"/api/batches/{id}/rows").json()["rows"]
        assert rows[0]["session"] == first["session"]
        assert site.paths().count("/") == 1  # it was surveyed once, for both rows


def test_rows_that_are_asked_at_once_fetch_each_page_once(tmp_path: Path) -> None:
    with Site(dict(PAGES)) as site, served(tmp_path) as server:
        rows = [{"question": text, "sites": [site.url()]} for text in (HEIGHT, ENGINEER) * 12]
        id = upload(server, rows)
        server.ask(f"/api/batches/{id}/start", {"at_once": 8})
        assert wait_for(server, id, "done")["statuses"] == {"answered": 24}
        assert {path: site.paths().count(path) for path in PAGES} == dict.fromkeys(PAGES, 1)
        lines = server.ask(f"/api/batches/{id}/answers").body.splitlines()
        assert len({json.loads(line)["session"] for line in lines}) == 24


def test_a_row_that_is_paused_as_a_session_stays_open(tmp_path: Path) -> None:
    hold = Held()
    with Site({**PAGES, "/holm.html": hold}) as site, served(tmp_path) as server:
        id = upload(server, [{"question": HEIGHT}, {"question": ENGINEER}])
        server.ask(f"/api/batches/{id}/start", {"sites": [site.url()], "at_once": 1})
        assert hold.wanted.wait(PATIENCE)
        [row] = server.ask(f"/api/batches/{id}/rows?status=running").json()["rows"]
        assert server.ask(f"/api/sessions/{row['session']}/pause", b"").status == 202
        hold.let_go.set()
        left = wait_for(server, id, "paused")
        assert (left["done"], left["statuses"]["open"]) == (1, 1)
        assert server.ask(f"/api/sessions/{row['session']}/resume", {}).status == 202
        server.seen(row["session"], "answered")
        server.ask(f"/api/batches/{id}/resume", {})
        assert wait_for(server, id, "done")["statuses"] == {"answered": 2}
        assert site.paths().count("/") == 1


def test_a_stopped_batch_ends_its_rows_with_what_they_have(tmp_path: Path) -> None:
    hold = Held()
    with Site({**PAGES, "/holm.html": hold}) as site, served(tmp_path) as server:
        id = upload(server, [{"question": HEIGHT}, {"question": ENGINEER}])
        server.ask(f"/api/batches/{id}/start", {"sites": [site.url()], "at_once": 1})
        assert hold.wanted.wait(PATIENCE)
        server.ask(f"/api/batches/{id}/stop", b"")
        hold.let_go.set()
        stopped = wait_for(server, id, "stopped")
        assert (stopped["done"], stopped["statuses"]["open"]) == (1, 1)
        [line] = server.ask(f"/api/batches/{id}/answers").body.splitlines()
        assert json.loads(line)["status"] in {"answered", "partial", "abstained"}


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_a_restarted_server_goes_on_and_answers_each_row_once(
    tmp_path: Path, sign: signal.Signals
) -> None:
    hold = Held()
    with Site({**PAGES, "/holm.html": hold}) as held, Site(dict(PAGES)) as quick:
        rows = [
            {"question": ENGINEER, "sites": [quick.url()]},
            {"question": HEIGHT, "sites": [held.url()]},
            {"question": HEIGHT, "sites": [quick.url()]},
        ]
        words = "--port", "0", "--allow-private", HOST
        with serving(tmp_path, *words, FORAGER_MEMORY="false") as first:
            server = Caller(first.port, first.token)
            id = upload(server, rows)
            server.ask(f"/api/batches/{id}/start", {"at_once": 1})
            assert hold.wanted.wait(PATIENCE)
            assert server.ask(f"/api/batches/{id}").json()["done"] == 1
            assert "forager resume batch-" not in first.end(sign)[0]
        hold.let_go.set()
        with serving(tmp_path, *words, FORAGER_MEMORY="false") as second:
            server = Caller(second.port, second.token)
            done = wait_for(server, id, "done")
            answers = server.ask(f"/api/batches/{id}/answers").body
        found = [json.loads(line) for line in answers.splitlines()]
        assert Counter(line["id"] for line in found) == Counter("123")
        assert (done["done"], {line["status"] for line in found}) == (3, {"answered"})
        assert quick.paths().count("/skarn.html") == 1
        assert held.paths().count("/") == 1


def test_failed_rows_are_asked_again_when_that_is_wanted(server: Caller, site: str) -> None:
    id = upload(server, [{"question": " ", "id": "bad"}, {"question": ENGINEER, "id": "good"}])
    server.ask(f"/api/batches/{id}/start", {"sites": [site]})
    assert wait_for(server, id, "done")["statuses"] == {"answered": 1, "failed": 1}
    before = server.ask(f"/api/batches/{id}/answers").body.splitlines()
    server.ask(f"/api/batches/{id}/resume", {"retry_failed": True})
    assert wait_for(server, id, "done")["statuses"] == {"answered": 1, "failed": 1}
    after = server.ask(f"/api/batches/{id}/answers").body.splitlines()
    assert sorted(before) == sorted(after)
