import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from pydantic import JsonValue

from graphs.sessions.service import Event
from tests.coast import ENGINEER, SKARN, Coast
from tests.ui.server.api_client import Caller
from ui.server.live.merge_patch import Document, apply_patch
from ui.server.live.run_clock import RunClock, Work

PROMPT = 2.0
"""Seconds within which a request to pause or stop is carried out."""


class Told:
    """A clock that is told events of one node at given seconds, in the past."""

    def __init__(self) -> None:
        self.clock = RunClock()
        self.began = time.time() - 1000

    def __call__(
        self, second: float, kind: str, node: str = "survey", fetched: int | None = None
    ) -> None:
        moment = self.began + second
        data: dict[str, JsonValue] = {} if fetched is None else {"fetched": fetched}
        event = Event(
            session="one", seq=1, time=moment, node=node, kind=kind, message="", data=data
        )
        self.clock.take_event(event)

    def seconds(self, booked: float, *, running: bool) -> float:
        return self.clock.read(Work(booked), running=running).seconds

    def pages(self, booked: int, *, running: bool) -> int:
        return self.clock.read(Work(0, booked), running=running).pages


def test_a_failed_step_takes_no_time_back_and_waiting_is_no_work() -> None:
    tell = Told()
    tell(0, "started")
    assert tell.seconds(0, running=True) > 999
    tell = Told()
    for second, kind in ((0, "started"), (2, "failed"), (9, "started"), (10, "asked")):
        tell(second, kind)
    assert tell.seconds(0, running=True) == pytest.approx(3)
    assert tell.clock.worked_at(tell.began + 50) == pytest.approx(3)
    tell(20, "started")
    tell(21, "finished")
    assert tell.seconds(0, running=True) == pytest.approx(3)  # not booked yet
    assert tell.seconds(4, running=True) == 4


def test_what_a_graph_inside_took_counts_until_it_is_booked() -> None:
    tell = Told()
    for second, kind in ((0, "started"), (2, "finished")):
        tell(second, kind, "read/visit")
    assert tell.seconds(0, running=True) == pytest.approx(2)
    tell(3, "started", "reflect")
    tell(4, "finished", "reflect")
    assert tell.seconds(3, running=True) == 3


def test_a_run_that_went_back_to_a_checkpoint_has_its_time() -> None:
    tell = Told()
    assert tell.seconds(8, running=False) == 8
    tell(1, "rewound", "")
    assert tell.seconds(5, running=False) == 5


def test_an_abandoned_node_is_owed_and_works_no_more() -> None:
    tell = Told()
    for second, kind, node in ((0, "started", "survey"), (24, "started", "answer")):
        tell(second, kind, node)
    tell(25, "finished", "answer")
    assert tell.clock.worked_at(tell.began + 999) == pytest.approx(25)
    assert tell.seconds(25, running=True) == 25


def test_a_run_that_ended_has_the_time_that_is_booked() -> None:
    tell = Told()
    tell(0, "started")
    assert tell.seconds(82, running=True) > 1000
    assert tell.seconds(82, running=False) == 82


def test_pages_count_while_they_are_fetched_and_not_twice() -> None:
    tell = Told()
    tell(0, "started")
    tell(1, "progress", fetched=12)
    assert tell.pages(0, running=True) == 12
    tell(2, "finished")
    assert tell.pages(0, running=True) == 12  # not booked yet
    assert tell.pages(20, running=True) == 20


def test_what_was_at_work_in_a_run_that_was_left_takes_no_more_time() -> None:
    tell = Told()
    tell(0, "started")
    tell.clock.leave_work()
    assert tell.seconds(3, running=False) == 3
    assert tell.seconds(3, running=True) == 3  # it is resumed, and has not said so yet


def test_what_is_changed_while_a_run_is_paused_counts_no_pause() -> None:
    tell = Told()
    tell(0, "started")
    tell(2, "progress")
    tell(500, "steered", "")
    tell(600, "resumed", "")
    tell(600, "started")
    assert tell.clock.worked_at(tell.began + 601) == pytest.approx(3)


def test_pages_of_an_abandoned_survey_count_once() -> None:
    tell = Told()
    for second, kind, fetched in ((0, "started", None), (5, "progress", 143)):
        tell(second, kind, fetched=fetched)
    assert tell.pages(0, running=True) == 143
    assert tell.pages(143, running=False) == 143  # paused: all is booked
    tell(9, "resumed", "")
    tell(9, "started")
    assert tell.pages(143, running=True) == 143
    tell(10, "progress", fetched=5)
    tell(11, "started", "answer")
    assert tell.pages(143, running=True) == 148
    tell(12, "finished", "answer")
    assert tell.pages(148, running=True) == 148


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
    ("verb", "status", "mapped", "unread"),
    [
        (
            "pause",
            "paused",
            "2 of at most 2,000 pages mapped",
            "No page was read for an answer yet.",
        ),
        ("stop", "partial", "2 pages are known", "not complete"),
    ],
)
def test_a_survey_is_left_within_two_seconds_and_says_how_far_it_came(  # noqa: PLR0917
    server: Caller, coast: Coast, verb: str, status: str, mapped: str, unread: str
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
    assert mapped in reading
    assert unread in reading
    assert (used(view, "seconds") or 0) >= read[-1]


@pytest.mark.parametrize(
    ("verb", "step"), [("pause", {}), ("stop", {}), ("stop", {"checkpoint": 3})]
)
def test_what_a_survey_has_used_stays_used_once_when_it_is_resumed(
    server: Caller, coast: Coast, verb: str, step: Document
) -> None:
    status, back = {"pause": ("paused", "resume"), "stop": ("partial", "go-on")}[verb]
    id = f"again-{verb}-{len(step)}"
    asked = {"question": ENGINEER, "sites": [coast.url()], "session": id, "budget": {"pages": 40}}
    assert server.ask("/api/sessions", asked).status == 201
    assert coast.wanted.wait(60)
    acts = {"running": (verb, None), status: (back, step)}
    view: Document = {}
    seconds: list[int] = []
    pages: list[float] = []
    left = 0
    for change in server.follow(id):
        view = apply_patch(view, change)
        seconds.append(int(used(view, "seconds") or 0))
        pages.append(used(view, "pages") or 0)
        stands = str(view["session"]["status"])  # type: ignore[index,call-overload]
        if stands == "answered":
            break
        if stands in acts and pages[-1] >= 2 and seconds[-1] >= 1:
            act, body = acts.pop(stands)
            if stands == status:
                left = len(seconds) - 1
                coast.let_go.set()
            assert server.ask(f"/api/sessions/{id}/{act}", body, "POST").status == 202
    assert not acts
    assert min(seconds[left:]) == seconds[left]
    assert pages == sorted(pages)
    assert pages[-1] == 3
    spent = server.ask(f"/api/sessions/{id}/spending").json()
    at = spent["ran"].index("survey")
    assert spent["pages"][at - 1 : at + 1] == [0, 3]
    assert spent["pages"][-1] == 3
    assert spent["seconds"][-1] >= 1
