"""Asked again in a real browser, a way that worked is walked on a page that has changed since."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from forager.domain.state import Question
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from nodes.navigator.forced_moves import RECIPE_STEP
from tests.browsers import needs_browser
from tests.servers import Asked, Reply, Site

pytestmark = needs_browser
QUESTION = "Which engineer built the lighthouse Skarn in the county Nord?"
HEAD = "<title>Register of lights</title><h1>Register of lights</h1>"
AS_IT_WAS = f"""{HEAD}<p>The register holds every light of the coast.</p>
<form action="/found"><label>County
<select id=c1 name=county><option>Syd</option><option>Nord</option></select></label>
<label>Lighthouse <input id=l1 name=light></label><button id=b1>Apply</button></form>"""
CHANGED = f"""<div class=banner><p>We are hiring.</p><button id=x0>Not now</button></div>{HEAD}
<nav><a href="/about">About</a></nav><main><section><form action="/found"><div><div>
<label for=l9>Lighthouse:</label><input id=l9 name=light></div></div>
<div><label for=c9>County:</label><select id=c9 name=county>
<option>Vest</option><option>Nord</option><option>Syd</option></select></div>
<button id=b9>Apply</button></form></section></main>"""
REBUILT = f"""{HEAD}<form action="/found" role=search>
<input type=hidden name=county value=Nord><input type=search name=light aria-label="Search lights">
<button>Search</button></form>"""
SKARN = """<title>Skarn</title><h1>Skarn</h1><p>The lighthouse Skarn in the county Nord was built by
the engineer Marta Lindqvist in 1874.</p>"""
NONE = "<title>None</title><p>Nothing is registered.</p>"


@pytest.fixture
def register() -> Iterator[Site]:
    def found(asked: Asked) -> Reply:
        return Reply(SKARN if {"Nord", "Skarn"} <= _words(asked.path) else NONE)

    with Site({"/": AS_IT_WAS, "/found": found}) as site:
        yield site


def _words(path: str) -> set[str]:
    return {word for pair in path.split("&") for word in pair.rpartition("=")[2].split("+")}


@pytest.fixture
async def sessions(tmp_path: Path, register: Site) -> AsyncIterator[Sessions]:
    settings = Settings(data=tmp_path, allow_private=("127.0.0.1",), memory=True)
    async with open_sessions(settings) as opened:
        await ask(opened, register, "first")
        yield opened


def walk() -> GraphSpec:
    """A walk in a browser, one action after the other."""
    spec = load_graph("weboperator")
    params = {"params": {"mode": "browser", "steps": 8}}
    nodes = {**spec.nodes, "navigate": spec.nodes["navigate"].model_copy(update=params)}
    return spec.model_copy(update={"nodes": nodes})


async def ask(sessions: Sessions, site: Site, id: str) -> tuple[Report, list[bool]]:
    """The report, and for each action whether it came from the way that is known."""
    question = Question(text=QUESTION, sites=(site.url(),))
    await sessions.start(question, walk(), "offline", id)
    report = await sessions.run(id)
    assert report.status == "answered", report
    assert "Marta Lindqvist" in report.answer
    said = [each.message for each in await sessions.events(id) if each.node == "navigate"]
    acts = [each for each in said if each.startswith(("Open", "Select", "Type", "Click"))]
    return report, [RECIPE_STEP in each for each in acts]


async def test_other_ids_places_and_names_are_found_again(
    sessions: Sessions, register: Site
) -> None:
    register.routes["/"] = CHANGED
    report, known = await ask(sessions, register, "again")
    assert known == [True] * 3
    assert [each.outcome for each in report.actions] == ["moved"] * 3
    assert [each.what.split()[0] for each in report.actions] == ["Open", "Select", "Type"]


async def test_where_it_does_not_heal_the_navigator_takes_over(
    sessions: Sessions, register: Site
) -> None:
    register.routes["/"] = REBUILT
    report, known = await ask(sessions, register, "again")
    assert known[0]
    assert not all(known)
    assert [each.what.split()[0] for each in report.actions][-1] == "Type"
    _, known = await ask(sessions, register, "learned")
    assert all(known)
