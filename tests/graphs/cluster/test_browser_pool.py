"""Browsers that the workers of a machine borrow: shared one after the other, replaced, ended."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.adapters.browser.process.engine import Engine
from forager.domain.approvals import ApprovalRequest
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.cluster.browser_pool import BrowserPool, is_alive
from graphs.cluster.session_runs import run_as_set
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.graphs.cluster.test_session_runs import opened
from tests.ray_cluster import RayCluster
from tests.servers import Site
from tests.ui.web.screens.ask.test_approvals_in_browser import QUESTION, Register

pytestmark = needs_browser
HERE = os.getpid()


@pytest.fixture
def pool() -> Iterator[BrowserPool]:
    found = BrowserPool(1)
    yield found
    found.close()


async def test_a_browser_is_lent_to_one_after_the_other(pool: BrowserPool) -> None:
    with Site({"/": "<h1>Skarn</h1>"}) as site:
        first = await pool.borrow(HERE)
        waiting = asyncio.create_task(pool.borrow(HERE))
        engine = Engine(Settings(browser_url=first.address, allow_private=("127.0.0.1",)))
        page = await (await engine.open_context()).new_page()
        await page.goto(site.url())
        assert await page.inner_text("h1") == "Skarn"
        await engine.aclose()
        assert not waiting.done()
        await pool.give_back(first.address)
        async with asyncio.timeout(60):
            assert await waiting == first


async def test_one_whose_borrower_died_or_that_ended_itself_is_replaced(pool: BrowserPool) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as worker:
        lost = await pool.borrow(worker.pid)
        worker.kill()
    async with asyncio.timeout(60):
        second = await pool.borrow(HERE)
    assert second.address != lost.address
    await pool.give_back(second.address)
    [browser] = pool._browsers
    os.killpg(browser.process.pid, signal.SIGKILL)
    browser.process.wait()
    async with asyncio.timeout(60):
        assert (await pool.borrow(HERE)).address != second.address


async def test_an_idle_one_is_ended() -> None:
    pool = BrowserPool(1, idle_seconds=0.0)
    lent = await pool.borrow(HERE)
    [browser] = pool._browsers
    await pool.give_back(lent.address)
    async with asyncio.timeout(60):
        while browser.process.poll() is None:
            await asyncio.sleep(0.01)
    assert not browser.folder.exists()
    assert not is_alive(browser.process.pid)


async def test_it_ends_with_the_process_that_started_it() -> None:
    starting = (
        "import time; from graphs.cluster.browser_pool import start_browser;"
        "print(start_browser(None, no_sandbox=False).process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", starting], stdout=subprocess.PIPE) as owner:
        assert owner.stdout
        group = int(owner.stdout.readline())
        os.kill(group, signal.SIGKILL)  # as Ray does with children of a worker
        owner.kill()
    async with asyncio.timeout(60):
        while has_processes(group):
            await asyncio.sleep(0.01)


def has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


async def test_what_keeps_a_browser_from_starting_is_told(tmp_path: Path) -> None:
    loan = await BrowserPool(1, tmp_path / "none").borrow(HERE)
    assert (loan.address, loan.what) == ("", "There is no browser on this machine.")


async def test_sessions_of_a_worker_drive_the_browser_of_its_machine(
    ray_cluster: RayCluster, tmp_path: Path
) -> None:
    spec = load_graph("weboperator")
    params = {"params": {"mode": "browser", "steps": 8}}
    nodes = {**spec.nodes, "navigate": spec.nodes["navigate"].model_copy(update=params)}
    graph = spec.model_copy(update={"nodes": nodes})

    async def approve(request: ApprovalRequest) -> bool:
        return True

    with Register() as register:
        async with opened(tmp_path, ray_cluster.address, ray_browsers=1) as sessions:
            for number in range(2):
                question = Question(text=QUESTION, sites=(register.url(),), budget=Budget())
                id = await sessions.start(question, graph, "offline", f"s{number}")
                report = await run_as_set(sessions, id, decide=approve)
                assert report.status == "answered"
        assert register.written == ["county=Nord&light=Skarn"] * 2
    log = (tmp_path / "logs" / "forager.log").read_text(encoding="utf-8")
    started = [line for line in log.splitlines() if "started browser " in line]
    assert len(started) == 2
    assert all(line.partition(", process 0")[1] for line in started)  # none of its own
