"""In a browser the navigator acts on what the page allows, one action at a time."""

from dataclasses import replace

import pytest

from forager.domain.actions import Element
from forager.domain.browser import Snapshot, View
from forager.domain.documents import Document
from forager.domain.spend import Budget
from forager.domain.state import Draw, Survey
from forager.errors import BrowserError
from forager.ports import ActionCheck, ActionResult
from nodes.navigator import NavigatorParams
from nodes.navigator.browser import ActInBrowser, Move
from nodes.navigator.forced_moves import NO_PAGE_OPENED, OFF_SITE
from nodes.navigator.params import NOTHING_OPEN
from tests.fake_browser import FakeBrowser
from tests.fakes import MemoryBlobs
from tests.nodes.browser_states import (
    DOME,
    HOME,
    LENS,
    MOVES,
    PARAMS,
    PRESS,
    SCREENS,
    Walk,
    kinds,
    opened,
)
from tests.nodes.states import SITE, entry, part, passage, state, url


def shown(task: ActInBrowser, title: str) -> str:
    """What stands in a section of a prompt."""
    sections = [each for each in task.sections() if each.title.startswith(title)]
    return "\n".join(item.text for section in sections for item in section.items)


async def asked(*replies: Move, params: NavigatorParams = PARAMS) -> tuple[Walk, ActInBrowser]:
    """What is asked on the home page."""
    walk = await opened(*replies, params=params)
    await walk.proposed()
    task = walk.model.asked[-1]
    assert isinstance(task, ActInBrowser)
    return walk, task


# ---- without asking anybody


async def test_a_walk_begins_at_the_arm_drawn_and_reads_what_it_opens() -> None:
    walk = Walk()
    action = await walk.proposed()
    assert (action.kind, action.target) == ("goto", SITE)
    await walk.acted()
    assert (await walk.proposed()).kind == "aggregate"
    assert not walk.model.asked


async def test_without_an_arm_it_begins_at_the_sites_and_tries_each_once() -> None:
    question = state().question.model_copy(update={"sites": (url("gone"), SITE)})
    start = replace(state(), question=question, draw=Draw(round=0))
    walk = Walk(start=start)
    assert kinds(await walk.go(2)) == [f"goto {url('gone')}", f"goto {SITE}"]
    known = replace(start, survey=Survey(pages={SITE: 1}))
    done = await Walk(start=known, screens={}).go(5)
    assert (done[-1].kind, done[-1].reason, len(done)) == ("stop", NO_PAGE_OPENED, 3)


async def test_a_page_that_says_the_same_is_read_once() -> None:
    walk = await opened(Move(kind="click", ref="e4"), Move(kind="click", ref="e5"))
    assert kinds(await walk.go(2)) == ["click e4", "click e5"]
    assert (await walk.proposed()).kind == "aggregate"


async def test_where_it_is_not_eager_the_model_says_when_a_page_is_read() -> None:
    choosy = NavigatorParams(mode="visual", eager=False)
    walk = Walk(Move(kind="click", ref="e5"), Move(kind="aggregate"), params=choosy)
    await walk.go(2)
    assert (await walk.proposed()).kind == "aggregate"
    walk.read()
    await walk.proposed()
    task = walk.model.asked[-1]
    assert isinstance(task, ActInBrowser)
    assert "aggregate" not in task.kinds


async def test_the_steps_and_the_aggregator_end_it() -> None:
    walk = await opened(params=NavigatorParams(mode="browser", steps=1))
    assert (await walk.proposed()).reason == "the budget of steps is spent"
    walk = await opened()
    walk.state = replace(walk.state, evidence=(entry(1, passage("It was Ottilie.")),))
    assert (await walk.proposed()).reason == NOTHING_OPEN
    assert walk.browser.left == [f"1 {SITE}"]
    out = state(urls=[SITE], budget=Budget(pages=1))
    out = replace(out, spend=out.spend.model_copy(update={"actions": 1}))
    assert (await Walk(start=out).proposed()).kind == "stop"


async def test_from_a_site_that_was_not_asked_it_goes_back() -> None:
    walk = await opened(Move(kind="click", ref="e7"))
    outside = Document(url="http://elsewhere/", title="Elsewhere")
    there = (await walk.browser.render(HOME)).model_copy(update={"document": outside})
    walk.browser.changes = {
        (HOME, "click", "e7"): ActionResult(view=View(url=outside.url), opened=there)
    }
    await walk.go(1)
    assert walk.state.steps[-1].outcome == "failed"
    back = await walk.proposed()
    assert (back.kind, back.reason) == ("back", OFF_SITE)
    failed = walk.state.steps[-1].model_copy(
        update={"id": "1.3", "action": back, "view": None, "outcome": "failed"}
    )
    walk.state = replace(walk.state, steps=(*walk.state.steps, failed))
    assert kinds([await walk.proposed()]) == [f"goto {HOME}"]


# ---- by rule


async def test_the_rule_follows_what_bears_on_the_question_and_then_stops() -> None:
    walk = await opened()
    done = await walk.go(9)
    assert kinds(done) == ["click e5", "click e15", "stop"]
    assert walk.state.steps[-1].page is not None
    assert walk.state.steps[-1].page.url == LENS
    assert walk.state.proposal is not None
    assert walk.state.proposal.nothing_left


async def test_the_rule_goes_back_where_nothing_leads_on() -> None:
    class Returning(FakeBrowser):
        def _view(self, url: str) -> View:
            snapshot = Snapshot(url=url, tree=self.screens[url], back=url != HOME)
            return View(url=url, blob=self._blobs.put(snapshot.model_dump_json().encode()))

    blobs = MemoryBlobs()
    moves = {**MOVES, (PRESS, "back", ""): HOME, (LENS, "back", ""): DOME}
    walk = Walk(browser=Returning(blobs, SCREENS, moves))
    walk.doors = replace(walk.doors, blobs=blobs)
    done = kinds(await walk.go(9))
    assert done[:5] == [f"goto {SITE}", "click e5", "click e15", "back", "stop"]


async def test_the_rule_tries_another_start_before_it_stops() -> None:
    question = state().question.model_copy(update={"sites": (SITE, DOME)})
    start = replace(state(part(text="storm", storm=1.0), urls=[SITE]), question=question)
    walk = Walk(start=start)
    assert kinds(await walk.go(9)) == [f"goto {SITE}", "type e3", f"goto {DOME}", "stop"]


# ---- what is asked


async def test_it_sees_the_page_its_way_and_what_it_may_do() -> None:
    walk, task = await asked(Move(kind="click", ref="e5", reason="it names the dome"))
    assert "e5" in shown(task, "The page")
    assert SITE in shown(task, "Addresses")
    assert set(task.kinds) >= {"click", "type", "goto", "find", "stop"}
    assert not {"scroll", "focus_tab", "aggregate", "select"} & set(task.kinds)
    await walk.acted()
    walk.read()
    await walk.proposed()
    task = walk.model.asked[-1]  # type: ignore[assignment]
    assert "Click the link “Who founded the dome”" in shown(task, "Your last steps")


async def test_a_rejected_action_is_told_with_its_reason() -> None:
    fault = ActionCheck(fault="e4 is not enabled.")
    blobs = MemoryBlobs()
    browser = FakeBrowser(blobs, SCREENS, examined={("click", "e4"): fault})
    walk = Walk(Move(kind="click", ref="e4"), browser=browser)
    walk.doors = replace(walk.doors, blobs=blobs)
    await walk.go(2)
    await walk.proposed()
    task = walk.model.asked[-1]
    assert isinstance(task, ActInBrowser)
    assert "failed. e4 is not enabled." in shown(task, "Your last steps")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Move(kind="click", ref="e99"), "e99"),
        (Move(kind="click"), "no element"),
        (Move(kind="scroll", value="down"), "cannot be used now"),
        (Move(kind="goto", value="http://elsewhere/"), "not on a site"),
        (Move(kind="find", value=" "), "words"),
        (Move(kind="select", ref="e3", value="x"), "cannot be used now"),
        (Move(kind="type", ref="e4", value="x"), "takes no text"),
    ],
)
async def test_what_cannot_be_done_goes_back_with_the_reason(reply: Move, said: str) -> None:
    _, task = await asked()
    [fault] = task.faults(reply)
    assert said in fault


async def test_what_can_be_done_becomes_an_action() -> None:
    _, task = await asked()
    typed = Move(kind="type", ref="e3", value="dome", submit=True, reason="search")
    assert task.faults(typed) == []
    action = task.to_action(typed)
    assert (action.kind, action.target, action.value, action.submit) == ("type", "e3", "dome", True)
    assert action.element == Element(role="searchbox", name="Search", ancestors=())
    assert action.at == "1.1"
    goto = task.to_action(Move(kind="goto", value=DOME))
    assert (goto.kind, goto.target, goto.value) == ("goto", DOME, "")
    assert task.faults(Move(kind="goto", value=DOME)) == []
    assert task.to_action(Move(kind="stop", value="1887")).value == "1887"


async def test_the_same_thing_is_not_done_for_ever() -> None:
    walk = await opened(*[Move(kind="click", ref="e4")] * 3)
    done = await walk.go(3)
    assert kinds(done)[:2] == ["click e4"] * 2
    assert kinds(done)[2] == "click e5", "the rule takes over"


async def test_looking_for_words_costs_no_action() -> None:
    walk, task = await asked(
        Move(kind="find", value="hours"), Move(kind="find", value="storm"), Move(kind="stop")
    )
    assert walk.state.proposal is not None
    assert walk.state.proposal.action.kind == "stop"
    assert "e7" in shown(task, "Found in the whole page")
    assert "storm" in shown(task, "Found in the whole page")
    assert "find" not in task.kinds, "so many looks are enough"
    assert len(walk.state.steps) == 1


async def test_a_stop_carries_the_answer_it_has_in_mind() -> None:
    walk, _ = await asked(Move(kind="stop", value="Ottilie Brandt"))
    assert walk.state.proposal is not None
    assert walk.state.proposal.action.value == "Ottilie Brandt"
    assert not walk.state.proposal.nothing_left


async def test_in_visual_mode_it_sees_the_picture() -> None:
    visual = NavigatorParams(mode="visual")
    _, task = await asked(params=visual)
    assert [picture[1:4] for picture in task.pictures()] == [b"PNG"]
    _, task = await asked()
    assert task.pictures() == ()


async def test_without_a_picture_it_goes_on() -> None:
    class Blind(FakeBrowser):
        async def screenshot(self, walk: str) -> bytes:
            raise BrowserError("No picture.")

    blobs = MemoryBlobs()
    walk = Walk(params=NavigatorParams(mode="visual"), browser=Blind(blobs, SCREENS))
    walk.doors = replace(walk.doors, blobs=blobs)
    await walk.go(1)
    assert (await walk.proposed()).kind == "aggregate"
    walk.read()
    assert (await walk.proposed()).kind == "click"
