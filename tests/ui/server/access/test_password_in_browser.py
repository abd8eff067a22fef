"""A person logs in with the password, follows a run, and logs out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served, serving
from ui.server.access.password_hash import save_password

PATIENCE = 30_000
SECRET = "open sesame, please"
SITE = "http://127.0.0.1:9/"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    save_password(tmp_path, SECRET)
    words = "--port", "0", "--allow-private", "127.0.0.1"
    with serving(tmp_path, *words, HOME=str(tmp_path)) as running:
        yield running


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_the_token_and_the_other_tabs_end_with_the_logout(
    chromium: Browser, server: Served
) -> None:
    asked = {"question": "Where is it?", "sites": [SITE], "session": "one"}
    assert server.ask("/api/sessions", asked)[0] in {201, 202}
    async with await chromium.new_context() as person:
        page = await person.new_page()
        page.set_default_timeout(PATIENCE)
        await page.goto(f"{server.url}?session=one")
        await page.get_by_label("Password").fill(SECRET)
        await page.get_by_role("button", name="Log in").click()
        await expect(page.get_by_label("Question", exact=True)).to_be_visible(timeout=PATIENCE)
        async with page.expect_response(lambda answer: "/one/live" in answer.url) as live:
            await page.goto(f"{server.url}?session=one")
        followed = await live.value
        bearer = (await followed.request.all_headers())["authorization"]
        token = bearer.removeprefix("Bearer ")
        assert followed.status == 200
        assert token != server.token
        assert server.ask("/api/sessions/one", token=token)[0] == 200
        leaving = await person.new_page()
        await leaving.goto(f"{server.url}settings?part=login")
        await leaving.get_by_role("button", name="Log out").click(timeout=PATIENCE)
        await expect(leaving.get_by_label("Password")).to_be_visible(timeout=PATIENCE)
        assert server.ask("/api/sessions/one", token=token)[0] == 401
        await page.get_by_role("link", name="Memory").first.click()
        closed = page.get_by_text("You are logged out.")
        await expect(closed).to_be_visible(timeout=PATIENCE)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_whoever_has_a_link_reads_the_session_without_a_login(
    chromium: Browser, server: Served
) -> None:
    asked = {"question": "Where is it?", "sites": [SITE], "session": "one"}
    assert server.ask("/api/sessions", asked)[0] in {201, 202}
    async with await chromium.new_context() as person, await chromium.new_context() as reader:
        page = await person.new_page()
        page.set_default_timeout(PATIENCE)
        await page.goto(f"{server.url}sessions?session=one&tab=Export")
        await page.get_by_label("Password").fill(SECRET)
        await page.get_by_role("button", name="Log in").click()
        await page.goto(f"{server.url}sessions?session=one")
        await page.get_by_role("tab", name="Export").click()
        await page.get_by_role("button", name="Share a link").click()
        end = page.get_by_role("button", name="End the link")
        await expect(end).to_be_visible(timeout=PATIENCE)
        link = await page.get_by_test_id("stCode").inner_text()
        assert link.startswith(f"{server.url}shared/")
        shared = await reader.new_page()
        await shared.goto(link)
        await expect(shared.get_by_text("Where is it?").first).to_be_visible()
        await end.click()
        await expect(page.get_by_role("button", name="Share a link")).to_be_visible()
        await shared.reload()
        await expect(shared.get_by_text("Nothing is shared here")).to_be_visible()
