"""Events as server-sent events."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import NamedTuple

import pytest

from tests.ui.server.api_client import PATIENCE, Caller

QUESTION = "Which engineer built the Skarn lighthouse?"


class Sent(NamedTuple):
    """A server-sent event."""

    event: str
    id: str
    data: dict[str, object]


def stream(server: Caller, path: str, **headers: str) -> Iterator[Sent]:
    """The events of a stream, to its end."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        given = {"authorization": f"Bearer {server.token}", **headers}
        line.request("GET", path, headers=given)
        reply = line.getresponse()
        assert reply.status == 200
        assert reply.getheader("content-type", "").startswith("text/event-stream")
        for block in reply.read().decode().split("\n\n"):
            fields = dict(each.split(": ", 1) for each in block.splitlines() if each[:1] != ":")
            if fields:
                yield Sent(fields["event"], fields.get("id", ""), json.loads(fields["data"]))
    finally:
        line.close()


@pytest.fixture(scope="module")
def asked(server: Caller, site: str) -> tuple[str, list[Sent]]:
    """A session and the stream that followed its run."""
    body = {"question": QUESTION, "sites": [site], "session": "streamed"}
    assert server.ask("/api/sessions", body).status == 201
    return "streamed", list(stream(server, "/api/sessions/streamed/events/stream"))


def test_the_events_of_a_run_come_in_order_and_then_its_end(
    server: Caller, asked: tuple[str, list[Sent]]
) -> None:
    id, sent = asked
    *events, end = sent
    assert (end.event, end.data) == ("end", {"session": id, "status": "answered"})
    kept = server.ask(f"/api/sessions/{id}/events").json()
    last = {each["seq"]: each for each in kept}
    assert [int(each.id) for each in events] == sorted({int(each.id) for each in events})
    assert {each.event for each in events} >= {"begun", "started", "finished"}
    for each in events:
        if each.event == "finished":
            assert each.data == last[int(each.id)]


def test_a_reader_goes_on_where_it_was_cut_off(
    server: Caller, asked: tuple[str, list[Sent]]
) -> None:
    id, sent = asked
    path = f"/api/sessions/{id}/events/stream"
    seen = sent[4].id
    rest = list(stream(server, path, **{"last-event-id": seen}))
    assert rest == list(stream(server, f"{path}?after={seen}"))
    assert all(int(each.id) > int(seen) for each in rest[:-1])
    assert rest[-1] == sent[-1]
    assert server.ask("/api/sessions/none/events/stream").status == 404
    assert server.ask(f"{path}?after=x").status == 400
