"""The actor opens what was proposed; a page that cannot be opened is a failed step."""

from dataclasses import replace

import pytest

from forager.budget import start_meter
from forager.domain.actions import Action
from forager.domain.documents import Document, OpenedPage
from forager.domain.state import Arm, Draw, Proposal, State
from forager.domain.survey import NOTHING_FOUND
from forager.errors import SearchError, StoreError
from forager.ports import BlobKind
from nodes.actor import ActorParams, act
from tests.fake_browser import FakePerson
from tests.fake_ports import ports
from tests.fakes import FETCHED, FakeSearch, FakeWeb, MemoryBlobs
from tests.nodes.states import SITE, document, failed, state, step, url

PARAMS = ActorParams()


def proposing(target: str, start: State | None = None) -> State:
    start = start or state(urls=[url("a")])
    action = Action(kind="visit", target=target, reason="it looks right")
    return replace(start, proposal=Proposal(round=start.draw.round, action=action))


async def test_a_page_that_opens_is_a_step() -> None:
    blobs = MemoryBlobs()
    page = document("a", "Some text.", [url("b"), url("c")])
    page = page.model_copy(update={"dated": "2024-05"})
    web = FakeWeb(blobs, [page])
    with start_meter() as used:
        update = await act(proposing(url("a")), ports(web=web, blobs=blobs), PARAMS)
    assert set(update) == {"steps"}
    [done] = update["steps"]
    assert done.id == "1.1"
    assert done.outcome == "moved"
    assert done.action.target == url("a")
    assert not done.cached
    assert done.page is not None
    assert done.page.url == url("a")
    assert done.page.site == SITE
    assert done.page.links == 2
    assert (done.page.dated, done.page.fetched) == ("2024-05", FETCHED)
    assert Document.model_validate_json(blobs.get(done.page.blob)) == page
    assert used.actions == 1
    assert web.opened == [url("a")]


async def test_a_page_that_cannot_be_had_is_a_failed_step() -> None:
    with start_meter() as used:
        update = await act(proposing(url("gone")), ports(), PARAMS)
    [done] = update["steps"]
    assert done.outcome == "failed"
    assert done.page is None
    assert "404" in done.reason
    assert "Check the address." in done.reason
    assert used.actions == 1


async def test_steps_are_numbered_within_their_round() -> None:
    blobs = MemoryBlobs()
    web = FakeWeb(blobs, [document("c")])
    start = state(urls=[url("a")])
    steps = (step(blobs, document("a"), 1, 1), failed(url("b"), 1, 2))
    doors = ports(web=web, blobs=blobs)
    update = await act(proposing(url("c"), replace(start, steps=steps)), doors, PARAMS)
    assert update["steps"][0].id == "1.3"
    second = replace(start, steps=steps, draw=Draw(round=2, urls=(url("a"),)))
    update = await act(proposing(url("c"), second), doors, PARAMS)
    assert update["steps"][0].id == "2.1"


async def test_a_page_belongs_to_the_site_it_stands_on() -> None:
    blobs = MemoryBlobs()
    other = Document(url="http://other/x")
    web = FakeWeb(blobs, [document("b"), other])
    start = state(urls=[url("a")])
    question = start.question.model_copy(update={"sites": (SITE, "http://other/")})
    arms = (*start.arms, Arm(url="http://other/y", site="http://other/"))
    start = replace(start, question=question, arms=arms)
    for target, site in ((url("b"), SITE), ("http://other/x", "http://other/")):
        update = await act(proposing(target, start), ports(web=web, blobs=blobs), PARAMS)
        assert update["steps"][0].page is not None
        assert update["steps"][0].page.site == site


async def test_the_page_is_where_a_redirect_led() -> None:
    class Redirecting(FakeWeb):
        async def open(self, url: str) -> OpenedPage:
            return await super().open(url.replace("old", "new"))

    blobs = MemoryBlobs()
    web = Redirecting(blobs, [document("new")])
    update = await act(proposing(url("old")), ports(web=web, blobs=blobs), PARAMS)
    [done] = update["steps"]
    assert done.page is not None
    assert (done.action.target, done.page.url) == (url("old"), url("new"))


async def test_a_page_that_a_search_found_belongs_to_the_site_asked() -> None:
    blobs = MemoryBlobs()
    doors = ports(web=FakeWeb(blobs, [document("b")]), blobs=blobs)
    start = replace(state(), draw=Draw(round=0))
    [done] = (await act(proposing(url("b"), start), doors, PARAMS))["steps"]
    assert done.page
    assert done.page.site == SITE


@pytest.mark.parametrize(("target", "outcome"), [("out", "failed"), ("", "moved")])
async def test_a_page_off_the_sites_is_not_read(target: str, outcome: str) -> None:
    class Leaving(FakeWeb):
        async def open(self, url: str) -> OpenedPage:
            return await super().open("http://elsewhere/")

    web = Leaving(MemoryBlobs(), [Document(url="http://elsewhere/", text="An order.")])
    [done] = (await act(proposing(url(target)), ports(web=web), PARAMS))["steps"]
    assert done.outcome == outcome
    assert ("elsewhere" in done.reason) == (outcome == "failed")


async def test_a_site_that_has_moved_is_read_where_it_is_now() -> None:
    moved = Document(url="http://new/page")
    start = state(urls=[url("a"), "http://new/"])
    web = FakeWeb(MemoryBlobs(), [moved])
    [done] = (await act(proposing("http://new/page", start), ports(web=web), PARAMS))["steps"]
    assert done.outcome == "moved"


def searching(query: str, start: State, site: str = SITE) -> State:
    action = Action(kind="search", target=query, site=site)
    return replace(start, proposal=Proposal(round=start.draw.round, action=action))


async def test_a_search_is_a_step_that_opens_no_page() -> None:
    search = FakeSearch(url("a"), url("b"), "http://other/")
    with start_meter() as used:
        update = await act(searching("ant", state()), ports(search=search), PARAMS)
    [done] = update["steps"]
    assert (done.outcome, done.page, done.reason) == ("moved", None, "")
    assert [each.url for each in done.found] == [url("a"), url("b")]
    assert search.asked == [("ant", PARAMS.results, SITE)]
    assert used.actions == 0


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        (FakeSearch(away=SearchError("Nobody answers.", "Try later.")), "Nobody answers. Try lat"),
        (FakeSearch(), NOTHING_FOUND),
    ],
)
async def test_a_search_that_comes_to_nothing_is_a_failed_step(
    search: FakeSearch, reason: str
) -> None:
    [done] = (await act(searching("ant", state()), ports(search=search), PARAMS))["steps"]
    assert (done.outcome, done.found) == ("failed", ())
    assert done.reason.startswith(reason)


async def test_a_note_of_a_search_is_warned_of_once_and_kept() -> None:
    told: list[str] = []

    async def tell(message: str) -> None:
        told.append(message)

    start = state()
    with start_meter(warn=tell):
        for query in ("ant", "bee"):
            doors = ports(search=FakeSearch(url("a"), notes=("brave is out of quota.",)))
            update = await act(searching(query, start), doors, PARAMS)
            start = replace(start, steps=(*start.steps, *update["steps"]))
    assert told == ["brave is out of quota."]
    assert [step.reason for step in start.steps] == told * 2


async def test_a_result_may_lead_anywhere_where_no_site_was_named() -> None:
    class Leaving(FakeWeb):
        async def open(self, url: str) -> OpenedPage:
            return await super().open("http://elsewhere/")

    blobs = MemoryBlobs()
    page = Document(url="http://elsewhere/", text="A page.")
    start = state()
    start = replace(start, question=start.question.model_copy(update={"sites": ()}))
    search = FakeSearch("http://result/")
    start = replace(
        start, steps=(await act(searching("a", start, ""), ports(search=search), PARAMS))["steps"]
    )
    doors = ports(web=Leaving(blobs, [page]), blobs=blobs)
    [done] = (await act(proposing("http://result/", start), doors, PARAMS))["steps"]
    assert done.page is not None
    assert (done.page.url, done.page.depth) == ("http://elsewhere/", 0)


async def test_a_full_disk_is_no_failed_step() -> None:
    class FullBlobs(MemoryBlobs):
        def put(self, data: bytes, kind: BlobKind = "document") -> str:
            raise StoreError("The disk is full.", "Free some space.")

    blobs = FullBlobs()
    web = FakeWeb(blobs, [document("a")])
    with pytest.raises(StoreError, match="full"):
        await act(proposing(url("a")), ports(web=web, blobs=blobs), PARAMS)


@pytest.mark.parametrize("entry", ["http://host/a", "http://host/b"])
async def test_a_page_that_is_forbidden_is_a_failed_step(entry: str) -> None:
    """By its address, or by the one it leads to."""
    blobs = MemoryBlobs()
    web = FakeWeb(blobs, [document("a", "Some text.").model_copy(update={"url": url("b")})])
    web.documents[url("a")] = web.documents[url("b")]
    start = proposing(url("a"))
    own = start.question.model_copy(update={"forbidden": (entry,)})
    [done] = (await act(replace(start, question=own), ports(web=web, blobs=blobs), PARAMS))["steps"]
    assert done.outcome == "failed"
    assert done.page is None
    assert f"{entry} was forbidden" in done.reason


@pytest.mark.parametrize(("target", "text"), [("x?action=delete", ""), ("bye", "Log out")])
async def test_a_visit_that_may_change_something_needs_an_approval(target: str, text: str) -> None:
    blobs = MemoryBlobs()
    linking = document("a", links=[f"{url(target)} {text}"])
    web = FakeWeb(blobs, [document(target)])
    start = replace(state(urls=[url("a")]), steps=(step(blobs, linking, 1, 1),))
    person = FakePerson()
    doors = ports(web=web, blobs=blobs, person=person)
    with start_meter() as used:
        [done] = (await act(proposing(url(target), start), doors, PARAMS))["steps"]
    assert done.outcome == "failed"
    assert done.reason.endswith("It was not approved.")
    assert (web.opened, used.actions) == ([], 0)
    [asked] = person.asked
    assert "may change something" in asked.why
    assert asked.what == f"Open {url(target)}"
    person.says = True
    [done] = (await act(proposing(url(target), start), doors, PARAMS))["steps"]
    assert done.outcome == "moved"
    assert web.opened == [url(target)]


async def test_of_several_visits_those_that_may_change_something_are_asked_about_first() -> None:
    blobs, person = MemoryBlobs(), FakePerson()
    web = FakeWeb(blobs, [document("b"), document("7/delete")])
    several = proposing(url("7/delete"))
    assert several.proposal
    also = (Action(kind="visit", target=url("b")),)
    several = replace(several, proposal=several.proposal.model_copy(update={"also": also}))
    doors = ports(web=web, blobs=blobs, person=person)
    failed_one, moved = (await act(several, doors, PARAMS))["steps"]
    assert (failed_one.outcome, moved.outcome) == ("failed", "moved")
    assert web.opened == [url("b")]
    assert len(person.asked) == 1


async def test_an_address_that_the_user_gave_is_opened_as_given() -> None:
    blobs, person = MemoryBlobs(), FakePerson()
    start = state(urls=[url("7/delete")])
    question = start.question.model_copy(update={"sites": (url("7/delete"),)})
    web = FakeWeb(blobs, [document("7/delete")])
    doors = ports(web=web, blobs=blobs, person=person)
    asking = proposing(url("7/delete"), replace(start, question=question))
    [done] = (await act(asking, doors, PARAMS))["steps"]
    assert (done.outcome, person.asked) == ("moved", [])
