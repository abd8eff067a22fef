"""A run that halts, is changed by hand and goes on, over HTTP; and a node that is run alone."""

from typing import Any

from tests.ui.server.api_client import Caller

QUESTION = "Which engineer built the Skarn lighthouse?"


def test_a_run_halts_is_changed_and_goes_on(server: Caller, site: str) -> None:
    asked = {
        "question": QUESTION,
        "sites": [site],
        "graph": "webwalker",
        "session": "halts",
        "breakpoints": {"answer": "before"},
    }
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("halts", "paused")
    before = server.ask("/api/sessions/halts/state").json()
    values: dict[str, Any] = {each["key"]: each["value"] for each in before}
    schemas = {each["key"]: each["expects"] for each in before}
    assert values["evidence"]
    assert schemas["evidence"]["type"] == "array"
    assert "spend" not in values
    wrong = server.ask("/api/sessions/halts/fork", {"values": {"evidence": 3}})
    assert wrong.status == 409
    assert "evidence cannot be 3" in wrong.json()["error"]
    change = {"values": {"evidence": []}, "session": "mended", "run": False}
    assert server.ask("/api/sessions/halts/fork", change).status == 201
    server.seen("mended", "paused")
    assert server.ask("/api/sessions/mended/resume", {"step": True}).status == 202
    server.seen("mended", "abstained")
    assert server.ask("/api/sessions/halts/resume", {}).status == 202
    server.seen("halts", "answered")
    assert server.ask("/api/sessions/halts/state?checkpoint=9999").status == 409


def test_a_node_is_run_alone(server: Caller, site: str) -> None:
    asked = {"question": QUESTION, "sites": [site], "graph": "webwalker", "session": "tried"}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("tried", "answered")
    events = server.ask("/api/sessions/tried/events").json()
    found = server.ask("/api/sessions/tried/try/judge", {"graph": "webwalker"})
    assert found.status == 200, found.body
    trial = found.json()
    assert trial["tried"]["route"] == trial["recorded"]["route"] == "sufficient"
    assert trial["tried"]["input"] == trial["recorded"]["input"]
    assert server.ask("/api/sessions/tried/events").json() == events
    assert server.ask("/api/sessions/tried/try/nothing", {}).status in {404, 409}
