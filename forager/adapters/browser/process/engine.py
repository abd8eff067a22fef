"""One Chromium for all sessions of an event loop, behind the proxy; replaced when it fails."""

import asyncio
import logging
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    Playwright,
    ProxySettings,
    StorageState,
    async_playwright,
)

from forager.adapters.browser.guard.approval_guard import ApprovalGuard
from forager.adapters.browser.guard.proxy import LOGIN_URL, LOOPBACK, GuardProxy
from forager.adapters.browser.playwright_calls import await_quietly, close_page, send_command
from forager.adapters.browser.process.chromium import find_chromium
from forager.adapters.browser.process.cookie_jar import StoredState
from forager.adapters.browser.process.downloads import DownloadProgress
from forager.adapters.browser.process.launch import (
    FLAGS,
    INSTALL,
    connect_browser,
    launch_chromium,
    sandbox_mend,
)
from forager.adapters.browser.process.temporary_folders import make_folder
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.errors import BrowserError
from forager.settings import Settings

LOG = logging.getLogger(__name__)
WIDTH, HEIGHT = 1280, 900
ACTION_SECONDS = 5.0
NAVIGATION_SECONDS = 15.0


async def new_context(
    browser: Browser,
    settings: Settings,
    kept: StoredState | None,
    preparations: Iterable[Callable[[Page], Awaitable[None]]],
    proxy: ProxySettings | None = None,
) -> BrowserContext:
    """A context with the stored state of an earlier one, prepared through its first page.

    `proxy` is that of a browser which was started without one.
    """
    context = await browser.new_context(
        accept_downloads=True,
        service_workers="block",
        permissions=[],
        viewport={"width": WIDTH, "height": HEIGHT},
        user_agent=await _user_agent(browser, settings),
        locale="en-US",
        storage_state=cast(StorageState, kept) if kept else None,
        proxy=proxy,
    )
    context.set_default_timeout(ACTION_SECONDS * 1000)
    context.set_default_navigation_timeout(NAVIGATION_SECONDS * 1000)
    async with AsyncExitStack() as unfinished:
        unfinished.push_async_callback(lambda: await_quietly(context.close()))
        page = await context.new_page()
        for prepare in preparations:
            await prepare(page)
        await close_page(page)
        unfinished.pop_all()
    return context


async def _user_agent(browser: Browser, settings: Settings) -> str:
    """The browser's own user agent, with the name of the program that drives it."""
    session = await browser.new_browser_cdp_session()
    told = await session.send("Browser.getVersion")
    await session.detach()
    own = str(told["userAgent"]).replace("HeadlessChrome", "Chrome")
    return f"{own} {settings.user_agent.partition(' ')[0]}"


async def _admit_to_proxy(proxy: GuardProxy, page: Page) -> None:
    """Give the context the proxy's password, which it then sends by itself.

    Playwright's own proxy option would send it to every site that asks, and slow each request.
    """
    session = await page.context.new_cdp_session(page)
    answers: set[asyncio.Task[dict[str, Any]]] = set()

    def answer(method: str, asked: dict[str, object], **more: object) -> None:
        task = asyncio.create_task(
            send_command(session, method, {"requestId": asked["requestId"], **more})
        )
        answers.add(task)

    given = {"response": "ProvideCredentials", "username": proxy.user, "password": proxy.password}
    session.on("Fetch.requestPaused", lambda asked: answer("Fetch.continueRequest", asked))
    session.on(
        "Fetch.authRequired",
        lambda asked: answer("Fetch.continueWithAuth", asked, authChallengeResponse=given),
    )
    await session.send("Fetch.enable", {"handleAuthRequests": True})
    await page.goto(LOGIN_URL)
    await session.send("Fetch.disable")
    await session.detach()
    await asyncio.gather(*answers)


START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
MOST_BYTES = 200_000_000
"""Limit of one connection; pages also load pictures and videos."""
WINDOWS = "Install Chromium or Chrome, or omit --headed: a headless shell has no windows."
SCREEN = "A visible browser needs a screen: omit --headed, or set DISPLAY."


class Engine:
    """A Chromium process behind its proxy. It starts when the first context is opened."""

    def __init__(
        self, settings: Settings, guard: AddressGuard | None = None, *, root: bool | None = None
    ) -> None:
        """`root` says that this process is root's; without it, the system does."""
        self._settings = settings
        self._root = root
        guard = guard or AddressGuard(settings.allow_private)
        host = settings.browser_proxy if settings.browser_url else LOOPBACK
        self.proxy = GuardProxy(guard, settings.browser_hosts, MOST_BYTES, host)
        self.approvals = ApprovalGuard()
        self.starts = 0
        self._lock = asyncio.Lock()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._pid = 0
        self._folder: Path | None = None
        self._arrivals: DownloadProgress | None = None

    @property
    def is_running(self) -> bool:
        """Is a browser running?"""
        return self._browser is not None and self._browser.is_connected()

    @property
    def download_progress(self) -> DownloadProgress:
        """The progress of the browser's downloads."""
        assert self._arrivals is not None, "no browser was started"  # noqa: S101
        return self._arrivals

    async def open_context(self, kept: StoredState | None = None) -> BrowserContext:
        """Open a new context with the stored state of an earlier one.

        Starts or replaces the browser if needed. Raises BrowserError.
        """
        async with self._lock:
            try:
                async with asyncio.timeout(START_SECONDS):
                    if not self.is_running:
                        await self._end_browser()
                        await self._start_browser()
                    assert self._browser is not None  # noqa: S101
                    preparations = (
                        partial(_admit_to_proxy, self.proxy),
                        self.approvals.recognize_context,
                        self.download_progress.follow_context,
                    )
                    own = None if self._pid else self._proxy_settings()
                    return await new_context(self._browser, self._settings, kept, preparations, own)
            except (Error, OSError, TimeoutError) as error:
                await self._end_browser()
                if address := self._settings.browser_url:
                    raise BrowserError(
                        f"The browser at {address} cannot be used: {_first_line(error)}.",
                        "Start it, or unset FORAGER_BROWSER_URL.",
                    ) from error
                mend = SCREEN if self._settings.headed else INSTALL
                mend += sandbox_mend(self._settings, root=self._root)
                raise BrowserError(
                    f"The browser does not start: {_first_line(error)}.", mend
                ) from error

    async def kill_browser(self, starts: int) -> None:
        """Kill the browser if it is still the `starts`th; the next context gets a new one."""
        async with self._lock:
            if starts == self.starts:
                _kill_process(self._pid)
                await self._end_browser()

    async def aclose(self) -> None:
        """End the browser and the proxy."""
        async with self._lock:
            await self._end_browser()
            await self.proxy.close()

    async def _start_browser(self) -> None:
        executable = None if self._settings.browser_url else self._find_browser()
        await self.proxy.close()
        await self.proxy.start()
        self._folder = await asyncio.to_thread(make_folder)
        self._driver = await async_playwright().start()
        if executable:
            self._browser = await self._launch_browser(self._driver, executable)
        else:
            self._browser = await connect_browser(
                self._driver, self._settings, self._folder, START_SECONDS
            )
        await self.approvals.watch_browser(self._browser)
        self.starts += 1
        session = await self._browser.new_browser_cdp_session()
        if executable:
            told = await session.send("SystemInfo.getProcessInfo")
            processes = {each["type"]: int(each["id"]) for each in told["processInfo"]}
            self._pid = processes.get("browser", 0)
        self._arrivals = DownloadProgress(session, str(self._folder))
        LOG.info("started browser %s, process %d", self._browser.version, self._pid)

    def _find_browser(self) -> Path:
        headed = self._settings.headed
        executable = find_chromium(self._settings.chromium, headed=headed)
        if executable is None:
            mend = WINDOWS if headed else INSTALL
            raise BrowserError("There is no browser on this machine.", mend)
        return executable

    def _proxy_settings(self) -> ProxySettings:
        return {"server": self.proxy.address, "bypass": "<-loopback>"}

    async def _launch_browser(self, driver: Playwright, executable: Path) -> Browser:
        """Launch the browser."""
        return await launch_chromium(
            driver,
            executable,
            self._settings,
            root=self._root,
            headless=not self._settings.headed,
            args=list(FLAGS),
            proxy=self._proxy_settings(),
            downloads_path=self._folder,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=START_SECONDS * 1000,
        )

    async def _end_browser(self) -> None:
        """Close the browser and driver; kill the process if it does not respond."""
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
    """The engines of a process: one per event loop, while somebody holds it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held: dict[asyncio.AbstractEventLoop, tuple[Engine, int]] = {}

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Engine]:
        """The engine of this event loop; closed when its last holder leaves."""
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
    """Kill the browser and its process group."""
    if not pid:
        return
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg") and os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)


def _first_line(error: BaseException) -> str:
    """The first line of an error's message."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
