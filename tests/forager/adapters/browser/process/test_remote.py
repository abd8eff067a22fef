"""A browser that runs already is driven through its DevTools, and stays when Forager leaves."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forager.adapters.browser.process.engine import Engine
from forager.adapters.browser.process.launch import FLAGS
from forager.errors import BrowserError
from forager.settings import Settings
from tests.browsers import CHROMIUM, needs_browser
from tests.servers import Site

HEADLESS = "--headless", "--no-sandbox", "--remote-debugging-port=0", "--disable-gpu"
PAGES = {"/": "<h1>Skarn</h1><img src='http://10.1.2.3/x.png'>"}


@contextmanager
def running(profile: Path, *flags: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A browser of another program: the address of its DevTools, and its process."""
    command = [str(CHROMIUM), *HEADLESS, f"--user-data-dir={profile}", *flags]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if "DevTools listening on ws://" in line:
                    port = line.partition("ws://")[2].partition("/")[0]
                    yield f"http://{port}", process
                    break
            else:
                raise AssertionError("it did not start")
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@needs_browser
async def test_its_pages_pass_the_guard_and_it_stays_when_forager_leaves(tmp_path: Path) -> None:
    with running(tmp_path, *FLAGS) as (address, process), Site(PAGES) as site:
        settings = Settings(browser_url=address, allow_private=("127.0.0.1",))
        for _ in range(2):
            engine = Engine(settings)
            context = await engine.open_context()
            page = await context.new_page()
            await page.goto(site.url())
            assert await page.inner_text("h1") == "Skarn"
            assert engine.proxy.refusal_for("http://10.1.2.3/")
            await engine.kill_browser(engine.starts)
            assert not engine.is_running
            await engine.aclose()
            assert process.poll() is None
        assert site.paths()


@needs_browser
async def test_a_private_site_is_refused_there_too(tmp_path: Path) -> None:
    with running(tmp_path, *FLAGS) as (address, _), Site(PAGES) as site:
        engine = Engine(Settings(browser_url=address))
        page = await (await engine.open_context()).new_page()
        answer = await page.goto(site.url())
        assert answer
        assert answer.status == 403
        assert site.paths() == []
        await engine.aclose()


@needs_browser
async def test_one_that_lets_pages_past_the_proxy_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, *FLAGS[1:]) as (address, _):
        engine = Engine(Settings(browser_url=address))
        with pytest.raises(BrowserError, match="was started without --disable-quic"):
            await engine.open_context()
        await engine.aclose()


@needs_browser
async def test_one_that_does_not_answer_is_told() -> None:
    engine = Engine(Settings(browser_url="http://127.0.0.1:9"))
    with pytest.raises(BrowserError, match=r"browser at http://127.0.0.1:9 cannot be used"):
        await engine.open_context()
    await engine.aclose()
