"""One Chromium for the sessions of an event loop, behind the proxy; replaced when it fails."""

import asyncio
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from forager.adapters.browser.guard.proxy import GuardProxy
from forager.adapters.browser.process.chromium import find_chromium, may_have_sandbox
from forager.adapters.browser.process.contexts import new_context
from forager.adapters.browser.process.cookie_jar import StoredState
from forager.adapters.browser.process.download_progress import DownloadProgress
from forager.adapters.browser.process.shutdown import await_quietly
from forager.adapters.web.fetch.address_guard import Guard
from forager.errors import BrowserError
from forager.settings import Settings

LOG = logging.getLogger(__name__)
FLAGS = (
    "--disable-quic",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # as it was called before
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""No way but through the proxy, which alone resolves names."""
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
MOST_BYTES = 200_000_000
"""What one connection may bring: pages have pictures and films beside their text."""
INSTALL = "Install Chromium or Chrome, or set FORAGER_CHROMIUM to one; `doctor` says more."
SCREEN = "To be shown it needs a screen: leave out --headed, or set DISPLAY to one."


class Engine:
    """Starts no process before a context is wanted."""

    def __init__(self, settings: Settings, guard: Guard | None = None) -> None:
        self._settings = settings
        guard = guard or Guard(settings.allow_private)
        self.proxy = GuardProxy(guard, settings.browser_hosts, MOST_BYTES)
        self.starts = 0
        self._lock = asyncio.Lock()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._pid = 0
        self._folder: Path | None = None
        self._arrivals: DownloadProgress | None = None

    @property
    def is_running(self) -> bool:
        """Is there a browser that has not crashed?"""
        return self._browser is not None and self._browser.is_connected()

    @property
    def download_progress(self) -> DownloadProgress:
        """What the browser downloads."""
        assert self._arrivals is not None, "no browser was started"  # noqa: S101
        return self._arrivals

    async def open_context(self, kept: StoredState | None = None) -> BrowserContext:
        """A context of its own, in a browser that is started or replaced first, if need be.

        It has what sites kept in another one. Raises BrowserError.
        """
        async with self._lock:
            try:
                async with asyncio.timeout(START_SECONDS):
                    if not self.is_running:
                        await self._end_browser()
                        await self._start_browser()
                    assert self._browser is not None  # noqa: S101
                    return await new_context(
                        self._browser, self._settings, self.proxy, self.download_progress, kept
                    )
            except (Error, OSError, TimeoutError) as error:
                await self._end_browser()
                mend = SCREEN if self._settings.headed else INSTALL
                raise BrowserError(
                    f"The browser does not start: {_first_line(error)}.", mend
                ) from error

    async def kill_browser(self, starts: int) -> None:
        """End the browser that was the `starts`th, whatever it is doing; the next is a new one."""
        async with self._lock:
            if starts == self.starts:
                _kill_process(self._pid)
                await self._end_browser()

    async def aclose(self) -> None:
        """Leave no process."""
        async with self._lock:
            await self._end_browser()
            await self.proxy.close()

    async def _start_browser(self) -> None:
        executable = find_chromium(self._settings.chromium)
        if executable is None:
            raise BrowserError("There is no browser on this machine.", INSTALL)
        await self.proxy.close()
        await self.proxy.start()
        self._folder = Path(tempfile.mkdtemp(prefix="forager-browser-"))
        self._driver = await async_playwright().start()
        self._browser = await self._launch_browser(self._driver, executable)
        self.starts += 1
        session = await self._browser.new_browser_cdp_session()
        told = await session.send("SystemInfo.getProcessInfo")
        processes = {each["type"]: int(each["id"]) for each in told["processInfo"]}
        self._pid = processes.get("browser", 0)
        self._arrivals = DownloadProgress(session, str(self._folder))
        LOG.info("started browser %s, process %d", self._browser.version, self._pid)

    async def _launch_browser(self, driver: Playwright, executable: Path) -> Browser:
        """In its sandbox, where the system lets it have one."""
        sandboxes = (True, False) if may_have_sandbox() else (False,)
        for sandbox in sandboxes:
            with suppress(*((Error,) if sandbox else ())):
                return await driver.chromium.launch(
                    executable_path=executable,
                    headless=not self._settings.headed,
                    args=list(FLAGS),
                    chromium_sandbox=sandbox,
                    proxy={"server": self.proxy.address, "bypass": "<-loopback>"},
                    downloads_path=self._folder,
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                    timeout=START_SECONDS * 1000,
                )
        raise AssertionError("the last attempt returns or raises")

    async def _end_browser(self) -> None:
        """Close what runs: kindly if it answers, else by force."""
        browser, driver, folder, pid = self._browser, self._driver, self._folder, self._pid
        self._browser = self._driver = self._folder = self._arrivals = None
        self._pid = 0
        try:
            if browser is not None:
                await await_quietly(browser.close(), CLOSE_SECONDS)
        finally:
            _kill_process(pid)
            if driver is not None:
                await await_quietly(driver.stop(), CLOSE_SECONDS)
            if folder is not None:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


class Engines:
    """The engines of a process: one for each event loop, while anyone holds it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held: dict[asyncio.AbstractEventLoop, tuple[Engine, int]] = {}

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Engine]:
        """The engine of this loop, closed with its last holder."""
        loop = asyncio.get_running_loop()
        engine, holders = self._held.get(loop) or (Engine(self._settings), 0)
        self._held[loop] = engine, holders + 1
        try:
            yield engine
        finally:
            engine, holders = self._held[loop]
            self._held[loop] = engine, holders - 1
            if holders == 1:
                del self._held[loop]
                await engine.aclose()


def _kill_process(pid: int) -> None:
    """By force; the browser leads a group of processes, which go with it."""
    if not pid:
        return
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg") and os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)


def _first_line(error: BaseException) -> str:
    """The first line of what was said."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
