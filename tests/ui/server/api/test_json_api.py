import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.ui.server.api_client import Caller
from ui.server.backend import get_backend
from ui.server.pending_deletions import Deletion

QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture(scope="module")
def done(server: Caller, site: str) -> str:
    """A session that was asked for and has come to its end."""
    asked = {"question": QUESTION, "sites": [site], "session": "one", "seed": 3}
    begun = server.ask("/api/sessions", asked)
    assert (begun.status, begun.json()) == (201, {"session": "one"})
    server.seen("one", "answered")
    return "one"


def get(server: Caller, path: str) -> Any:
    found = server.ask(path)
    assert found.status == 200, found.body
    return found.json()


def test_a_session_is_asked_for_and_shown(server: Caller, done: str) -> None:
    report = get(server, f"/api/sessions/{done}")
    assert "Marta Lindqvist" in report["answer"]
    assert report["status"] == "answered"


def test_its_events_are_read_from_a_number_on(server: Caller, done: str) -> None:
    events = get(server, f"/api/sessions/{done}/events")
    numbers = [each["seq"] for each in events]
    assert numbers == sorted(set(numbers))
    later = [each for each in events if each["seq"] > 3]
    assert get(server, f"/api/sessions/{done}/events?after=3") == later


def test_of_what_a_survey_says_on_its_way_the_last_is_kept(server: Caller, done: str) -> None:
    events = get(server, f"/api/sessions/{done}/events")
    (said,) = [each["message"] for each in events if each["kind"] == "progress"]
    assert said.endswith("indexing 3 pages")


def test_sessions_are_listed_by_pages_words_and_status(server: Caller, done: str) -> None:
    found = get(server, "/api/sessions?search=skarn+ENGINEER&status=answered&size=1")
    assert found["count"] == 1
    assert found["sessions"][0]["id"] == done
    assert server.ask(f"/api/sessions/{done}", {"title": "Marta"}, "PATCH").status == 200
    assert get(server, "/api/sessions?search=marta")["sessions"][0]["title"] == "Marta"
    assert get(server, "/api/sessions?search=nothing") == {"sessions": [], "count": 0}
    assert get(server, "/api/sessions?page=2")["sessions"] == []


def test_a_title_that_turns_text_around_is_escaped(server: Caller, done: str) -> None:
    turned = "Marta \u202eLindqvist\x9b"
    assert server.ask(f"/api/sessions/{done}", {"title": turned}, "PATCH").status == 200
    answered = server.ask("/api/sessions?search=marta")
    assert answered.json()["sessions"][0]["title"] == turned
    assert b"\\u202e" in answered.body
    assert not {"\u202e", "\x9b"} & set(answered.body.decode())


def test_a_session_is_pinned_and_unpinned(server: Caller, done: str) -> None:
    def pins() -> list[bool]:
        return [
            each["pinned"]
            for each in get(server, "/api/sessions")["sessions"]
            if each["id"] == done
        ]

    assert pins() == [False]
    assert server.ask(f"/api/sessions/{done}/pin", method="PUT").status == 200
    assert pins() == [True]
    assert server.ask(f"/api/sessions/{done}/pin", method="DELETE").status == 200
    assert pins() == [False]
    assert server.ask("/api/sessions/absent/pin", method="PUT").status == 404


def test_a_session_is_tagged_and_listed_by_its_tags(server: Caller, done: str) -> None:
    tagged = server.ask(f"/api/sessions/{done}/tags", {"tags": ["rome, to read", "Rome"]}, "PUT")
    assert (tagged.status, tagged.json()["tags"]) == (200, ["Rome", "to read"])
    [found] = get(server, "/api/sessions?tag=rome&tag=to+read")["sessions"]
    assert found["tags"] == ["Rome", "to read"]
    assert get(server, "/api/sessions?tag=milan")["count"] == 0
    assert server.ask(f"/api/sessions/{done}/tags", {"tags": []}, "PUT").json()["tags"] == []
    assert server.ask("/api/sessions/absent/tags", {"tags": []}, "PUT").status == 404


def test_a_fork_runs_and_shows_where_it_came_from(server: Caller, done: str) -> None:
    points = get(server, f"/api/sessions/{done}/history")
    step = points[2]["number"]
    last = points[-1]["number"]
    assert get(server, f"/api/sessions/{done}/history/{last}")
    forked = server.ask(f"/api/sessions/{done}/fork", {"checkpoint": step, "session": "two"})
    assert (forked.status, forked.json()) == (201, {"session": "two"})
    assert server.seen("two", "answered")["answer"]
    gone = server.ask("/api/sessions/two?forget=true", method="DELETE")
    assert gone.status == 200
    assert server.ask("/api/sessions/two").status == 404


def test_a_deletion_takes_the_place_of_one_that_can_be_undone(server: Caller, done: str) -> None:
    step = get(server, f"/api/sessions/{done}/history")[2]["number"]
    server.ask(f"/api/sessions/{done}/fork", {"checkpoint": step, "session": "three"})
    server.seen("three", "answered")
    deletions = get_backend().deletions
    get_backend().delete(Deletion("three", "Three", forget=False))
    assert "three" not in [each["id"] for each in get(server, "/api/sessions")["sessions"]]
    assert server.ask("/api/sessions/three", method="DELETE").status == 200
    assert deletions.waiting() == ()


def test_a_follow_up_is_the_next_turn(server: Caller, done: str) -> None:
    asked = server.ask(f"/api/sessions/{done}/follow", {"question": "How high is the Holm one?"})
    assert asked.status == 202
    assert server.seen(done, "answered", "partial", "abstained")["turns"]
    assert get(server, f"/api/sessions/{done}")["turns"]


@pytest.mark.parametrize("form", ["md", "json", "csv", "html"])
def test_a_session_is_exported(server: Caller, done: str, form: str) -> None:
    server.ask(f"/api/sessions/{done}", {"title": "Marta Lindqvist"}, "PATCH")
    found = server.ask(f"/api/sessions/{done}/export?format={form}")
    assert found.status == 200
    assert b"Lindqvist" in found.body
    assert found.headers["content-disposition"] == f'attachment; filename="Marta-Lindqvist.{form}"'


def test_an_export_has_the_parts_that_are_named(server: Caller, done: str) -> None:
    where = f"/api/sessions/{done}/export?format=json"
    body = server.ask(f"{where}&parts=answer,sources&parts=run").json()
    assert body["parts"] == ["answer", "sources", "run"]
    assert "spent" in body
    assert "arms" not in body
    refused = server.ask(f"{where}&parts=answr")
    assert refused.status == 400
    assert b"The parts are answer, sources, evidence, steps, run" in refused.body
    assert server.ask(f"/api/sessions/{done}/export?format=zip&parts=answer").status == 400


def test_a_title_of_another_script_names_the_file(server: Caller, done: str) -> None:
    server.ask(f"/api/sessions/{done}", {"title": '灯塔 "x"\r\n'}, method="PATCH")
    try:
        found = server.ask(f"/api/sessions/{done}/export?format=ris")
    finally:
        server.ask(f"/api/sessions/{done}", {"title": "Marta Lindqvist"}, method="PATCH")
    said = found.headers["content-disposition"]
    assert said == "attachment; filename=\"x.ris\"; filename*=UTF-8''%E7%81%AF%E5%A1%94-x.ris"
    assert found.headers["content-type"].startswith("application/x-research-info-systems")


def test_a_session_leaves_whole_and_comes_back(server: Caller, done: str) -> None:
    whole = server.ask(f"/api/sessions/{done}/export?format=zip")
    taken = server.ask("/api/sessions/import", whole.body)
    assert taken.status == 201
    back = get(server, f"/api/sessions/{taken.json()['session']}")
    assert back["answer"] == get(server, f"/api/sessions/{done}")["answer"]
    assert server.ask("/api/sessions/import", b"no archive").status == 400


def test_an_archive_that_lacks_pages_says_so(server: Caller, done: str) -> None:
    assert server.backend
    where = f"/api/sessions/{done}/export?format=zip"
    assert "forager-missing" not in server.ask(where).headers
    path = server.backend.settings.data / "blobs.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        kept = db.execute("SELECT digest, body FROM blobs WHERE kind = 'document'").fetchall()
        db.execute("UPDATE blobs SET body = x'00' WHERE kind = 'document'")
        told = server.ask(where)
        again = "INSERT OR REPLACE INTO blobs (digest, body, kind) VALUES (?, ?, 'document')"
        db.executemany(again, kept)
    assert (told.status, bool(kept)) == (200, True)
    assert "stored page" in told.headers["forager-missing"]
    assert "verify FILE --live" in told.headers["forager-missing"]
    assert "forager-missing" not in server.ask(where).headers


def test_a_session_that_has_answered_is_not_forked_from_nowhere(server: Caller, done: str) -> None:
    refused = server.ask(f"/api/sessions/{done}/fork", {"checkpoint": 9_999})
    assert refused.status == 409
    assert server.ask(f"/api/sessions/{done}/steer", {"hint": "Look north."}).status == 409
    assert server.ask(f"/api/sessions/{done}/pleas/none", {"yes": True}).status == 409
    assert get(server, f"/api/sessions/{done}/pleas") == []
    assert server.ask(f"/api/sessions/{done}/export?format=doc").status == 400


def test_graphs_recipes_and_the_machine_are_told(server: Caller) -> None:
    assert "mango" in [each["name"] for each in get(server, "/api/graphs")]
    assert server.ask("/api/graphs/check", {"graph": "mango"}).json() == []
    assert server.ask("/api/graphs/draw", {"graph": "mango"}).body.startswith(b"flowchart")
    assert get(server, "/api/recipes") == []
    assert server.ask("/api/recipes/7", method="DELETE").status == 404
    assert "Python" in [each["name"] for each in get(server, "/api/doctor")]


def test_the_memory_is_listed_and_searched(server: Caller) -> None:
    assert get(server, "/api/memory") == []
    assert get(server, "/api/memory?search=engineer") == []


def test_pages_that_were_crawled_are_searched(server: Caller, done: str) -> None:
    site = get(server, "/api/sessions?search=marta")["sessions"][0]["sites"][0]
    found = get(server, f"/api/search?query=lighthouse&site={site}&provider=sites")
    assert found["results"]
    assert server.ask("/api/search?query=+").status == 400


def test_the_page_cache_is_told_and_deleted(server: Caller, done: str) -> None:
    """The last one here, as the pages that others look for go."""
    cached = get(server, "/api/cache")
    assert cached["pages"] > 0
    assert server.ask("/api/cache", method="DELETE").json() == cached
    assert get(server, "/api/cache") == {"pages": 0, "bytes": 0}


def test_a_session_is_started_with_values_of_its_graph(server: Caller, site: str) -> None:
    graph = {
        "name": "small",
        "parameters": {"mapped": {"type": "integer", "default": 0, "help": "pages to map"}},
        "nodes": {
            "survey": {"type": "surveyor", "params": {"pages": "$mapped"}},
            "answer": {"type": "answerer"},
        },
        "edges": [
            "start -> survey",
            "survey.found -> answer",
            "survey.none -> answer",
            "answer.end -> end",
        ],
    }
    asked = {"question": QUESTION, "sites": [site], "graph": graph, "session": "valued"}
    for values, told in (
        ({"maped": 3}, "Did you mean 'mapped'?"),
        ({"mapped": "all"}, "It is a whole number, such as 3."),
        ({"mapped": -1}, "greater than or equal to 0"),
        ({"mapped": [1]}, "parameters"),
    ):
        refused = server.ask("/api/sessions", {**asked, "parameters": values})
        assert refused.status in {400, 422}
        assert told in refused.body.decode()
    begun = server.ask("/api/sessions", {**asked, "parameters": {"mapped": 3}})
    assert begun.status == 201, begun.body
    report = get(server, "/api/sessions/valued")
    plain = server.ask("/api/sessions", {**asked, "session": "plain"})
    assert plain.status == 201
    assert get(server, "/api/sessions/plain")["graph_hash"] != report["graph_hash"]
