"""Named persons come in through an OpenID provider; everybody else stays out."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, Page, WebSocket, expect

from tests.browsers import needs_browser
from tests.ui.server.access.provider import CLIENT, SECRET, Provider
from tests.ui.server.process import Served, serving

PATIENCE = 30_000
ADA, EVE, BOB = "ada@example.org", "eve@example.org", "bob@example.org"
PERSONS: dict[str, dict[str, object]] = {
    "Ada": {"email": "Ada@Example.org", "email_verified": True},
    "Eve": {"email": EVE, "email_verified": True},
    "Bob": {"email": BOB, "email_verified": "false"},
}
PAGES = "", "settings"
KEPT = (
    "/media/one.png",
    "/component/one/index.html",
    "/_stcore/upload_file/one/two",
    "/_stcore/bidi-components/one/two.js",
    "/_stcore/metrics",
    "/_stcore/agent/openapi.json",
)
CALLS = "/api/sessions", "/api/sessions/one/live", "/api/sessions/one/screenshot"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider(PERSONS) as running:
        yield running


@pytest.fixture(scope="module")
def server(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("home")
    secrets(home, provider)
    words = "--port", "0"
    users = f"{ADA}, {BOB}"
    data = home / "data"
    with serving(data, *words, HOME=str(home), FORAGER_UI_USERS=users) as running:
        yield running


def secrets(home: Path, provider: Provider) -> None:
    folder = home / ".streamlit"
    folder.mkdir()
    said = {
        "redirect_uri": "http://127.0.0.1:{port}/oauth2callback",
        "cookie_secret": "0123456789abcdef" * 4,
        "client_id": CLIENT,
        "client_secret": SECRET,
        "server_metadata_url": provider.url("/.well-known/openid-configuration"),
    }
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in said.items())
    (folder / "secrets.toml").write_text(f"[auth]\n{lines}")


@asynccontextmanager
async def tab(chromium: Browser) -> AsyncIterator[Page]:
    async with await chromium.new_page() as page:
        page.set_default_timeout(PATIENCE)
        yield page


async def log_in(page: Page, server: Served, person: str) -> None:
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_role("link", name=person).click()
    await page.wait_for_url(server.url)


async def cookies(context: BrowserContext) -> str:
    found = await context.cookies()
    return "; ".join(f"{each.get('name')}={each.get('value')}" for each in found)


def status(server: Served, path: str, **headers: str) -> int:
    return server.fetch(path, None, "GET", headers)[0]


def test_nothing_is_served_before_the_login(server: Served) -> None:
    assert {path: status(server, path) for path in KEPT} == dict.fromkeys(KEPT, 401)
    assert {path: status(server, path) for path in CALLS} == dict.fromkeys(CALLS, 401)
    made_up = "_streamlit_user=" + json.dumps({"email": ADA, "is_logged_in": True})
    assert {path: status(server, path, cookie=made_up) for path in KEPT} == dict.fromkeys(KEPT, 401)


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_no_page_says_more_than_how_to_log_in(chromium: Browser, server: Served) -> None:
    frames: list[bytes] = []
    asked: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(_bytes(data)))

    async with tab(chromium) as page:
        page.on("websocket", listen)
        page.on("request", lambda request: asked.append(request.url))
        for path in PAGES:
            await page.goto(f"{server.url}{path}")
            await expect(page.get_by_role("button", name="Log in")).to_be_visible(timeout=PATIENCE)
            shown = await page.get_by_test_id("stMain").inner_text()
            assert shown.split() == ["Forager", "Log", "in"]
    received = b"".join(frames)
    assert b"Log in" in received
    assert server.token.encode() not in received
    assert b"Sessions" not in received
    assert [url for url in asked if not url.startswith((server.url, "data:", "blob:"))] == []


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_named_person_comes_in_until_the_logout(chromium: Browser, server: Served) -> None:
    async with tab(chromium) as page:
        await page.goto(server.url)
        await log_in(page, server, "Ada")
        await expect(page.get_by_label("Question", exact=True)).to_be_visible(timeout=PATIENCE)
        known = await cookies(page.context)
        assert [status(server, path, cookie=known) for path in KEPT[:2]] == [404, 404]
        assert status(server, CALLS[0], cookie=known) == 401  # the token is asked
        await page.goto(f"{server.url}settings?part=login")
        said = page.get_by_text("You are logged in as Ada@Example.org.")
        await expect(said).to_be_visible(timeout=PATIENCE)
        async with page.expect_response(lambda answer: "/auth/logout" in answer.url):
            await page.get_by_role("button", name="Log out").click()
        await expect(page.get_by_role("button", name="Log in")).to_be_visible(timeout=PATIENCE)
        assert status(server, KEPT[0], cookie=await cookies(page.context)) == 401


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_others_are_told_how_to_come_in(chromium: Browser, server: Served) -> None:
    async with tab(chromium) as page:
        await page.goto(server.url)
        await log_in(page, server, "Eve")
        said = page.get_by_text(f"{EVE} may not log in here.")
        await expect(said).to_contain_text("FORAGER_UI_USERS", timeout=PATIENCE)
        await expect(page.get_by_label("Question", exact=True)).to_have_count(0)
        assert status(server, KEPT[0], cookie=await cookies(page.context)) == 401
        await page.get_by_role("button", name="Log out").click()
        await log_in(page, server, "Bob")
        said = page.get_by_text(f"Your provider has not verified that {BOB} is yours.")
        await expect(said).to_contain_text("Verify it there", timeout=PATIENCE)


def _bytes(data: bytes | str) -> bytes:
    return data if isinstance(data, bytes) else data.encode()
