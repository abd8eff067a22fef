"""A run on its graph, in a browser: followed, replayed, and its nodes looked into."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browsers import needs_browser
from tests.coast import ENGINEER, Coast
from tests.endpoint import Endpoint
from tests.loopback_model import apart
from tests.observatory import PAGES, TWO_PAGES
from tests.servers import Site
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
HERE = {"FORAGER_ALLOW_PRIVATE": json.dumps(["127.0.0.1"])}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(apart) as served:
        yield served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, endpoint: Endpoint) -> Iterator[Served]:
    data: Path = tmp_path_factory.mktemp("watched")
    with serving(data, "--port", "0", FORAGER_BASE_URL=endpoint.url, **HERE) as server:
        yield server


def began(server: Served, site: Site, id: str, **more: str) -> None:
    asked = {"question": TWO_PAGES, "sites": [site.url()], "session": id, "graph": "abreast"}
    assert server.ask("/api/sessions", {**asked, "seed": 7, "model": "offline", **more})[0] == 201


async def graph(page: Page, server: Served, id: str) -> None:
    await page.goto(f"{server.url}?session={id}")
    await page.get_by_role("tab", name="Flow").click(timeout=PATIENCE)


def node(name: str) -> str:
    return f'.react-flow__node[data-id="{name}"]'


async def test_a_run_is_followed_and_replayed(
    chromium: Browser, server: Served, site: Site
) -> None:
    began(server, site, "one")
    page = await chromium.new_page(viewport={"width": 1280, "height": 1000})
    await graph(page, server, "one")
    replay = page.get_by_role("group", name="Replay of the run")
    await expect(replay).to_be_visible(timeout=PATIENCE)
    way = server.ask("/api/sessions/one/way")[1]
    said = replay.get_by_role("status")
    await expect(said).to_have_text(f"The whole run: {len(way)} steps")
    walks = len({ran["branch"] for ran in way if ran["node"].startswith("walk/")})
    arm = page.get_by_role("button", name="Edge select.arm => walk")
    assert walks > 1
    await expect(arm.get_by_label("taken")).to_have_text(f"{walks}×")
    slider = replay.get_by_role("slider", name="Place in the run")
    await slider.press("Home")
    await expect(said).to_contain_text(f"1 of {len(way)} · Read the question")
    await expect(page.locator(f"{node('interpret')} .lit")).to_be_visible()
    await expect(arm.get_by_label("taken")).to_have_count(0)
    await replay.get_by_role("button", name="One step forward").click()
    await expect(said).to_contain_text(f"2 of {len(way)} · Find pages")
    await slider.press(" ")
    await expect(replay.get_by_role("button", name="Pause")).to_be_visible()
    await expect(said).to_contain_text("4 of", timeout=PATIENCE)
    await expect(page.locator(f"{node('walk')} .lit")).to_be_visible()
    await replay.get_by_role("button", name="Pause").click()
    await expect(replay.get_by_role("button", name="Play")).to_be_visible()
    await page.close()


async def test_a_node_inside_a_graph_is_looked_into(
    chromium: Browser, server: Served, site: Site
) -> None:
    began(server, site, "two")
    page = await chromium.new_page(viewport={"width": 400, "height": 900})
    await graph(page, server, "two")
    replay = page.get_by_role("group", name="Replay of the run")
    await expect(replay).to_be_visible(timeout=PATIENCE)
    await page.get_by_role("button", name="Open walk").click()
    await expect(page.get_by_role("navigation", name="Methods around")).to_contain_text(
        "Walk the site"
    )
    await page.locator(node("extract")).focus()
    await page.keyboard.press("Enter")
    told = page.get_by_role("region", name="Node Copy quotes")
    await expect(told).to_contain_text("No prompt was sent", timeout=PATIENCE)
    await expect(told).to_contain_text("reading")
    await expect(told.get_by_role("term").first).to_have_text("question")
    await replay.get_by_role("slider").press("Home")
    await expect(told).to_contain_text("It has not run until here.")
    await told.get_by_role("button", name="Close").click()
    await expect(told).to_have_count(0)
    await page.get_by_role("button", name="abreast").click()
    await expect(page.locator(node("survey"))).to_be_visible()
    await page.close()


async def test_a_node_shows_the_prompt_as_it_was_sent(
    chromium: Browser, server: Served, site: Site
) -> None:
    began(server, site, "three", graph="forager", model="openai:any")
    page = await chromium.new_page(viewport={"width": 1280, "height": 1000})
    await graph(page, server, "three")
    replay = page.get_by_role("group", name="Replay of the run")
    await expect(replay).to_be_visible(timeout=PATIENCE)
    await page.locator(node("answer")).focus()
    await page.keyboard.press("Enter")
    told = page.get_by_role("region", name="Node answer")
    await expect(told).to_contain_text("openai:any")
    await told.get_by_text("Prompt: user").first.click()
    await expect(told.locator("pre").filter(has_text="[[material ").nth(1)).to_be_visible()
    await page.close()


async def test_a_node_lights_up_while_its_work_goes_on(chromium: Browser, server: Served) -> None:
    with Coast() as coast:
        asked = {"question": ENGINEER, "sites": [coast.url()], "session": "held", "graph": "mango"}
        assert server.ask("/api/sessions", asked)[0] == 201
        page = await chromium.new_page(viewport={"width": 1280, "height": 1000})
        await graph(page, server, "held")
        assert await asyncio.to_thread(coast.wanted.wait, 60)
        lit = page.locator(".react-flow__node:has(.lit)")
        await expect(lit).to_have_attribute("data-id", "survey", timeout=PATIENCE)
        coast.let_go.set()
        taken = page.get_by_role("button", name="Edge survey.found -> select")
        await expect(taken).to_have_class(re.compile(r"\btaken\b"), timeout=PATIENCE)
        await expect(page.get_by_role("group", name="Replay of the run")).to_be_visible(
            timeout=PATIENCE
        )
        await page.close()
