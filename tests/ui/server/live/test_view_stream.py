import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphs.spec.spec import load_graph
from tests.ui.server.api_client import Caller
from ui.server.examples.example_sites import ENCYCLOPEDIA
from ui.server.live.merge_patch import Document, apply_patch

QUESTION = "Which engineer built the Skarn lighthouse?"


def begun(server: Caller, site: str, id: str) -> None:
    asked = {"question": QUESTION, "sites": [site], "session": id, "seed": 3}
    assert server.ask("/api/sessions", asked).status == 201


def keys(view: Document) -> list[str]:
    """The numbers of the events that made rows."""
    timeline = json.loads(json.dumps(view["timeline"]))
    return [*timeline, *(key for entry in timeline.values() for key in entry["rows"])]


def test_each_event_comes_once_and_in_order_and_again_after_a_reconnect(
    server: Caller, site: str
) -> None:
    begun(server, site, "one")
    first: list[str] = []
    view: Document = {}
    for change in server.follow("one"):
        entries = change.get("timeline", {})
        fresh = [key for key in entries if key not in first]
        first += fresh
        view = apply_patch(view, change)
        if view["session"]["status"] == "answered":  # type: ignore[index,call-overload]
            break
    assert first == sorted(first)
    again = server.seen("one", "answered")
    assert again == view
    events = server.ask("/api/sessions/one/events").json()
    starts = [f"{each['seq']:06d}" for each in events if each["kind"] == "started"]
    assert [key for key in sorted(keys(again)) if key in starts] == starts


def test_a_run_shows_its_rounds_beside_the_most_that_its_graph_makes(
    server: Caller, site: str
) -> None:
    begun(server, site, "rounds")
    view = json.loads(json.dumps(server.seen("rounds", "answered")))
    used, limit = view["spend"]["rounds"]["used"], view["spend"]["rounds"]["limit"]
    assert 1 <= used <= limit
    assert limit == load_graph("forager").nodes["select"].params["offline_rounds"]


def test_many_readers_see_the_same(server: Caller, site: str) -> None:
    begun(server, site, "many")
    with ThreadPoolExecutor(20) as readers:
        views = list(readers.map(lambda _: server.seen("many", "answered"), range(20)))
    assert all(view["answer"] == views[0]["answer"] for view in views)


def test_a_session_that_ends_otherwise_is_not_waited_for(server: Caller) -> None:
    begun(server, "http://127.0.0.1:9/", "down")
    with pytest.raises(AssertionError, match="refused the connection"):
        server.seen("down", "answered")
    assert server.seen("down", "failed")["session"]


def test_what_is_to_go_on_before_its_run_is_over_goes_on_after_it(server: Caller) -> None:
    begun(server, "http://127.0.0.1:9/", "again")
    assert server.ask("/api/sessions/again/resume", method="POST").status == 202
    with pytest.raises(AssertionError, match="refused the connection"):
        server.seen("again", "answered")
    events = server.ask("/api/sessions/again/events").json()
    assert sum(each["kind"] in {"begun", "resumed"} for each in events) == 2


def test_a_session_that_is_deleted_says_so_and_the_stream_ends(server: Caller, site: str) -> None:
    begun(server, site, "gone")
    server.seen("gone", "answered")
    said: list[Document] = []
    for change in server.follow("gone"):
        if not said:
            assert server.ask("/api/sessions/gone", method="DELETE").status == 200
        said.append(change)
    assert said[-1] == {"session": {"status": "deleted"}}
    assert server.ask("/api/sessions/gone/live").status == 404


def test_a_further_turn_begins_anew_and_keeps_the_earlier_one(server: Caller, site: str) -> None:
    begun(server, site, "turns")
    before = server.seen("turns", "answered")
    asked = {"question": "How high is the Holm lighthouse?"}
    assert server.ask("/api/sessions/turns/follow", asked).status == 202
    view: Document = {}
    for change in server.follow("turns"):
        view = apply_patch(view, change)
        head = json.loads(json.dumps(view["session"]))
        if head["turn"] == 2 and head["status"] not in {"running", "interrupted"}:
            break
    turns = json.loads(json.dumps(view["turns"]))
    # The last row of the first turn may come after its status.
    assert turns["1"]["timeline"].keys() >= before["timeline"].keys()  # type: ignore[union-attr]
    assert not before["timeline"].keys() & view["timeline"].keys()  # type: ignore[union-attr]
    answer, quotes, _ = before["answer"]["text"].partition("\nMore quotes:")  # type: ignore[index,call-overload,union-attr]
    assert quotes
    assert turns["1"]["answer"] == answer


def test_a_sub_question_whose_quote_was_found_for_another_one_is_doubtful_too(
    server: Caller,
) -> None:
    assert server.backend
    root = server.backend.examples[ENCYCLOPEDIA]
    first = "In which town was Edwin Mercer born, and when was Harrow Light first lit?"
    asked = {"question": first, "sites": [root], "session": "led", "seed": 3}
    assert server.ask("/api/sessions", asked).status == 201
    server.seen("led", "answered")
    more = "Where is he buried, and what is the population of Whitby?"
    assert server.ask("/api/sessions/led/follow", {"question": more}).status == 202
    parts = json.loads(json.dumps(server.seen("led", "answered", "partial")["parts"]))
    assert "doubtful" in parts["Where is he buried?"]
    whitby = parts["What is the population of Whitby?"]
    assert whitby["open"] or whitby["doubtful"]
