"""A session that cannot be read is listed as damaged, hides no other, and can be deleted."""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing

import pytest

from forager.domain.state import Question
from tests.ui.conftest import Forager
from tests.ui.server.api_client import Caller

INFINITE = json.dumps({"text": "Which?", "sites": [], "budget": {"seconds": None}})
DAMAGES: Mapping[str, Mapping[str, str]] = {
    "budget": {"question": INFINITE},
    "question": {"question": "{"},
    "spend": {"spend": '{"usd": NaN}'},
    "time": {"created": "never"},
    "year": {"changed": "1e300"},
    "status": {"status": "lost"},
}


def begin(server: Caller, site: str, id: str) -> None:
    """Add a session that does not run."""
    assert server.backend
    question = Question(text="Which engineer?", sites=(site,))
    server.backend.sessions.call(lambda to: to.start(question, "forager", "offline", id))


def damage(server: Caller, id: str, columns: Mapping[str, str]) -> None:
    """Overwrite columns of a session's row."""
    assert server.backend
    with closing(sqlite3.connect(server.backend.settings.data / "sessions.sqlite")) as db, db:
        for name, value in columns.items():
            db.execute(f"UPDATE sessions SET {name} = ? WHERE id = ?", (value, id))  # noqa: S608


@pytest.mark.parametrize("where", DAMAGES)
def test_a_damaged_session_hides_no_other_and_is_deleted(
    server: Caller, site: str, where: str
) -> None:
    for id in ("good", "bad"):
        begin(server, site, id)
    damage(server, "bad", DAMAGES[where])
    listed = {each["id"]: each for each in server.ask("/api/sessions").json()["sessions"]}
    assert listed["bad"]["status"] == "damaged"
    assert listed["good"]["status"] != "damaged"
    found = server.ask("/api/sessions?status=damaged").json()["sessions"]
    assert [each["id"] for each in found] == ["bad"]
    assert server.ask("/api/sessions/good").status == 200
    shown = server.ask("/api/sessions/bad")
    assert shown.status == 500
    assert "damaged" in shown.json()["error"]
    assert "\n" not in shown.json()["error"]
    assert shown.json()["mend"] == "Delete it: forager delete bad"
    for id in ("bad", "good"):
        assert server.ask(f"/api/sessions/{id}", method="DELETE").status == 200
    assert server.ask("/api/sessions").json() == {"sessions": [], "count": 0}


EVENT = "INSERT INTO events VALUES ('bad', 1, 0, 'survey', 'done', 'Read.', '{}')"
PARTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "graph": ("UPDATE sessions SET graph_body = '[]'", ("way", "export?format=md")),
    "event": (EVENT.format("{"), ("events", "export?format=zip")),
    "depth": (EVENT.format("[" * 50_000), ("events", "export?format=zip")),
    "cost": ("INSERT INTO paid VALUES ('bad', '{\"usd\": NaN}')", ("export?format=zip",)),
    "sign": (
        'UPDATE sessions SET question = \'{"text": "\\ud800?"}\'',
        ("export?format=zip", "export?format=json"),
    ),
}
"""What damages a part of a session, and the routes that read it."""


@pytest.mark.parametrize("part", PARTS)
def test_a_damaged_part_is_told_with_the_remedy(server: Caller, site: str, part: str) -> None:
    assert server.backend
    begin(server, site, "bad")
    statement, routes = PARTS[part]
    with closing(sqlite3.connect(server.backend.settings.data / "sessions.sqlite")) as db, db:
        db.execute(statement)
    for route in routes:
        told = server.ask(f"/api/sessions/bad/{route}")
        assert (told.status, told.json()["mend"]) == (500, "Delete it: forager delete bad"), route
    assert server.ask("/api/sessions/bad", method="DELETE").status == 200


def test_a_title_that_is_not_utf8_hides_nothing(server: Caller, site: str) -> None:
    assert server.backend
    for id in ("good", "bad"):
        begin(server, site, id)
    with closing(sqlite3.connect(server.backend.settings.data / "sessions.sqlite")) as db, db:
        db.execute("UPDATE sessions SET title = CAST(x'ff41' AS TEXT) WHERE id = 'bad'")
    listed = server.ask("/api/sessions").json()["sessions"]
    assert {each["id"]: each["title"] for each in listed} == {"good": "", "bad": "\ufffdA"}
    for id in ("good", "bad"):
        assert server.ask(f"/api/sessions/{id}", method="DELETE").status == 200


def test_the_command_line_lists_and_deletes_a_damaged_session(
    server: Caller, site: str, forager: Forager
) -> None:
    assert server.backend
    data = str(server.backend.settings.data)
    begin(server, site, "bad")
    damage(server, "bad", DAMAGES["budget"])
    listed = forager("sessions", FORAGER_DATA=data)
    assert listed.exit_code == 0
    assert "damaged" in listed.stdout
    assert "budget.seconds" in listed.stdout
    shown = forager("show", "bad", FORAGER_DATA=data)
    assert (shown.exit_code, len(shown.stderr.strip().splitlines())) == (1, 1)
    assert forager("delete", "bad", FORAGER_DATA=data).exit_code == 0
    assert "bad" not in forager("sessions", FORAGER_DATA=data).stdout


@pytest.mark.parametrize("seconds", ["Infinity", "-Infinity", "NaN", "1e999", "null"])
def test_an_endless_budget_is_refused(server: Caller, site: str, seconds: str) -> None:
    body = f'{{"question": "Who?", "sites": ["{site}"], "budget": {{"seconds": {seconds}}}}}'
    assert server.ask("/api/sessions", body.encode()).status in (400, 422)
    assert server.ask("/api/sessions").json()["count"] == 0
