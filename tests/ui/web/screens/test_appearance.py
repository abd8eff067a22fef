"""Every page at both widths and in both themes: pictured, within the window, with a name for each
control, and without an error in the browser's console.

The pictures lie in pytest's folder for the run (`looks…`), whose path is printed with -s. The page
of a decision is pictured by `test_approvals_in_browser`, into `decision…`.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    ViewportSize,
    expect,
)

from tests.browsers import needs_browser, only_tab
from tests.coast import ENGINEER, Coast
from tests.ui.conftest import PAGES
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE
from tests.ui.web.screens.bench.test_bench_page import FILE
from tests.ui.web.screens.page_audit import barriers
from ui.server.access.password_hash import save_password
from ui.server.examples.example_sites import CONFERENCE, ENCYCLOPEDIA
from ui.server.handbook.handbook_site import serve_pages

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
HERE = "--port", "0", "--allow-private", "127.0.0.1"
PATIENT = {"FORAGER_REQUEST_SECONDS": "600"}
"""A run that waits for a page does so until it has been looked at."""
QUESTIONS = {"one": "Who built the Skarn lighthouse, and when?", "two": "How high is Holm?"}
ENDED = {
    "none": (ENCYCLOPEDIA, "What is the average salary of a nurse in Brazil?", "abstained"),
    "partly": (
        CONFERENCE,
        "Who leads the workshop Reading a current meter, and how much does a nurse earn in Brazil?",
        "partial",
    ),
}
"""Questions to example sites, and how they end."""
WAYS = {
    "start": ("", "Ask a question across pages and sites"),
    "run": ("?session=one", QUESTIONS["one"]),
    "running": ("?session=running", ENGINEER),
    "none": ("?session=none", ENDED["none"][1]),
    "partly": ("?session=partly", ENDED["partly"][1]),
    "sessions": ("sessions?session=one", QUESTIONS["one"]),
    "compare": ("sessions?session=one&with=two", "Answer"),
    "session-list": ("sessions", "Sessions"),
    "graphs": ("methods", "Methods"),
    "editor": ("graphs?graph=mango", "Site map first"),
    "memory": ("memory", "Memory"),
    "batch": ("batch", "questions.csv"),
    "new-batch": ("batch?new=batch", "New batch"),
    "bench": ("bench", "Bench"),
    "settings": ("settings", "Settings"),
}
SIZES = {1280: 900, 400: 860}
MOST_HIGH = 4000
PROBES = ("/_stcore/health", "/_stcore/host-config")
"""Where Streamlit looks for its server; it tries beside the address of the page first."""
SESAME = "open sesame, please"
BUSY = '[data-testid="stApp"][data-test-script-state="running"]'
USED = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "tab", "switch"}
USED |= {"slider", "spinbutton", "menuitem", "option"}
SIDEWAYS = """() => [document.scrollingElement, document.querySelector('[data-testid="stMain"]')]
    .filter((each) => each && each.scrollWidth > each.clientWidth + 1)
    .map((each) => `${each.tagName} ${each.scrollWidth} > ${each.clientWidth}`)"""
FADED = 24
"""Pixels at the end of the navigation that are faint."""
HIGH = """() => (document.querySelector('[data-testid="stMain"]') ?? document.body).scrollHeight"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With sessions that were answered, partly and not, one that runs, and a bench's results."""
    data = tmp_path_factory.mktemp("data")
    (data / "bench").mkdir()
    (data / "bench" / "dev.jsonl").write_text(FILE)
    pages = {path: page.encode() for path, page in PAGES.items()}
    with Coast() as coast, serve_pages(pages) as root, serving(data, *HERE, **PATIENT) as server:
        caller = Caller(server.port, server.token)
        asked = {id: (question, root) for id, question in QUESTIONS.items()}
        for id, (example, question, _) in ENDED.items():
            port = (data / example.port_file).read_text().strip()
            asked[id] = (question, f"http://127.0.0.1:{port}/")
        for id, (question, address) in {**asked, "running": (ENGINEER, coast.url())}.items():
            body = {"question": question, "sites": [address], "session": id}
            assert caller.ask("/api/sessions", body).status == 201
        for id in asked:
            caller.seen(id, ENDED[id][2] if id in ENDED else "answered")
        rows = (QUESTIONS["two"], root), ("?", ""), (ENGINEER, coast.url())
        lines = "".join(f"{question},{address}\n" for question, address in rows)
        file = f"question,sites\n{lines}".encode()
        added = caller.ask("/api/batches?file=questions.csv", file).json()
        assert caller.ask(f"/api/batches/{added['batch']}/start", {}).status == 202
        assert coast.wanted.wait(PATIENCE / 1000)
        yield server
        coast.let_go.set()


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that wants a password."""
    data = tmp_path_factory.mktemp("locked")
    save_password(data, SESAME)
    with serving(data, *HERE) as server:
        yield server


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looks")
    print(f"\nPictures of the pages: {folder}")  # noqa: T201  # for whoever looks at them
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tabs(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """What the pages have in common is fetched once."""
    async with await chromium.new_context(color_scheme="light") as context:
        yield context


async def nameless(page: Page) -> list[str]:
    """The controls, in shadow roots too, of which a screen reader would say no more than a role."""
    line = await page.context.new_cdp_session(page)
    tree = await line.send("Accessibility.getFullAXTree")
    await line.detach()
    shown = [node for node in tree["nodes"] if not node["ignored"]]
    roles = [(node.get("role", {}).get("value"), node.get("name", {})) for node in shown]
    return [role for role, name in roles if role in USED and not name.get("value", "").strip()]


async def looked_at(page: Page, heading: str, picture: Callable[[str], Path]) -> None:
    """Once it is drawn: nothing is amiss in it."""
    await expect(page.get_by_role("heading", name=heading).first).to_be_visible(timeout=PATIENCE)
    await expect(page.locator(BUSY)).to_have_count(0, timeout=PATIENCE)
    await expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE)
    await page.evaluate("document.fonts.ready.then(() => null)")
    await expect(page.get_by_test_id("stException")).to_have_count(0)
    width = page.viewport_size["width"] if page.viewport_size else 0
    high = min(await page.evaluate(HIGH), MOST_HIGH)
    await page.set_viewport_size({"width": width, "height": max(high, SIZES[width])})
    await page.wait_for_function(f"() => !({SIDEWAYS})().length", timeout=PATIENCE)
    assert await nameless(page) == []
    assert await barriers(page, picture) == []


def _picture(name: Path, width: int, scheme: str) -> Path:
    return Path(f"{name}-{width}-{scheme}.png")


async def visited(tabs: BrowserContext, home: str, way: str, heading: str, name: Path) -> None:
    """Open a page and look at it in each width; nobody but the server is asked, and it has all."""
    strangers: list[str] = []
    faults: list[str] = []

    def note(request: Request) -> None:
        strangers.append(request.url)

    def refused(response: Response) -> None:
        if response.status >= HTTPStatus.BAD_REQUEST and not response.url.endswith(PROBES):
            faults.append(f"{response.status} {response.url}")

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error" and not said.location["url"].endswith(PROBES):
            faults.append(said.text)

    async with only_tab(tabs) as page:
        await page.goto("about:blank")  # the page before asks for nothing any more
        page.on("request", note)
        page.on("response", refused)
        page.on("console", hear)
        await page.goto(home + way)
        for width, height in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await looked_at(page, heading, partial(_picture, name, width))
        page.remove_listener("request", note)
        page.remove_listener("response", refused)
        page.remove_listener("console", hear)
        assert faults == []
    ours = home, home.replace("http", "ws"), "data:", "blob:"
    assert [url for url in strangers if not url.startswith(ours)] == []


@pytest.mark.parametrize("name", WAYS)
async def test_a_page_fits_its_window_and_names_its_controls(
    tabs: BrowserContext, server: Served, album: Path, name: str
) -> None:
    way, heading = WAYS[name]
    await visited(tabs, server.url, way, heading, album / name)


async def test_a_question_mark_lists_the_shortcuts_unless_it_is_typed(
    tabs: BrowserContext, server: Served
) -> None:
    page = await tabs.new_page()
    await page.set_viewport_size({"width": 1280, "height": 900})
    await page.goto(server.url)
    question, shortcuts = page.get_by_label("Question"), page.get_by_role("dialog")
    await expect(question).to_be_focused(timeout=PATIENCE)
    await page.keyboard.type("Who?")
    await expect(question).to_have_value("Who?")
    await expect(shortcuts).to_be_hidden()
    await page.get_by_role("button", name="Keyboard shortcuts").focus()
    await page.keyboard.press("?")
    await expect(shortcuts).to_contain_text("New question")
    assert await barriers(page) == []
    await page.keyboard.press("Escape")
    await expect(shortcuts).to_be_hidden()
    await page.close()


async def test_a_narrow_page_leads_to_all_others(tabs: BrowserContext, server: Served) -> None:
    page = await tabs.new_page()
    await page.set_viewport_size({"width": 400, "height": 860})
    await page.goto(server.url)
    first = page.locator(".st-key-nav a").first
    await first.evaluate("link => { link.drawnOnce = true }", timeout=PATIENCE)
    for name in ("Sessions", "Methods", "Memory", "Batch", "Bench", "Settings"):
        await page.locator(".st-key-nav").get_by_role("link", name=name).click(timeout=PATIENCE)
        heading = page.get_by_role("heading", name=name, exact=True)
        await expect(heading).to_be_visible(timeout=PATIENCE)
        assert await first.evaluate("link => link.drawnOnce"), "the navigation was drawn anew"
    await page.close()


async def test_a_narrow_page_has_its_content_on_the_first_screen(
    tabs: BrowserContext, server: Served
) -> None:
    """What there is to choose from stands in a row above it."""
    page = await tabs.new_page()
    await page.set_viewport_size({"width": 400, "height": 860})
    for way, part in (("settings", "Save"), ("memory", "Forget: "), ("bench", "Right, %")):
        await page.goto(server.url + way)
        own = page.locator(".st-key-right").get_by_text(part, exact=True)
        button = page.locator(".st-key-right").get_by_role("button", name=part)
        await expect(own.or_(button).first).to_be_in_viewport(timeout=PATIENCE)
    await page.close()


async def test_each_page_names_its_tab(tabs: BrowserContext, server: Served) -> None:
    titles = {"": "Forager", "memory": "Memory · Forager", "settings": "Settings · Forager"}
    titles |= {"sessions": "Sessions · Forager", "bench": "Bench · Forager"}
    titles["sessions?session=one"] = f"{QUESTIONS['one']} · Forager"
    page = await tabs.new_page()
    for way, title in titles.items():
        await page.goto(server.url + way)
        await expect(page).to_have_title(title, timeout=PATIENCE)
    await page.close()


async def test_the_field_of_the_model_shows_where_the_focus_is(
    tabs: BrowserContext, server: Served
) -> None:
    page = await tabs.new_page()
    await page.goto(server.url)
    await page.get_by_text("Change method, model or limits").click(timeout=PATIENCE)
    await page.get_by_label("Model", exact=True).focus(timeout=PATIENCE)
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Tab")
    field = page.locator('.stSelectbox [role="group"]:has(input:focus)')
    await expect(field).to_have_css("outline-width", "2px")
    await expect(field).to_have_css("outline-style", "solid")
    await expect(field.locator("input")).to_have_css("outline-style", "none")
    await page.close()


async def test_a_narrow_page_shows_the_answer_before_what_it_took(
    tabs: BrowserContext, server: Served
) -> None:
    page = await tabs.new_page()
    await page.set_viewport_size({"width": 360, "height": 740})
    await page.goto(f"{server.url}?session=one")
    answer, spent = (
        page.get_by_role("region", name="Answer"),
        page.get_by_text("Pages opened", exact=True),
    )
    await expect(answer).to_contain_text("1874", timeout=PATIENCE)
    await expect(spent).to_be_visible(timeout=PATIENCE)
    places = [await each.bounding_box() for each in (answer, spent)]
    assert places[0]
    assert places[1]
    assert places[0]["y"] < places[1]["y"]
    assert await page.evaluate(SIDEWAYS) == []
    await page.close()


@pytest.mark.parametrize("language", ["en", "de", "zh"])
async def test_the_navigation_of_a_narrow_page_leads_to_its_last_entry(
    tabs: BrowserContext, server: Served, language: str
) -> None:
    """Where it does not fit, it is pushed aside by itself, and the page stays as it is."""
    assert tabs.browser
    size: ViewportSize = {"width": 360, "height": 740}
    context = await tabs.browser.new_context(locale=language, viewport=size)
    page = await context.new_page()
    await page.goto(server.url)
    row = page.locator(".st-key-nav")
    await expect(row.get_by_role("link")).to_have_count(7, timeout=PATIENCE)
    await expect(page.locator("html")).to_have_attribute("lang", re.compile(language))
    assert await page.evaluate(SIDEWAYS) == []
    await row.evaluate("each => each.scrollTo(each.scrollWidth, 0)")
    last = await row.get_by_role("link").last.bounding_box()
    assert last
    fades = await row.evaluate("each => getComputedStyle(each).maskImage !== 'none'")
    assert fades == (language == "de"), "the longest words alone do not fit"
    assert last["x"] + last["width"] <= size["width"] - FADED * fades
    await context.close()


async def test_so_does_the_page_to_log_in(
    tabs: BrowserContext, locked: Served, album: Path
) -> None:
    await visited(tabs, locked.url, "", "Forager", album / "login")


async def test_who_came_in_with_the_password_can_go_out(
    tabs: BrowserContext, locked: Served
) -> None:
    page = await tabs.new_page()
    await page.goto(locked.url)
    await page.get_by_label("Password").fill(SESAME)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name=WAYS["start"][1])).to_be_visible(timeout=PATIENCE)
    await page.goto(f"{locked.url}settings?part=login")
    await page.get_by_role("button", name="Log out").click(timeout=PATIENCE)
    await expect(page.get_by_label("Password")).to_be_visible(timeout=PATIENCE)
    await page.goto(f"{locked.url}settings")
    await expect(page.get_by_label("Password")).to_be_visible(timeout=PATIENCE)
    await page.close()


async def test_the_theme_of_the_settings_is_shown_at_once(
    tabs: BrowserContext, server: Served
) -> None:
    """Whatever the browser prefers; a page that is opened later has it, too."""
    page = await tabs.new_page()
    app = page.get_by_test_id("stApp")
    light = "rgb(252, 253, 251)"
    await page.goto(f"{server.url}settings?part=general")
    await expect(app).to_have_css("background-color", light, timeout=PATIENCE)
    for name, colour in (("Dark", "rgb(16, 19, 17)"), ("As the browser", light)):
        themes = page.get_by_role("radiogroup", name="Theme")
        await themes.get_by_role("radio", name=name).click()
        await page.get_by_role("button", name="Save").click()
        await expect(app).to_have_css("background-color", colour, timeout=PATIENCE)
        await page.reload()
        await expect(app).to_have_css("background-color", colour, timeout=PATIENCE)
    await page.close()
