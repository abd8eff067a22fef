"""A context for one session: its own cookies, no permissions, and the proxy's password."""

import asyncio
from contextlib import AsyncExitStack
from typing import cast

from playwright.async_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Page,
    StorageState,
)

from forager.adapters.browser.guard.proxy import LOGIN_URL, GuardProxy
from forager.adapters.browser.process.cookie_jar import StoredState
from forager.adapters.browser.process.download_progress import DownloadProgress
from forager.adapters.browser.process.shutdown import await_quietly, close_page
from forager.settings import Settings

WIDTH, HEIGHT = 1280, 900
ACTION_SECONDS = 5.0
NAVIGATION_SECONDS = 15.0


async def new_context(
    browser: Browser,
    settings: Settings,
    proxy: GuardProxy,
    arrivals: DownloadProgress,
    kept: StoredState | None = None,
) -> BrowserContext:
    """A context that may ask the proxy, with what sites kept in one before."""
    context = await browser.new_context(
        accept_downloads=True,
        service_workers="block",
        permissions=[],
        viewport={"width": WIDTH, "height": HEIGHT},
        user_agent=await _user_agent(browser, settings),
        locale="en-US",
        storage_state=cast(StorageState, kept) if kept else None,
    )
    context.set_default_timeout(ACTION_SECONDS * 1000)
    context.set_default_navigation_timeout(NAVIGATION_SECONDS * 1000)
    async with AsyncExitStack() as unfinished:
        unfinished.push_async_callback(lambda: await_quietly(context.close()))
        page = await context.new_page()
        await _admit_to_proxy(page, proxy)
        await arrivals.follow_context(page)
        await close_page(page)
        unfinished.pop_all()
    return context


async def _user_agent(browser: Browser, settings: Settings) -> str:
    """What the browser calls itself, and who drives it."""
    session = await browser.new_browser_cdp_session()
    told = await session.send("Browser.getVersion")
    await session.detach()
    own = str(told["userAgent"]).replace("HeadlessChrome", "Chrome")
    return f"{own} {settings.user_agent.partition(' ')[0]}"


async def _admit_to_proxy(page: Page, proxy: GuardProxy) -> None:
    """Give the context the proxy's password, which it then sends along by itself.

    Playwright's own way would give it to every site that asks for one, and slow each request.
    """
    session = await page.context.new_cdp_session(page)
    answers: set[asyncio.Task[None]] = set()

    def answer(method: str, asked: dict[str, object], **more: object) -> None:
        task = asyncio.create_task(
            _send_command(session, method, {"requestId": asked["requestId"], **more})
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


async def _send_command(session: CDPSession, method: str, parameters: dict[str, object]) -> None:
    try:
        await session.send(method, parameters)
    except Error:
        return  # the request is gone
