"""What the pictures of a run are drawn from."""

from contextlib import closing
from itertools import pairwise

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.sessions.session_store import SessionStore
from forager.browsing.action_text import describe_action
from forager.domain.actions import Action
from forager.domain.approvals import ApprovalRequest
from forager.domain.browser import View
from forager.domain.state import Arm, Draw, Lesson, Question, State, Step
from forager.errors import SessionError
from graphs.sessions.figures import RoundDraw, Screenshot, action_screenshots, round_draw
from graphs.sessions.service import Sessions
from tests.graphs.conftest import FORAGER


async def test_every_round_has_a_draw(sessions: Sessions, ended: str) -> None:
    arms = (await sessions.show(ended)).arms
    draws = await sessions.figures.draws(ended)
    assert [draw.round for draw in draws] == [1, 2]
    for draw in draws:
        assert {arms[number - 1].draws for number in draw.arms} != {0}
        assert all(draw.outcomes)


def test_a_draw_has_samples_and_outcomes_by_arm_number() -> None:
    a, b = (Arm(url=f"http://lights/{name}") for name in "ab")
    lesson = Lesson(
        id="l1", round=1, url=b.url, outcome="partial", alpha=1, beta=0, retired=False, text=""
    )
    state = State(question=Question(text="?", sites=()), arms=(a, b), lessons=(lesson,))
    draw = Draw(round=1, urls=(b.url,), samples={b.url: 0.87654, a.url: 0.1}, reason="thompson")
    assert round_draw(draw, state) == RoundDraw(
        round=1, samples={1: 0.1, 2: 0.877}, arms=(2,), outcomes=("partial",), strategy="thompson"
    )
    later = draw.model_copy(update={"round": 2})
    assert round_draw(later, state).outcomes == ("",)


async def test_a_session_that_has_not_run_has_no_draws(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    assert await sessions.figures.draws(id) == ()
    with pytest.raises(SessionError, match="no session"):
        await sessions.figures.draws("nobody")


async def test_the_site_map_has_every_page_of_the_run(sessions: Sessions, ended: str) -> None:
    report = await sessions.show(ended)
    maps = await sessions.figures.site_map(ended)
    shown = [node.url for site in maps for node in site.nodes]
    assert len(shown) == len(set(shown))
    assert {page.url for page in report.visited} <= set(shown)
    for site in maps:
        assert site.nodes[0].parent == -1
        assert all(0 <= node.parent < place for place, node in enumerate(site.nodes) if place)


async def test_spending_grows_to_the_total_of_the_report(sessions: Sessions, ended: str) -> None:
    spent = (await sessions.show(ended)).spent
    way = await sessions.figures.spending(ended)
    assert [one.round for one in way] == sorted(one.round for one in way)
    for before, after in pairwise(way):
        assert after.spend.actions >= before.spend.actions
        assert after.spend.seconds >= before.spend.seconds
    assert (way[-1].spend.actions, way[-1].round) == (spent.actions, spent.rounds)
    assert {node for one in way for node in one.ran} >= {"survey", "act", "answer"}


async def test_the_last_screenshot_may_be_of_a_request(sessions: Sessions, ended: str) -> None:
    assert await sessions.figures.screenshot(ended) is None
    data = sessions.context.settings.data
    with closing(SqliteBlobs(data / "blobs.sqlite")) as blobs:
        picture = blobs.put(b"\x89PNG", "picture")
    with closing(SessionStore(sessions.context.settings.place("sessions"))) as store:
        request = ApprovalRequest(
            kind="approve", what="click “Delete”", url="http://lights/", picture=picture
        )
        gate = ApprovalRequest(kind="take over", what="a sign-in page")
        store.approvals.add_requests(ended, {"1": request})
        store.approvals.add_requests(ended, {"2": gate})
    shot = await sessions.figures.screenshot(ended)
    assert shot is not None
    assert (shot.image, shot.kind) == (b"\x89PNG", "image/png")
    assert (shot.what, shot.url) == ("click “Delete”", "http://lights/")


def test_the_screenshot_of_an_action_names_its_page() -> None:
    goto = Action(kind="goto", target="http://lights/")
    click = Action(kind="click", target="e1", at="1.1")
    back = Action(kind="back", at="1.2")
    views = [
        View(url="http://lights/", picture="first", pictured=1.0),
        View(url="http://lights/b", picture="second", pictured=2.0),
        View(url="http://lights/"),
    ]
    steps = tuple(
        Step(id=f"1.{number}", round=1, number=number, action=action, outcome="moved", view=view)
        for number, (action, view) in enumerate(zip((goto, click, back), views, strict=True), 1)
    )
    gone = Step(id="1.4", round=1, number=4, action=click, outcome="failed")
    state = State(question=Question(text="?", sites=()), steps=(*steps, gone))
    assert list(action_screenshots(state)) == [
        ("first", Screenshot(time=1.0, what=describe_action(goto), url="http://lights/")),
        ("second", Screenshot(time=2.0, what=describe_action(click), url="http://lights/")),
    ]
