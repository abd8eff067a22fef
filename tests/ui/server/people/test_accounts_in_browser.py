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


async def pages_of(page: Page) -> set[str]:
    """The pages in the navigation."""
    links = page.locator("[data-testid=stTopNavLink], [data-testid=stTopNavLinkContainer] a")
    return {(await each.inner_text()).strip() for each in await links.all()}


async def choose_account(page: Page, name: str) -> None:
    """Choose an account but the first on the page Users; its form is there then."""
    await page.get_by_role("combobox", name="Change an account").click()
    await page.get_by_role("option", name=name).click()
    await expect(page.get_by_role("button", name="Remove…")).to_be_enabled(timeout=PATIENCE)


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
        assert await pages_of(page) == {"Shared", "Settings"}
        await page.get_by_text("From ada").wait_for()
        for path in ("shares", "?session=one"):
            await page.goto(f"{served.url}{path}")
            await page.get_by_text("From ada").wait_for()
            await expect(page.get_by_label("Question", exact=True)).to_have_count(0)
            await expect(page.get_by_text("Page not found")).to_have_count(0)
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


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_an_answer_is_read_by_its_link_and_shared_with_everyone(
    chromium: Browser, served: Served
) -> None:
    accounts = Accounts(Settings(data=served.data))
    accounts.add("bob", "asker", password=hash_password(PASSWORD))
    async with logged_in(chromium, served, "bob") as page:
        assert await pages_of(page) == {"Ask", "Sessions", "Memory", "Batch", "Shared", "Settings"}
        await page.locator(".st-key-ask-0 button").click()
        await expect(page.locator(".verdict")).to_contain_text("Answered", timeout=PATIENCE)
        question = await page.get_by_role("heading", level=1).inner_text()
        await page.get_by_role("button", name="Export").click()
        await page.get_by_role("button", name="Share a link").click()
        shown = page.locator("code").filter(has_text="/shared/")
        link = (await shown.inner_text()).strip()
        async with await chromium.new_context() as nobody:
            other = await nobody.new_page()
            await other.goto(link)
            await expect(other.get_by_text(question).first).to_be_visible()
            await other.goto(served.url)
            await expect(other.get_by_label("Password")).to_be_visible()
            await page.get_by_role("button", name="End the link").click()
            await expect(page.get_by_role("button", name="Share a link")).to_be_visible()
            await other.goto(link)
            await expect(other.get_by_text("Nothing is shared here").first).to_be_visible()
        await page.get_by_role("button", name="Share", exact=True).click()
        await expect(page.get_by_role("button", name="End", exact=True)).to_be_visible()
        [received] = served.ask("/api/shares")[1]["received"]
        assert (received["title"], received["owner"]) == (question, "bob")
        await page.get_by_role("button", name="End", exact=True).click()
        await expect(page.get_by_role("button", name="End", exact=True)).to_have_count(0)
        assert served.ask("/api/shares")[1]["received"] == []
    assert served.ask("/api/sessions")[1]["count"] == 0


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_an_export_is_given_to_its_owner_alone(
    chromium: Browser, served: Served, site: str
) -> None:
    accounts = Accounts(Settings(data=served.data))
    for name in ("bob", "eve"):
        accounts.add(name, "asker", password=hash_password(PASSWORD))
    async with (
        logged_in(chromium, served, "bob") as page,
        logged_in(chromium, served, "eve") as other,
    ):
        await page.get_by_label("Question", exact=True).fill(f"{QUESTION} {site}")
        await page.locator(".st-key-begin button").click()
        await expect(page.locator(".verdict")).to_contain_text("Answered", timeout=PATIENCE)
        await page.get_by_role("button", name="Export").click()
        async with page.expect_download() as begun:
            await page.get_by_role("button", name="Markdown").click()
        file = await begun.value
        assert QUESTION in Path(await file.path()).read_text(encoding="utf-8")
        assert "/media/" in file.url
        assert (await page.request.get(file.url)).status == 200
        assert (await other.request.get(file.url)).status == 404
        async with await chromium.new_context() as nobody:
            assert (await nobody.request.get(file.url)).status == 401


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_an_admin_sees_what_was_spent_and_sets_a_limit_that_holds_at_once(
    chromium: Browser, served: Served, site: str
) -> None:
    accounts = Accounts(Settings(data=served.data))
    bob = accounts.add("bob", "asker", password=hash_password(PASSWORD))
    accounts.book(bob.id, 3.75)
    async with (
        logged_in(chromium, served, "ada") as page,
        logged_in(chromium, served, "bob") as asking,
    ):
        await page.get_by_role("link", name="Users").first.click()
        told = page.get_by_text("Spent this month by all together: $3.75 (UTC).")
        await expect(told).to_be_visible(timeout=PATIENCE)
        await choose_account(page, "bob")
        await page.get_by_label("Most US dollars in a month").fill("3.5")
        await page.get_by_role("button", name="Save").click()
        rows = page.get_by_text("$3.50 a month")
        await expect(rows).to_have_count(1, timeout=PATIENCE)
        await asking.get_by_label("Question", exact=True).fill(f"{QUESTION} {site}")
        await asking.locator(".st-key-begin button").click()
        refused = asking.get_by_text("The limit of this account for this month is spent.")
        await expect(refused.first).to_be_visible(timeout=PATIENCE)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_an_open_page_closes_with_the_account_and_follows_its_role(
    chromium: Browser, served: Served
) -> None:
    accounts = Accounts(Settings(data=served.data))
    eve = accounts.add("eve", "admin", password=hash_password(PASSWORD))
    bob = accounts.add("bob", "asker", password=hash_password(PASSWORD))
    async with logged_in(chromium, served, "eve") as page:
        await page.get_by_role("link", name="Users").first.click()
        await choose_account(page, "bob")
        await page.get_by_role("button", name="Remove…").click()
        await expect(page.get_by_role("dialog")).to_be_visible(timeout=PATIENCE)
        accounts.set_role(eve.id, "viewer")
        await page.get_by_role("button", name="Remove for good").click()
        await expect(page.get_by_text("this needs admin")).to_be_visible(timeout=PATIENCE)
        assert accounts.find(bob.id) is not None
        accounts.set_disabled(eve.id, disabled=True)
        await page.goto(f"{served.url}settings")
        await expect(page.get_by_label("Password")).to_be_visible(timeout=PATIENCE)
