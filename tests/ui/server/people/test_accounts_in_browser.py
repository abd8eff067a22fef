"""People log in with accounts: an admin adds one, who makes a token and reads what is shared."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from tests.browsers import needs_browser
from tests.ui.server.people.conftest import PASSWORD
from tests.ui.server.process import Served, serving
from ui.server.access.password_hash import hash_password

PATIENCE = 30_000
QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server whose first account is ada."""
    data = tmp_path / "data"
    Accounts(Settings(data=data)).add("ada", "admin", password=hash_password(PASSWORD))
    words = "--port", "0", "--allow-private", "127.0.0.1"
    with serving(data, *words, HOME=str(tmp_path)) as running:
        yield running


@asynccontextmanager
async def logged_in(chromium: Browser, served: Served, name: str) -> AsyncIterator[Page]:
    """The start page of an account, in a browser of its own."""
    async with await chromium.new_context() as person:
        page = await person.new_page()
        page.set_default_timeout(PATIENCE)
        await page.goto(served.url)
        await page.get_by_label("Name").fill(name)
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Log in").click()
        await expect(page.get_by_role("link", name="Shared").first).to_be_visible(timeout=PATIENCE)
        yield page


async def add_account(page: Page, name: str, role: str) -> None:
    """Fill in the form of the page Users."""
    await page.get_by_role("link", name="Users").first.click()
    await page.get_by_text("Add an account").click()
    await page.get_by_label("Name", exact=True).fill(name)
    await page.locator(".st-key-new-account-role input").first.click()
    await page.get_by_role("option", name=role).click()
    await page.locator(".st-key-new-password input").fill(PASSWORD)
    await page.get_by_role("button", name="Add", exact=True).click()
    chosen = page.get_by_role("combobox", name="Change an account")
    await expect(chosen).to_have_value(name, timeout=PATIENCE)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_an_admin_adds_an_account_that_reads_what_is_shared(
    chromium: Browser, served: Served, site: str
) -> None:
    asked = {"question": QUESTION, "sites": [site], "session": "one"}
    assert served.ask("/api/sessions", asked)[0] == 201
    async with logged_in(chromium, served, "ada") as page:
        await add_account(page, "vera", "viewer: reads what is shared")
    shared = {"kind": "session", "thing": "one", "account": "vera"}
    status, share = served.ask("/api/shares", shared)
    assert status == 201, share
    async with logged_in(chromium, served, "vera") as page:
        links = page.locator("[data-testid=stTopNavLink], [data-testid=stTopNavLinkContainer] a")
        names = {(await each.inner_text()).strip() for each in await links.all()}
        assert names == {"Shared", "Settings"}
        await page.get_by_text("From ada").wait_for()
        answer = await page.request.get(f"{served.url}with-you/{share['id']}")
        assert answer.status == 200
        assert QUESTION in await answer.text()
        assert served.ask(f"/api/shares/{share['id']}", method="DELETE")[0] == 200
        ended = await page.request.get(f"{served.url}with-you/{share['id']}")
        assert ended.status == 404


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_token_is_shown_once_and_the_account_logs_out(
    chromium: Browser, served: Served
) -> None:
    async with logged_in(chromium, served, "ada") as page:
        await page.goto(f"{served.url}settings?part=account")
        await page.get_by_label("What it is for").fill("notebook")
        await page.get_by_role("button", name="Create a token").click()
        shown = page.locator("code").filter(has_text="fgr_")
        await expect(shown).to_be_visible(timeout=PATIENCE)
        token = (await shown.inner_text()).strip()
        assert served.ask("/api/account", token=token)[1]["name"] == "ada"
        assert served.ask("/api/metrics", token=token)[0] == 403
        await page.get_by_role("button", name="Revoke").click()
        await expect(page.get_by_text("notebook · read")).to_have_count(0, timeout=PATIENCE)
        await expect(shown).to_have_count(0, timeout=PATIENCE)
        assert served.ask("/api/account", token=token)[0] == 401
        await page.get_by_role("button", name="Log out").click()
        await expect(page.get_by_label("Name")).to_be_visible(timeout=PATIENCE)
