import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from forager.settings import Settings
from tests.ui.conftest import PAGES
from tests.ui.server.calling import Caller, called
from ui.serve import HOST, served
from ui.server.patch import Document, patched

QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    settings = Settings(data=tmp_path_factory.mktemp("data"), allow_private=(HOST,))
    with called(settings) as caller:
        yield caller


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with served({path: page.encode() for path, page in PAGES.items()}) as where:
        yield where


def begun(server: Caller, root: str, id: str) -> None:
    asked = {"question": QUESTION, "sites": [root], "session": id, "seed": 3}
    assert server.ask("/api/sessions", asked).status == 201


def keys(view: Document) -> list[str]:
    """The numbers of the events that made rows."""
    timeline = json.loads(json.dumps(view["timeline"]))
    return [*timeline, *(key for entry in timeline.values() for key in entry["rows"])]


def test_each_event_comes_once_and_in_order_and_again_after_a_reconnect(
    server: Caller, root: str
) -> None:
    begun(server, root, "one")
    first: list[str] = []
    view: Document = {}
    for change in server.follow("one"):
        entries = change.get("timeline", {})
        fresh = [key for key in entries if key not in first]
        first += fresh
        view = patched(view, change)
        if view["session"]["status"] == "answered":  # type: ignore[index,call-overload]
            break
    assert first == sorted(first)
    again = server.seen("one", "answered")
    assert again == view
    events = server.ask("/api/sessions/one/events").json()
    starts = [f"{each['seq']:06d}" for each in events if each["kind"] == "started"]
    assert [key for key in sorted(keys(again)) if key in starts] == starts


def test_many_readers_see_the_same(server: Caller, root: str) -> None:
    begun(server, root, "many")
    with ThreadPoolExecutor(20) as readers:
        views = list(readers.map(lambda _: server.seen("many", "answered"), range(20)))
    assert all(view["answer"] == views[0]["answer"] for view in views)


def test_a_session_that_ends_otherwise_is_not_waited_for(server: Caller) -> None:
    begun(server, "http://127.0.0.1:9/", "down")
    with pytest.raises(AssertionError, match="refused the connection"):
        server.seen("down", "answered")
    assert server.seen("down", "failed")["session"]


def test_a_session_that_is_deleted_says_so_and_the_stream_ends(server: Caller, root: str) -> None:
    begun(server, root, "gone")
    server.seen("gone", "answered")
    said: list[Document] = []
    for change in server.follow("gone"):
        if not said:
            assert server.ask("/api/sessions/gone", method="DELETE").status == 200
        said.append(change)
    assert said[-1] == {"session": {"status": "deleted"}}
    assert server.ask("/api/sessions/gone/live").status == 404


def test_a_further_turn_begins_anew_and_keeps_the_earlier_one(server: Caller, root: str) -> None:
    begun(server, root, "turns")
    before = server.seen("turns", "answered")
    asked = {"question": "How high is the Holm lighthouse?"}
    assert server.ask("/api/sessions/turns/follow", asked).status == 202
    view: Document = {}
    for change in server.follow("turns"):
        view = patched(view, change)
        head = json.loads(json.dumps(view["session"]))
        if head["turn"] == 2 and head["status"] not in {"running", "interrupted"}:
            break
    turns = json.loads(json.dumps(view["turns"]))
    assert turns["1"]["timeline"].keys() == before["timeline"].keys()  # type: ignore[union-attr]
    assert not before["timeline"].keys() & view["timeline"].keys()  # type: ignore[union-attr]
