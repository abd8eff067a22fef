"""Recorded results of the Browser port are replayed without a browser."""

from pathlib import Path

import pytest

from forager.adapters.recording.browser_recording import browser_calls
from forager.adapters.recording.document_tape import FILE
from forager.adapters.recording.port_recording import Replay, record_port
from forager.adapters.recording.tape import PlayedTape, Tape
from forager.domain.actions import Action
from forager.domain.browser import Snapshot, View
from forager.domain.state import Step
from forager.errors import ActionError, ReplayError, UsageError
from forager.ports import ActionCheck, Browser
from tests.fake_browser import FakeBrowser
from tests.fakes import MemoryBlobs

GOTO = Action(kind="goto", target="http://h/", reason="to begin")
CLICK = Action(kind="click", target="e1")
NOWHERE = Action(kind="goto", target="http://nowhere/")


@pytest.fixture
def recorded() -> MemoryBlobs:
    return MemoryBlobs()


@pytest.fixture
def browser(recorded: MemoryBlobs) -> FakeBrowser:
    return FakeBrowser(
        recorded,
        {"http://h/": '- link "On" [ref=e1]', "http://h/on": "- text: there"},
        {("http://h/", "click", "e1"): "http://h/on"},
        examined={("click", "e1"): ActionCheck(harm="It may write.")},
        lost=("http://lost/",),
    )


def step(url: str) -> Step:
    return Step(
        id="1.1", round=1, number=1, action=GOTO, outcome="moved", view=View(url=url, blob="b")
    )


async def test_replay_shows_all_recorded_results(
    browser: FakeBrowser, recorded: MemoryBlobs, tmp_path: Path
) -> None:
    recorder = record_port(browser, browser_calls(recorded), Tape(tmp_path / FILE))
    await recorder.restore("w", ())
    first = await recorder.perform("w", GOTO, "1.1")
    examined = await recorder.examine("w", CLICK)
    second = await recorder.perform("w", CLICK, "1.2")
    rendered = await recorder.render("http://h/")
    picture = await recorder.screenshot("w")
    with pytest.raises(ReplayError):
        await recorder.restore("w", (step("http://lost/"),))
    with pytest.raises(ActionError):
        await recorder.perform("w", NOWHERE, "1.3")
    await recorder.close_tabs("w")

    blobs = MemoryBlobs()
    replay: Browser = Replay(browser_calls(blobs), PlayedTape(tmp_path / FILE))
    await replay.restore("w", ())
    again = await replay.perform("w", GOTO.model_copy(update={"reason": "another"}), "1.1")
    assert (again.view, again.opened.blob) == (first.view, first.opened.blob)
    assert again.view.picture
    assert again.view.picture not in blobs.kept, "a tape has its hash alone"
    assert again.opened.cached
    assert Snapshot.model_validate_json(blobs.get(again.view.blob)).url == "http://h/"
    assert await replay.examine("w", CLICK) == examined
    assert (await replay.perform("w", CLICK, "1.2")).view == second.view
    assert (await replay.render("http://h/")).document == rendered.document
    assert await replay.screenshot("w") == picture
    with pytest.raises(ReplayError, match="leads elsewhere"):
        await replay.restore("w", (step("http://lost/"),))
    with pytest.raises(ActionError, match="Nothing comes of"):
        await replay.perform("w", NOWHERE, "1.3")
    with pytest.raises(UsageError, match=r"The action goto http://other/ is not in the recording"):
        await replay.perform("w", Action(kind="goto", target="http://other/"), "1.1")
    await replay.close_tabs("w")
