"""Workers of a cluster run sessions that one server began, and another one's page steers them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from forager.util.place import Server
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.coast import ENGINEER, SKARN, Coast
from tests.ray_cluster import RayCluster
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask.test_approvals_in_browser import QUESTION, Register

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

LATE = 180_000
"""Milliseconds that a loaded machine may take: a worker starts, and then a browser in it."""


class Hosts(NamedTuple):
    """Two servers with data folders of their own, on one database and one cluster."""

    beginning: Served
    watching: Served


@pytest.fixture
def hosts(ray_cluster: RayCluster, postgres: Server, tmp_path: Path) -> Iterator[Hosts]:
    words = "--port", "0", "--allow-private", "127.0.0.1"
    shared = {
        "FORAGER_DATABASE_URL": postgres.url,
        "FORAGER_BLOBS": str(tmp_path / "store"),
        "FORAGER_REQUEST_SECONDS": "110",  # a page is held back until all is seen
    }
    with ExitStack() as stack:
        yield Hosts(
            *(
                stack.enter_context(
                    serving(tmp_path / name, *words, **shared, **ray_cluster.variables)
                )
                for name in ("one", "two")
            )
        )


@pytest_asyncio.fixture(loop_scope="session")
async def page(chromium: Browser) -> AsyncIterator[Page]:
    async with await chromium.new_page(viewport={"width": 1280, "height": 900}) as page:
        page.set_default_timeout(LATE)
        yield page


async def test_a_page_of_another_host_shows_pauses_and_resumes_what_a_worker_runs(
    page: Page, hosts: Hosts, ray_cluster: RayCluster
) -> None:
    with Coast(SKARN) as site:
        asked = {"question": ENGINEER, "sites": [site.url()], "session": "watched"}
        status, told = hosts.beginning.ask("/api/sessions", asked)
        assert status == 201, told
        assert await asyncio.to_thread(site.wanted.wait, 300)
        await page.goto(f"{hosts.watching.url}?session=watched")
        state = page.get_by_role("status")
        await expect(state.get_by_text("Running")).to_be_visible(timeout=LATE)
        steps = page.get_by_role("list", name="Timeline")
        await expect(steps).to_contain_text("pages mapped", timeout=LATE)
        await page.get_by_role("button", name="Pause").click()
        await expect(state.get_by_text("Paused")).to_be_visible(timeout=LATE)
        site.let_go.set()
        await page.get_by_role("button", name="Resume").click()
        await expect(state.get_by_text("Answered")).to_be_visible(timeout=LATE)
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_contain_text("Marta Lindqvist")
    assert ray_cluster.run_here("watched") == 2
    assert not list(hosts.beginning.data.glob("web.sqlite"))  # no page was fetched there
    assert not list(hosts.watching.data.glob("web.sqlite"))


async def test_a_page_of_another_host_approves_what_a_worker_asks_for(
    page: Page, hosts: Hosts, ray_cluster: RayCluster
) -> None:
    spec = load_graph("weboperator")
    params = {"params": {"mode": "browser", "steps": 8}}
    nodes = {**spec.nodes, "navigate": spec.nodes["navigate"].model_copy(update=params)}
    graph = spec.model_copy(update={"nodes": nodes}).model_dump(mode="json")
    with Register() as register:
        body = {"question": QUESTION, "sites": [register.url()], "graph": graph, "session": "asks"}
        status, told = hosts.beginning.ask("/api/sessions", body)
        assert status == 201, told
        await page.goto(f"{hosts.watching.url}?session=asks")
        await page.get_by_role("button", name="Approve").click(timeout=LATE)
        answered = page.get_by_role("status").get_by_text("Answered")
        await expect(answered).to_be_visible(timeout=LATE)
        assert register.written == ["county=Nord&light=Skarn"]
    assert ray_cluster.run_here("asks") == 1
