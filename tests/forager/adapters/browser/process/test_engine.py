"""The browser's process: started late, shared, replaced, and never left behind."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from forager.adapters.browser.process.engine import Engine, Engines
from forager.errors import BrowserError
from forager.settings import Settings
from tests.browsers import CHROMIUM, needs_browser
from tests.forager.adapters.browser.processes import below

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for processes")
ROOT = Path(__file__).parents[5]
HOLDER = """
import asyncio
from forager.settings import Settings
from forager.adapters.browser.process.engine import Engine

async def hold():
    engine = Engine(Settings())
    await engine.open_context()
    print("up", flush=True)
    await asyncio.Event().wait()

asyncio.run(hold())
"""


def browsers(parent: int) -> set[int]:
    """The processes that a process started."""
    return set(below(parent))


async def gone(pids: set[int]) -> bool:
    """Do they all end within a while?"""
    return all(await asyncio.gather(*(asyncio.to_thread(_ends, pid) for pid in pids)))


def _ends(pid: int) -> bool:
    try:
        ending = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([ending], [], [], 20)[0])
    finally:
        os.close(ending)


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    running = Engine(Settings())
    yield running
    await running.aclose()


@pytest.mark.parametrize(("headed", "mend"), [(False, "FORAGER_CHROMIUM"), (True, "--headed")])
async def test_no_browser_is_told(tmp_path: Path, headed: bool, mend: str) -> None:
    engine = Engine(Settings(chromium=tmp_path / "absent", headed=headed))
    with pytest.raises(BrowserError, match=f"no browser on this machine.*{mend}"):
        await engine.open_context()
    await engine.aclose()


@pytest.mark.parametrize(
    ("headed", "mend"), [(False, "Install Chromium"), (True, "needs a screen")]
)
async def test_a_browser_that_does_not_start_is_told(
    tmp_path: Path, headed: bool, mend: str
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    engine = Engine(Settings(chromium=broken, headed=headed))
    with pytest.raises(BrowserError, match=f"does not start.*{mend}"):
        await engine.open_context()
    assert not engine.is_running
    await engine.aclose()


@pytest.fixture
def unsandboxed(tmp_path: Path) -> Path:
    """The browser of this machine, as it is where its sandbox cannot start."""
    program = tmp_path / "chromium"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--no-sandbox*) exec "$REAL" "$@";; esac\n'
        'echo "No usable sandbox!" >&2\nexit 1\n'.replace("$REAL", str(CHROMIUM))
    )
    program.chmod(0o755)
    return program


@needs_browser
async def test_a_browser_without_its_sandbox_is_refused_outside_root(unsandboxed: Path) -> None:
    engine = Engine(Settings(chromium=unsandboxed), root=False)
    with pytest.raises(BrowserError, match=r"does not start.*FORAGER_NO_SANDBOX=true"):
        await engine.open_context()
    assert not engine.is_running
    await engine.aclose()


@needs_browser
@pytest.mark.parametrize(("root", "allowed"), [(True, False), (False, True)])
async def test_a_browser_without_its_sandbox_is_for_root_and_where_a_setting_says_so(
    unsandboxed: Path, root: bool, allowed: bool
) -> None:
    engine = Engine(Settings(chromium=unsandboxed, no_sandbox=allowed), root=root)
    page = await (await engine.open_context()).new_page()
    assert await page.evaluate("1 + 1") == 2
    await engine.aclose()


@needs_browser
async def test_contexts_share_a_process_and_not_their_cookies(engine: Engine) -> None:
    one, other = await engine.open_context(), await engine.open_context()
    assert engine.starts == 1
    await one.add_cookies([{"name": "a", "value": "b", "url": "http://h/"}])
    assert (len(await one.cookies()), len(await other.cookies())) == (1, 0)


@needs_browser
async def test_a_browser_that_was_killed_is_replaced(engine: Engine) -> None:
    before = browsers(os.getpid())
    await engine.open_context()
    first = browsers(os.getpid()) - before
    await engine.kill_browser(engine.starts)
    assert await gone(first)
    page = await (await engine.open_context()).new_page()
    assert await page.evaluate("1 + 1") == 2
    assert engine.starts == 2
    await engine.kill_browser(1)
    assert engine.is_running  # only the first was meant


@needs_browser
async def test_the_last_holder_closes_it() -> None:
    before = browsers(os.getpid())
    engines = Engines(Settings())
    async with engines.lease() as engine:
        async with engines.lease() as same:
            assert same is engine
            await same.open_context()
        started = browsers(os.getpid()) - before
        assert started
    assert not engine.is_running
    assert await gone(started)


@needs_browser
@pytest.mark.parametrize("ended", [signal.SIGKILL, signal.SIGINT])
async def test_no_process_outlives_ours(ended: signal.Signals, tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    with holder:
        assert holder.stdout is not None
        assert await asyncio.to_thread(holder.stdout.readline) == b"up\n"
        started = browsers(holder.pid)
        assert len(started) > 2
        holder.send_signal(ended)
        await asyncio.to_thread(holder.wait, 60)
    assert await gone(started)
