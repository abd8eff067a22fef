"""The actor in a browser: it stands where it must, asks before it harms, and tells what came."""

from dataclasses import replace
from typing import Literal

import pytest

from forager.budget import start_meter
from forager.domain.actions import Action, Element
from forager.domain.browser import SentRequest, View
from forager.domain.documents import Document
from forager.domain.state import Step
from forager.errors import ActionError, BrowserError, WebError
from forager.ports import ActionCheck, ActionResult
from nodes.actor import LOOK_AGAIN, PERSON_NEEDED
from tests.fake_browser import FakeBrowser, FakePerson
from tests.fakes import MemoryBlobs
from tests.nodes.browser_states import DOME, HOME, LENS, MOVES, SCREENS, Walk
from tests.nodes.states import SITE, url

DELETE = Element(role="button", name="Delete", ancestors=("row Dome 1887",))
HARM = "It deletes something."


def walking(browser: FakeBrowser, blobs: MemoryBlobs, *, says: bool = False) -> Walk:
    """A walk in this browser, with somebody who always answers the same."""
    walk = Walk(browser=browser)
    walk.doors = replace(walk.doors, blobs=blobs, person=FakePerson(says=says))
    return walk


async def done(walk: Walk, *actions: Action) -> Step:
    """The last step, after these actions."""
    for action in actions:
        walk.propose(action)
        await walk.acted()
    return walk.state.steps[-1]


def person(walk: Walk) -> FakePerson:
    assert isinstance(walk.doors.person, FakePerson)
    return walk.doors.person


GOTO = Action(kind="goto", target=HOME)


async def test_an_action_is_a_step_with_its_view_and_page() -> None:
    walk = Walk()
    with start_meter() as used:
        step = await done(walk, GOTO, Action(kind="click", target="e5"))
    assert (step.id, step.outcome, step.action.at) == ("1.2", "moved", "1.1")
    assert step.view is not None
    assert (step.view.url, step.view.blob in walk.doors.blobs.kept) == (DOME, True)  # type: ignore[attr-defined]
    assert step.page is not None
    assert (step.page.url, step.page.site, step.page.depth) == (DOME, SITE, 1)
    ways: list[tuple[str, ...]] = [(), ("1.1",)]
    assert walk.browser.stood == ways
    assert used.actions == 2
    assert person(walk).asked == []


async def test_the_browser_returns_to_the_view_that_the_action_was_proposed_for() -> None:
    walk = Walk()
    to_dome = Action(kind="click", target="e5")
    step = await done(walk, GOTO, to_dome, Action(kind="click", target="e6", at="1.1"))
    assert step.action.at == "1.1"
    step = await done(walk, Action(kind="click", target="e15", at="1.2"))
    assert step.view is not None
    assert step.view.url == LENS
    ways: list[tuple[str, ...]] = [(), ("1.1",), ("1.1",), ("1.1", "1.2")]
    assert walk.browser.stood == ways


async def test_a_path_that_cannot_be_replayed_is_a_failed_step() -> None:
    blobs = MemoryBlobs()
    walk = walking(FakeBrowser(blobs, SCREENS, MOVES, lost=(HOME,)), blobs)
    step = await done(walk, GOTO, Action(kind="click", target="e6", at="1.1"))
    assert (step.outcome, step.view) == ("failed", None)
    assert "leads elsewhere" in step.reason
    assert [each.kind for each in walk.browser.done] == ["goto"]


async def test_an_action_that_the_page_does_not_allow_is_a_failed_step() -> None:
    blobs = MemoryBlobs()
    nowhere = {(HOME, "click", "e5"): "http://host/nowhere"}
    walk = walking(FakeBrowser(blobs, SCREENS, nowhere), blobs)
    step = await done(walk, GOTO, Action(kind="click", target="e5"))
    assert step.outcome == "failed"
    assert "Nothing comes of click e5" in step.reason


async def test_an_action_that_is_refused_is_not_done_and_costs_nothing() -> None:
    blobs = MemoryBlobs()
    fault = ActionCheck(fault="e5 is not visible.")
    walk = walking(FakeBrowser(blobs, SCREENS, MOVES, examined={("click", "e5"): fault}), blobs)
    with start_meter() as used:
        step = await done(walk, GOTO, Action(kind="click", target="e5"))
    assert (step.outcome, step.reason) == ("failed", "e5 is not visible.")
    assert len(walk.browser.done) == used.actions == 1


@pytest.mark.parametrize("says", [True, False])
async def test_an_action_that_may_do_harm_waits_for_approval(says: bool) -> None:
    blobs = MemoryBlobs()
    browser = FakeBrowser(
        blobs, SCREENS, MOVES, examined={("click", "e16"): ActionCheck(harm=HARM)}
    )
    deleted = ActionResult(
        view=View(url=DOME),
        opened=await browser.render(DOME),
        sent=(SentRequest(method="POST", url=DOME),),
        harm="It sent a form.",
    )
    browser.changes = {(DOME, "click", "e16"): deleted}
    walk = walking(browser, blobs, says=says)
    delete = Action(kind="click", target="e16", element=DELETE)
    step = await done(walk, GOTO, Action(kind="click", target="e5"), delete)
    [request] = person(walk).asked
    assert request.kind == "approve"
    assert request.what == "Click the button “Delete” in the row “Dome 1887”"
    assert (request.why, request.url) == (HARM, DOME)
    assert blobs.get(request.picture).startswith(b"\x89PNG")
    if says:
        assert (step.outcome, step.harm) == ("moved", "It sent a form.")
        assert [sent.method for sent in step.sent] == ["POST"]
    else:
        assert (step.outcome, step.harm) == ("failed", "")
        assert step.reason == f"{HARM} It was not approved."
        assert delete not in browser.done


@pytest.mark.parametrize("says", [True, False])
async def test_a_gate_waits_for_a_person(says: bool) -> None:
    blobs = MemoryBlobs()
    gate = ActionCheck(gate="The page asks for a login.")
    browser = FakeBrowser(blobs, SCREENS, MOVES, examined={("click", "e5"): gate})
    walk = walking(browser, blobs, says=says)
    step = await done(walk, GOTO, Action(kind="click", target="e5"))
    [request] = person(walk).asked
    assert (request.kind, request.what, request.why) == ("take over", gate.gate, PERSON_NEEDED)
    assert step.outcome == ("moved" if says else "failed")


async def test_after_a_person_has_passed_a_gate_the_page_is_looked_at_again() -> None:
    """The action was meant for the page before; what stands there now is seen first."""
    blobs = MemoryBlobs()
    passed = ActionCheck(passed=True, fault="The page has changed.")
    browser = FakeBrowser(blobs, SCREENS, MOVES, examined={("click", "e5"): passed})
    step = await done(walking(browser, blobs), GOTO, Action(kind="click", target="e5"))
    assert (step.outcome, step.action.kind, step.action.reason) == (
        "moved",
        "press",
        LOOK_AGAIN.reason,
    )
    assert step.view is not None
    assert step.action.at


async def test_without_a_picture_the_person_is_still_asked() -> None:
    class Blind(FakeBrowser):
        async def screenshot(self, walk: str) -> bytes:
            raise ActionError("There is nothing to see.")

    blobs = MemoryBlobs()
    harm = ActionCheck(harm=HARM)
    walk = walking(Blind(blobs, SCREENS, MOVES, examined={("click", "e5"): harm}), blobs)
    await done(walk, GOTO, Action(kind="click", target="e5"))
    assert [request.picture for request in person(walk).asked] == [""]


async def test_a_browser_that_goes_away_is_a_failed_step() -> None:
    walk = Walk()
    await done(walk, GOTO)
    walk.browser.away = BrowserError("There is no browser.")
    step = await done(walk, GOTO)
    assert (step.outcome, step.reason) == ("failed", "There is no browser.")


@pytest.mark.parametrize("kind", ["goto", "visit"])
async def test_if_no_site_can_be_had_the_run_fails_with_the_last_error(
    kind: Literal["goto", "visit"],
) -> None:
    blobs = MemoryBlobs()
    private = ActionCheck(fault="It is a private address, which is refused.")
    examined = {("goto", HOME): private, ("goto", url("other")): private}
    walk = walking(FakeBrowser(blobs, SCREENS, examined=examined), blobs)
    walk.state.question = walk.state.question.model_copy(update={"sites": (HOME, url("other"))})
    step = await done(walk, Action(kind=kind, target=HOME))
    assert (step.outcome, step.reason != "") == ("failed", True)
    with pytest.raises(WebError, match="private address" if kind == "goto" else "answered 404"):
        await done(walk, Action(kind=kind, target=url("other")))


async def test_a_site_that_fails_after_another_answered_is_warned_of() -> None:
    told: list[str] = []

    async def hear(message: str) -> None:
        told.append(message)

    walk = Walk()
    walk.state.question = walk.state.question.model_copy(update={"sites": (HOME, url("gone"))})
    with start_meter(warn=hear):
        step = await done(walk, GOTO, Action(kind="goto", target=url("gone")))
    assert step.outcome == "failed"
    assert told == [step.reason]


async def test_a_page_of_another_site_is_not_read_though_the_browser_shows_it() -> None:
    blobs = MemoryBlobs()
    outside = Document(url="http://elsewhere/", title="Elsewhere")
    browser = FakeBrowser(blobs, SCREENS, MOVES, documents=(outside,))
    opened = ActionResult(
        view=View(url=outside.url),
        opened=(await browser.render(DOME)).model_copy(update={"document": outside}),
    )
    browser.changes = {(HOME, "click", "e5"): opened}
    walk = walking(browser, blobs)
    step = await done(walk, GOTO, Action(kind="click", target="e5"))
    assert (step.outcome, step.page) == ("failed", None)
    assert "which is on another site" in step.reason
    assert step.view is not None
