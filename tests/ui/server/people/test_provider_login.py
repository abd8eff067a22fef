"""Accounts whose persons come in through an OpenID provider, by their verified address."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, expect

from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from tests.browsers import needs_browser
from tests.ui.server.access.provider import Provider
from tests.ui.server.access.test_named_login import PATIENCE, log_in, secrets, tab
from tests.ui.server.people.conftest import PASSWORD
from tests.ui.server.process import Served, serving
from ui.server.access.password_hash import hash_password

PERSONS: dict[str, dict[str, object]] = {
    "Ada": {"email": "Ada@Example.org", "email_verified": True},
    "Bob": {"email": "bob@example.org", "email_verified": "false"},
    "Cleo": {"email": "cleo@example.org", "email_verified": True},
    "Dana": {"email": "dana@example.org", "email_verified": True},
    "Eve": {"email": "eve@example.org", "email_verified": True},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Ada, bob and cleo have accounts, of which cleo's is disabled; Dana is named."""
    home = tmp_path_factory.mktemp("home")
    accounts = Accounts(Settings(data=home / "data"))
    accounts.add("ada", "admin", email="ada@example.org")
    accounts.add("bob", "asker", email="bob@example.org", password=hash_password(PASSWORD))
    cleo = accounts.add("cleo", "asker", email="cleo@example.org")
    accounts.set_disabled(cleo.id, disabled=True)
    users = "dana@example.org, cleo@example.org"
    with Provider(PERSONS) as provider:
        secrets(home, provider)
        words = home / "data", "--port", "0"
        with serving(*words, HOME=str(home), FORAGER_UI_USERS=users) as running:
            yield running


@asynccontextmanager
async def come_in(chromium: Browser, served: Served, person: str) -> AsyncIterator[Page]:
    """The page that somebody is shown whom the provider vouches for."""
    async with tab(chromium) as page:
        await page.goto(served.url)
        await log_in(page, served, person)
        yield page


async def account_line(page: Page, served: Served, told: str) -> None:
    """The settings name the account and its role."""
    await page.goto(f"{served.url}settings?part=account")
    await expect(page.get_by_text(told, exact=True)).to_be_visible(timeout=PATIENCE)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_an_account_comes_in_by_its_address_until_the_logout(
    chromium: Browser, served: Served
) -> None:
    async with come_in(chromium, served, "Ada") as page:
        await expect(page.get_by_label("Question", exact=True)).to_be_visible(timeout=PATIENCE)
        await account_line(page, served, "ada, admin")
        await page.get_by_role("button", name="Log out").click()
        await expect(page.get_by_role("button", name="Log in")).to_be_visible(timeout=PATIENCE)
        await page.goto(f"{served.url}settings?part=account")
        await expect(page.get_by_role("button", name="Log in")).to_be_visible(timeout=PATIENCE)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_named_address_gets_an_account_at_its_first_login(
    chromium: Browser, served: Served
) -> None:
    for _ in range(2):
        async with come_in(chromium, served, "Dana") as page:
            await expect(page.get_by_label("Question", exact=True)).to_be_visible(timeout=PATIENCE)
            await account_line(page, served, "dana, asker")
    made = served.ask("/api/accounts")[1]
    assert [each["name"] for each in made] == ["ada", "bob", "cleo", "dana"]


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("person", "told"),
    [
        ("Bob", "Your provider has not verified that bob@example.org is yours."),
        ("Cleo", "cleo@example.org may not log in here."),
        ("Eve", "eve@example.org may not log in here."),
    ],
)
async def test_others_stay_out(chromium: Browser, served: Served, person: str, told: str) -> None:
    async with come_in(chromium, served, person) as page:
        await expect(page.get_by_text(told)).to_be_visible(timeout=PATIENCE)
        await expect(page.get_by_label("Question", exact=True)).to_have_count(0)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_password_is_taken_beside_the_provider(chromium: Browser, served: Served) -> None:
    async with tab(chromium) as page:
        await page.goto(served.url)
        async with page.context.expect_page() as opened:
            await page.get_by_role("link", name="Log in with name and password").click()
        typing = await opened.value
        await typing.get_by_label("Name").fill("bob")
        await typing.get_by_label("Password").fill(PASSWORD)
        await typing.get_by_role("button", name="Log in").click()
        await expect(typing.get_by_label("Question", exact=True)).to_be_visible(timeout=PATIENCE)
        await account_line(typing, served, "bob, asker")
