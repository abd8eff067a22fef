"""The recorder of all ports: its tables fit the ports, and old recordings can be played."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from forager.adapters.models.chat_calls import Chat, ChatRequest, NoReplyError
from forager.adapters.recording.browser_recording import browser_calls
from forager.adapters.recording.model_recording import CHAT_CALLS, TAG, ChatReplay
from forager.adapters.recording.port_recording import (
    CallDescription,
    RecordedCall,
    RecordedCalls,
    Replay,
    ResultForm,
    record_port,
)
from forager.adapters.recording.tape import PlayedTape, Tape
from forager.adapters.recording.web_recording import SEARCH_CALLS, web_calls
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step, SubQuestion
from forager.errors import ConnectError, ContextError, SearchError, StatusError, UsageError
from forager.ports import ActionResult, Browser, Search, Web
from tests.fakes import MemoryBlobs

OLD = Path(__file__).parents[3] / "data" / "recording-0.1"
NEW_TAG = "fedcba9876543210"
ROOT = "http://127.0.0.1:18118/"
QUESTION = "Who drew four lighthouses in all, and how many lamps burned in the Vang lighthouse?"
PORTS: list[tuple[type, RecordedCalls]] = [
    (Web, web_calls(MemoryBlobs())),
    (Search, SEARCH_CALLS),
    (Browser, browser_calls(MemoryBlobs())),
    (Chat, CHAT_CALLS),
]


def coroutines(port: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(method)
        for name, method in vars(port).items()
        if inspect.iscoroutinefunction(method)
    }


@pytest.mark.parametrize(("port", "calls"), PORTS, ids=[port.__name__ for port, _ in PORTS])
def test_each_method_of_a_port_is_declared_with_its_arguments(
    port: type, calls: RecordedCalls
) -> None:
    methods = coroutines(port)
    assert set(calls) == set(methods)
    for name, call in calls.items():
        if call:
            _, *wanted = methods[name].parameters.values()
            described = inspect.signature(call.describe).parameters.values()
            assert [(each.name, each.default) for each in described] == [
                (each.name, each.default) for each in wanted
            ]


@pytest.fixture
def blobs() -> MemoryBlobs:
    return MemoryBlobs()


@pytest.fixture
def played() -> PlayedTape:
    return PlayedTape(OLD / "web.jsonl")


def entries(file: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, (OLD / file).read_text().splitlines())


async def test_the_web_of_an_old_recording_is_played(
    played: PlayedTape, blobs: MemoryBlobs
) -> None:
    web: Web = Replay(web_calls(blobs), played)
    survey = await web.survey(ROOT, 2000)
    assert (survey.site, survey.pages) == (ROOT, 9)
    assert (await web.term_statistics(ROOT, f"{QUESTION}  ")).idf
    opened = await web.open(f"{ROOT}lindqvist.html")
    assert opened.document.title == "Marta Lindqvist"
    assert opened.fetched > 0
    assert blobs.get(opened.blob) == opened.document.model_dump_json().encode()
    with pytest.raises(StatusError) as missing:
        await web.open(f"{ROOT}nowhere.html")
    assert missing.value.status == 404
    with pytest.raises(ConnectError, match="refused the connection"):
        await web.survey("http://127.0.0.1:9/", 5)


async def test_a_ranking_of_an_old_recording_is_played(played: PlayedTape) -> None:
    [key] = [key for key in played.asked if key.startswith("rank") and "search" not in key][:1]
    _, method, top, rest = key.split(" ", 3)
    question, _, asked = rest.partition(" | ")
    parts = [
        SubQuestion(id=id, text="", query=query, site=site)
        for id, site, query in (each.split(" ", 2) for each in asked.split(" | "))
    ]
    web: Web = Replay(web_calls(MemoryBlobs()), played)
    hits = await web.rank(question, parts, int(top), "hybrid")
    assert method == "hybrid"
    assert {hit.url for hit in hits} >= {f"{ROOT}lindqvist.html", f"{ROOT}vang.html"}


async def test_a_search_of_an_old_recording_is_played(played: PlayedTape) -> None:
    search: Search = Replay(SEARCH_CALLS, played)
    found = await search.search("drew four lighthouses", 10, ROOT)
    assert found.results
    with pytest.raises(SearchError, match="No provider could search"):
        await search.search("lamp", 2)


async def test_the_browser_of_an_old_recording_is_played(
    played: PlayedTape, blobs: MemoryBlobs
) -> None:
    walk = f"1 {ROOT}office.html"
    browser: Browser = Replay(browser_calls(blobs), played)
    await browser.restore(walk, ())
    goto = Action(kind="goto", target=f"{ROOT}office.html")
    done = await browser.perform(walk, goto, "1.1")
    assert isinstance(done, ActionResult)
    assert done.opened.document.title == "The office"
    assert Snapshot.model_validate_json(blobs.get(done.view.blob)).url == done.view.url
    step = Step(id="1.1", round=1, number=1, action=goto, outcome="moved")
    await browser.restore(walk, (step,))
    assert (await browser.screenshot(walk)).startswith(b"\x89PNG")
    await browser.close_tabs(walk)
    [clicked] = [
        json.loads(entry["key"].split(" ", 4)[4])
        for entry in entries("web.jsonl")
        if entry["key"].startswith(f"perform {walk} 1.2 ")
    ]
    click = Action.model_validate(clicked)
    assert "sends a form by POST" in (await browser.examine(walk, click)).harm
    sent = await browser.perform(walk, click, "1.2")
    assert [each.method for each in sent.sent] == ["POST"]


async def test_the_model_of_an_old_recording_is_played() -> None:
    replay = ChatReplay(OLD)
    assert replay.model_for_role("extractor") == "openai:any"
    played: list[str] = []
    for entry in entries("model.jsonl"):
        request = ChatRequest.model_validate({**entry["asked"], "tag": NEW_TAG})
        messages = tuple(
            message.model_copy(
                update={"content": message.content.replace(entry["asked"]["tag"], NEW_TAG)}
            )
            for message in request.messages
        )
        request = request.model_copy(update={"messages": messages})
        try:
            said = await replay.complete(request)
            assert said.text == entry["reply"]["text"].replace(TAG, NEW_TAG)
        except (ContextError, NoReplyError) as error:
            played.append(str(error))
    assert [each.partition(".")[0] for each in played] == [
        "The prompt has 9,000 tokens; the model takes 8,000",
        "the endpoint's content filter refused",
    ]
    await replay.aclose()


class Clock(Protocol):
    """A port for these tests."""

    zone: str

    async def time(self, place: str, hours: int = 0) -> int:
        """The hour. Raises SearchError."""


class RealClock:
    zone = "UTC"
    asked = 0

    async def time(self, place: str, hours: int = 0) -> int:
        self.asked += 1
        if place == "nowhere":
            raise SearchError("There is no such place.", "Ask for another one.")
        if place == "lost":
            raise UsageError("This is no part of a recording.")
        return self.asked + hours


def _time(place: str, hours: int = 0) -> CallDescription:
    return CallDescription(f"time {place} {hours}", f"The time in {place}")


CLOCK: RecordedCalls = {"time": RecordedCall(_time, ResultForm(int))}


async def test_any_port_is_recorded_and_played(tmp_path: Path) -> None:
    real = RealClock()
    clock: Clock = record_port(real, CLOCK, Tape(tmp_path / "clock.jsonl"))
    assert [await clock.time("here"), await clock.time("here", hours=5)] == [1, 7]
    assert await clock.time("here") == 3
    with pytest.raises(SearchError):
        await clock.time("nowhere")
    with pytest.raises(UsageError):
        await clock.time("lost")
    assert clock.zone == "UTC"
    replay: Clock = Replay(CLOCK, PlayedTape(tmp_path / "clock.jsonl"))
    assert [await replay.time("here", 5), await replay.time("here"), await replay.time("here")] == [
        7, 1, 3,
    ]  # fmt: skip
    with pytest.raises(SearchError, match=r"no such place\. Ask for"):
        await replay.time("nowhere")
    for place in ("lost", "elsewhere"):
        with pytest.raises(UsageError, match=f"The time in {place} is not in the recording"):
            await replay.time(place)
    assert real.asked == 5
