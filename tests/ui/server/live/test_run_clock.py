import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from graphs.sessions.service import Event
from tests.coast import ENGINEER, SKARN, Coast
from tests.ui.server.api_client import Caller
from ui.server.live.merge_patch import Document
from ui.server.live.run_clock import RunClock

PROMPT = 2.0
"""Seconds within which a request to pause or stop is carried out."""


class Told:
    """A clock that is told events of one node at given seconds, in the past."""

    def __init__(self) -> None:
        self.clock = RunClock()
        self.began = time.time() - 1000

    def __call__(self, second: float, kind: str, node: str = "survey") -> None:
        moment = self.began + second
        event = Event(session="one", seq=1, time=moment, node=node, kind=kind, message="", data={})
        self.clock.take_event(event)


def test_a_failed_step_takes_no_time_back_and_waiting_is_no_work() -> None:
    tell = Told()
    tell(0, "started")
    assert tell.clock.read(0, running=True) > 999
    tell = Told()
    for second, kind in ((0, "started"), (2, "failed"), (9, "started"), (10, "asked")):
        tell(second, kind)
    assert tell.clock.read(0, running=True) == pytest.approx(3)
    assert tell.clock.worked_at(tell.began + 50) == pytest.approx(3)
    tell(20, "started")
    tell(21, "finished")
    assert tell.clock.read(0, running=True) == pytest.approx(3)  # not booked yet
    assert tell.clock.read(4, running=True) == 4


def test_what_a_graph_inside_took_counts_until_it_is_booked() -> None:
    tell = Told()
    for second, kind in ((0, "started"), (2, "finished")):
        tell(second, kind, "read/visit")
    assert tell.clock.read(0, running=True) == pytest.approx(2)
    tell(3, "started", "reflect")
    tell(4, "finished", "reflect")
    assert tell.clock.read(3, running=True) == 3


def test_a_run_that_went_back_to_a_checkpoint_has_its_time() -> None:
    tell = Told()
    assert tell.clock.read(8, running=False) == 8
    tell(1, "rewound", "")
    assert tell.clock.read(5, running=False) == 5


def test_an_abandoned_node_is_owed_and_works_no_more() -> None:
    tell = Told()
    for second, kind, node in ((0, "started", "survey"), (24, "started", "answer")):
        tell(second, kind, node)
    tell(25, "finished", "answer")
    assert tell.clock.worked_at(tell.began + 999) == pytest.approx(25)
    assert tell.clock.read(25, running=True) == 25


def test_a_run_that_ended_has_the_time_that_is_booked() -> None:
    tell = Told()
    tell(0, "started")
    assert tell.clock.read(82, running=True) > 1000
    assert tell.clock.read(82, running=False) == 82


@pytest.fixture
def coast() -> Iterator[Coast]:
    with Coast(SKARN) as site:
        yield site
        site.let_go.set()


def used(change: Document, kind: str) -> float | None:
    spend = change.get("spend")
    counted = spend.get(kind) if isinstance(spend, dict) else None
    amount = counted.get("used") if isinstance(counted, dict) else None
    return amount if isinstance(amount, (int, float)) else None


def test_pages_that_a_survey_fetches_count_at_once(server: Caller, coast: Coast) -> None:
    asked = {"question": ENGINEER, "sites": [coast.url()], "session": "s", "budget": {"pages": 40}}
    assert server.ask("/api/sessions", asked).status == 201
    assert coast.wanted.wait(60)
    assert any((used(change, "pages") or 0) >= 2 for change in server.follow("s"))


@pytest.mark.parametrize(
    ("verb", "status", "unread"),
    [("pause", "paused", "No page was read for an answer yet."), ("stop", "partial", "left early")],
)
def test_a_survey_is_left_within_two_seconds_and_says_how_far_it_came(
    server: Caller, coast: Coast, verb: str, status: str, unread: str
) -> None:
    asked = {"question": ENGINEER, "sites": [coast.url()], "session": verb}
    assert server.ask("/api/sessions", asked).status == 201
    assert coast.wanted.wait(60)
    read: list[float] = []
    for change in server.follow(verb):
        now = used(change, "seconds")
        read += [] if now is None else [now]
        if len(read) > 2 and "mapped" in str(server.ask(f"/api/sessions/{verb}/events").json()):
            break
    assert all(before < after for before, after in pairwise(read))
    begun = time.monotonic()
    assert server.ask(f"/api/sessions/{verb}/{verb}", method="POST").status == 202
    view = server.seen(verb, status)
    assert time.monotonic() - begun < PROMPT
    reading = str(view["answer"]["reading"])  # type: ignore[index,call-overload]
    assert "2 of at most 2,000 pages mapped" in reading
    assert unread in reading
    assert (used(view, "seconds") or 0) >= read[-1]
