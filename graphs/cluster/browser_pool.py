"""The browsers of a machine of the cluster, which its workers borrow, one at a time each."""

import asyncio
import importlib
import logging
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import Future
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from forager.adapters.browser.process.chromium import (
    find_chromium,
    runs_as_root,
    sandbox_attempts,
)
from forager.adapters.browser.process.launch import FLAGS, INSTALL, SANDBOX
from forager.adapters.browser.process.temporary_folders import make_folder
from forager.errors import BrowserError
from forager.settings import Settings
from graphs.cluster.connection import NAMESPACE, import_ray

LOG = logging.getLogger(__name__)
LISTENS = re.compile(r"DevTools listening on ws://([^/\s]+)")
WATCHED = 'exec 3<&0; (cat <&3 >/dev/null; kill -9 0) & exec "$@" 3<&- </dev/null'
UNTIL_LEFT = ("/bin/sh", "-c", WATCHED, "browser")
"""Runs a command whose group of processes ends with whoever started it, however that ends.

Ray kills the command alone, which would leave the browser's other processes.
"""
HEADLESS = ("--headless", "--remote-debugging-port=0", "--disable-gpu")
START_SECONDS = 30.0
ANSWER_SECONDS = 3.0
LOOK_SECONDS = 1.0
"""How often a full pool looks for workers that died with a browser."""
START_LOOK_SECONDS = 0.05
IDLE_SECONDS = 600.0
"""After this time without a borrower, a browser is ended."""


class Loan(NamedTuple):
    """The address of a browser's DevTools; or what is the matter with it, and how to mend that."""

    address: str = ""
    what: str = ""
    mend: str = ""


@dataclass
class PooledBrowser:
    """A Chromium on this machine; `holder` is the process that borrows it, 0 if none does."""

    process: subprocess.Popen[bytes]
    folder: Path
    address: str
    holder: int = 0
    idle_since: float = 0.0

    @property
    def is_lost(self) -> bool:
        """Has it ended, or the process that borrowed it?"""
        return self.process.poll() is not None or (self.holder > 0 and not is_alive(self.holder))

    def answers(self) -> bool:
        """Does it answer in time?"""
        line = HTTPConnection(self.address.removeprefix("http://"), timeout=ANSWER_SECONDS)
        with closing(line), suppress(OSError, HTTPException):
            line.request("GET", "/json/version")
            return line.getresponse().status == HTTPStatus.OK
        return False

    def end(self) -> None:
        """Kill it with its pages, and delete its folder."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


class BrowserPool:
    """At most so many browsers, started as they are needed; an actor on each machine.

    One whose borrower died is not lent again: nobody knows what is open in it.
    """

    def __init__(
        self,
        most: int,
        chromium: Path | None = None,
        *,
        no_sandbox: bool = False,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """`chromium` and `no_sandbox` are as in the settings."""
        self._most = most
        self._chromium = chromium
        self._no_sandbox = no_sandbox
        self._idle_seconds = idle_seconds
        self._browsers: list[PooledBrowser] = []
        self._changed = asyncio.Condition()
        self._ending: set[asyncio.Task[None]] = set()

    async def borrow(self, process: int) -> Loan:
        """A browser for a process of this machine, as soon as one is free."""
        async with self._changed:
            while True:
                try:
                    free = await asyncio.to_thread(self._find_free)
                except BrowserError as error:
                    return Loan("", error.what, error.mend)
                if free is not None:
                    free.holder = process
                    return Loan(free.address)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), LOOK_SECONDS)

    async def give_back(self, address: str) -> None:
        """The borrower has closed what it opened."""
        async with self._changed:
            for each in self._browsers:
                if each.address == address:
                    each.holder, each.idle_since = 0, time.monotonic()
            self._changed.notify()
        ending = asyncio.create_task(self._end_idle())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    def close(self) -> None:
        """End all browsers."""
        for each in self._browsers:
            each.end()
        self._browsers.clear()

    def _find_free(self) -> PooledBrowser | None:
        """One that nobody has, perhaps a new one; None if all are lent. Raises BrowserError."""
        self._drop([each for each in self._browsers if each.is_lost])
        for each in [each for each in self._browsers if not each.holder]:
            if each.answers():
                return each
            self._drop([each])
        if len(self._browsers) >= self._most:
            return None
        started = start_browser(self._chromium, no_sandbox=self._no_sandbox)
        self._browsers.append(started)
        return started

    async def _end_idle(self) -> None:
        await asyncio.sleep(self._idle_seconds)
        oldest = time.monotonic() - self._idle_seconds
        async with self._changed:
            self._drop(
                [one for one in self._browsers if not one.holder and one.idle_since <= oldest]
            )

    def _drop(self, browsers: Iterable[PooledBrowser]) -> None:
        for each in browsers:
            self._browsers.remove(each)
            each.end()


def start_browser(chromium: Path | None, *, no_sandbox: bool) -> PooledBrowser:
    """A Chromium that listens on loopback for whoever drives it. Raises BrowserError."""
    executable = find_chromium(chromium)
    if executable is None:
        raise BrowserError("There is no browser on this machine.", INSTALL)
    tried = sandbox_attempts(root=runs_as_root(), allowed=no_sandbox)
    for sandbox in tried:
        if started := _try_start(executable, sandbox=sandbox):
            return started
    mend = f"{INSTALL} {SANDBOX}" if all(tried) else INSTALL
    raise BrowserError("The browser does not start.", mend)


def _try_start(executable: Path, *, sandbox: bool) -> PooledBrowser | None:
    folder = make_folder()
    more = () if sandbox else ("--no-sandbox",)
    command = [*UNTIL_LEFT, str(executable), *HEADLESS, f"--user-data-dir={folder / 'profile'}"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603
            [*command, *FLAGS, *more],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    browser = PooledBrowser(process, folder, "")
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        if told := LISTENS.search((folder / "log").read_text(encoding="utf-8", errors="replace")):
            browser.address = f"http://{told[1]}"
            LOG.info("started browser at %s, process %d", browser.address, process.pid)
            return browser
        time.sleep(START_LOOK_SECONDS)
    browser.end()
    return None


def is_alive(process: int) -> bool:
    """Whether a process of this machine has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@asynccontextmanager
async def borrow_browser(settings: Settings) -> AsyncIterator[str]:
    """The address of a browser of this machine's pool, for a worker; empty without pools.

    Raises BrowserError.
    """
    if not settings.ray_browsers or settings.browser_url:
        yield ""
        return
    ray = import_ray()
    pool = await asyncio.to_thread(_pool_here, ray, settings)
    asked: Future[Loan] = pool.borrow.remote(os.getpid()).future()
    try:
        loan = await asyncio.shield(asyncio.wrap_future(asked))
    except ray.exceptions.RayError as error:
        raise BrowserError("The pool of browsers on this machine died.", "Resume.") from error
    except asyncio.CancelledError:
        asked.add_done_callback(lambda lent: _return_unused(pool, lent))
        raise
    if not loan.address:
        raise BrowserError(loan.what, loan.mend)
    try:
        yield loan.address
    finally:
        pool.give_back.remote(loan.address)


def _return_unused(pool: Any, lent: "Future[Loan]") -> None:
    """Give back a browser that came when nobody waited for it any more."""
    if not lent.exception():
        pool.give_back.remote(lent.result().address)


def _pool_here(ray: ModuleType, settings: Settings) -> Any:
    """The actor of this machine, which whoever needs it first creates."""
    strategies = importlib.import_module("ray.util.scheduling_strategies")
    node = ray.get_runtime_context().get_node_id()
    return (
        ray.remote(BrowserPool)
        .options(
            name=f"browsers {node}",
            namespace=NAMESPACE,
            get_if_exists=True,
            lifetime="detached",
            num_cpus=0,
            max_restarts=-1,
            scheduling_strategy=strategies.NodeAffinitySchedulingStrategy(node, soft=False),
        )
        .remote(settings.ray_browsers, settings.chromium, no_sandbox=settings.no_sandbox)
    )
