"""On a page that was walked to again, an action is done to the element that was meant."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.browser.replay.replay_plan import retarget_action
from forager.browsing.page.aria import parse_aria, to_element
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.errors import ActionError
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.browser_driver import WALK, Walker
from tests.servers import Site

LIST = """<title>Lights</title><h1>Lights</h1><ul id=list></ul>
<button onclick="more()">More</button>
<script>
const more = () => {
  history.pushState(null, "", "?more=1");
  list.innerHTML = "<li><a href=/ona>Ona</a></li><li><a href=/holm>Holm</a></li>";
};
if (location.search) more();
</script>"""
ROUTES = {"/": LIST, "/ona": "<h1>Ona light</h1>", "/holm": "<h1>Holm light</h1>"}


async def does(walker: Walker, action: Action, trail: list[Step]) -> Step:
    """Do it as the actor does, where a trail led."""
    await walker.door.restore(WALK, trail)
    examined = await walker.door.examine(WALK, action)
    assert (examined.fault, examined.gate) == ("", "")
    return await walker.do(action)


@pytest.fixture
async def walker(tmp_path: Path) -> AsyncIterator[tuple[Walker, Site]]:
    blobs = MemoryBlobs()
    with Site(ROUTES) as site:
        settings = Settings(data=tmp_path, allow_private=(f"127.0.0.1:{site.port}",))
        door = PlaywrightBrowser(settings, blobs)
        try:
            yield Walker(door, blobs), site
        finally:
            await door.aclose()


@needs_browser
async def test_what_was_proposed_elsewhere_is_done_to_the_same_element(
    walker: tuple[Walker, Site],
) -> None:
    walk, site = walker
    home = await does(walk, Action(kind="goto", target=site.url("/")), [])
    listed = await does(walk, walk.proposed(home, "click", "More"), [home])
    ona, holm = (walk.proposed(listed, "click", name) for name in ("Ona", "Holm"))
    there = await does(walk, ona, [home, listed])
    assert "Ona light" in walk.tree(there)
    other = await does(walk, holm, [home, listed])
    assert "Holm light" in walk.tree(other)


LINK = '- link "Ona" [ref={}]\n'


def test_refs_become_those_of_the_page_as_it_is() -> None:
    then, now = (Snapshot(url="x", tree=LINK.format(ref)) for ref in ("e9", "e2"))
    node = next(each for each in parse_aria(then.tree).walk() if each.ref)
    click = Action(kind="click", target="e9", element=to_element(node))
    assert retarget_action(click, then, now).target == "e2"
    drag = Action(kind="drag", target="e9", value="e9", element=to_element(node))
    assert retarget_action(drag, then, now).value == "e2"
    bare = Action(kind="click", target="e9")
    assert retarget_action(bare, then, now).target == "e2"
    back = Action(kind="back")
    assert retarget_action(back, then, now) == back


def test_an_element_that_is_gone_is_told() -> None:
    then = Snapshot(url="x", tree=LINK.format("e9"))
    node = next(each for each in parse_aria(then.tree).walk() if each.ref)
    click = Action(kind="click", target="e9", element=to_element(node))
    with pytest.raises(ActionError, match="not on the page"):
        retarget_action(click, then, Snapshot(url="x", tree='- button "Ona" [ref=e2]'))


def test_an_element_that_nobody_knows_is_not_taken_for_another() -> None:
    shown = Snapshot(url="x", tree=LINK.format("e9"))
    with pytest.raises(ActionError, match="e2 has no description"):
        retarget_action(Action(kind="click", target="e2"), Snapshot(url="x"), shown)
