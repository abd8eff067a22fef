import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, Request, Route, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE, ask, at_rest
from ui.server.handbook.handbook_site import serve_pages

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "Who built the Skarn lighthouse, and when?"
HOSTILE = "What does the keeper of Ravn say about the lamp of Ravn?"
SAID = (
    'The keeper of Ravn says that the lamp of Ravn <script>window.hit = "script"</script> burns '
    '<img src="x" onerror="window.hit = 1"> all night [9] [1] '
    "![lamp](http://127.0.0.1:9/lamp.png) and [more](javascript:window.hit=2) "
    ":red[oil] of the best kind."
)
PASTE = """
(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const how = { clipboardData, bubbles: true, cancelable: true };
  field.dispatchEvent(new ClipboardEvent("paste", how));
}
"""
JARGON = """
() => {
  const said = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (!(node instanceof Element) || node.matches("style, script") || !node.checkVisibility()) {
      return "";
    }
    const inner = node.shadowRoot ? [...node.shadowRoot.childNodes] : [];
    return [...inner, ...node.childNodes].map(said).join(" ");
  };
  return said(document.body).match(/\\b(arms?|graphs?|reread)\\b/gi) ?? [];
}
"""
PAGES = {
    "/": """<title>Lighthouses</title><h1>Lighthouses</h1><p>A site about lighthouses.</p>
        <ul><li><a href="/skarn.html">Skarn lighthouse</a>
        <li><a href="/ravn.html">The keeper of Ravn and the lamp</a>""",
    "/skarn.html": """<title>Skarn lighthouse</title><h1>Skarn lighthouse</h1><p>It stands alone on
        a rock.</p><p>The Skarn lighthouse was built by the engineer Marta Lindqvist in 1874. Its
        lamp burned rape oil for twenty years.</p>""",
    "/ravn.html": f"""<title>Ravn &lt;b&gt;lamp&lt;/b&gt;</title><h1>The keeper of Ravn</h1>
        <p>{SAID.replace("<", "&lt;")}</p>""",
}


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with serve_pages({path: page.encode() for path, page in PAGES.items()}) as root:
        yield root


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data: Path = tmp_path_factory.mktemp("ask")
    with serving(data, "--port", "0", FORAGER_ALLOW_PRIVATE=json.dumps(["127.0.0.1"])) as server:
        yield server


async def test_from_the_question_to_the_page_behind_a_citation(
    chromium: Browser, server: Served, root: str
) -> None:
    page = await chromium.new_page(viewport={"width": 1280, "height": 900})
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await ask(page, server, QUESTION, root)
    await page.reload()
    await expect(page.get_by_role("heading", name=QUESTION)).to_be_visible(timeout=PATIENCE)
    other = await chromium.new_page(viewport={"width": 400, "height": 900})
    await other.goto(page.url)
    for tab in (page, other):
        answered = tab.get_by_role("status").get_by_text("Answered")
        await expect(answered).to_be_visible(timeout=PATIENCE)
        await expect(tab.get_by_role("region", name="Answer")).to_contain_text("Marta Lindqvist")
        await expect(tab.locator(".answer .lead .first").last).to_have_text("1874")
        await expect(tab.locator(".verdict")).to_contain_text("Answered")
    assert len(server.ask("/api/sessions")[1]["sessions"]) == 1
    await copied_answer(page, root)
    await exported_references(page)
    await page.get_by_role("button", name="Citation 1:").last.click()
    card = page.get_by_role("region", name="Citation 1 in its page")
    await expect(card.locator("mark").last).to_contain_text("Marta Lindqvist in 1874")
    await expect(card.get_by_text("Word for word on the page")).to_be_visible()
    way = await card.get_by_role("link", name="Open page").get_attribute("href")
    assert way
    assert way.startswith(f"{root}skarn.html#:~:text=")
    await page.keyboard.press("Escape")
    await expect(card).to_have_count(0)
    await expect(page.get_by_role("button", name="Citation 1:").last).to_be_focused()
    await citation_from_below(other)
    assert await jargon(page) == []
    table = page.get_by_role("table", name="Quotes found")
    rows = await table.locator("tbody tr").count()
    await page.get_by_label("Find in quotes and pages").fill("no such words")
    await expect(page.get_by_text("No quotes match these filters.")).to_be_visible()
    await page.get_by_label("Find in quotes and pages").fill("")
    await expect(table.locator("tbody tr")).to_have_count(rows)
    await question_before_its_parts(other, page.url)
    await actions_between_answer_and_evidence(other)
    for tab in (page, other):
        await tab.close()


async def actions_between_answer_and_evidence(page: Page) -> None:
    """On a narrow page, where the panel beside the answer has no room."""
    answer, export, evidence, spent = [
        await place.bounding_box()
        for place in (
            page.get_by_role("region", name="Answer"),
            page.get_by_role("button", name="Export"),
            page.get_by_role("tab", name="Evidence"),
            page.get_by_text("Pages fetched").first,
        )
    ]
    assert answer
    assert export
    assert evidence
    assert spent
    assert answer["y"] < export["y"] < evidence["y"] < spent["y"]


async def citation_from_below(page: Page) -> None:
    """On a narrow page; it closes by key, button or a tap beside it, and the focus returns."""
    citation = page.get_by_role("button", name="Citation 1:").first
    sheet = page.get_by_role("dialog", name="Citation")
    for close in ("Escape", "button", "beside"):
        await citation.click()
        await expect(sheet.get_by_text("Word for word on the page")).to_be_visible()
        await expect(sheet).to_have_css("bottom", "0px")
        box = await sheet.bounding_box()
        assert box
        assert box["y"] > 0.15 * 900
        if close == "Escape":
            await page.keyboard.press("Escape")
        elif close == "button":
            await sheet.get_by_role("button", name="Close citation").click()
        else:
            await page.mouse.click(200, 20)
        await expect(sheet).to_be_hidden()
        await expect(citation).to_be_focused()


async def jargon(page: Page) -> list[str]:
    """The words on a page that only those know who know the program."""
    found: list[str] = await page.evaluate(JARGON)
    return found


async def question_before_its_parts(page: Page, url: str) -> None:
    """The question is there while the browser still waits for the parts of the run."""
    asked, there = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        asked.set()
        await there.wait()
        await route.continue_()

    await page.route("**/parts.js", hold)
    await page.goto(url)
    await asyncio.wait_for(asked.wait(), PATIENCE / 1000)
    waiting = page.locator(".st-key-skeleton-drawing")
    await expect(waiting).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    there.set()
    await expect(waiting).to_be_hidden(timeout=PATIENCE)
    await expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()


async def test_the_form_is_ready_to_type_in_and_takes_many_sites(
    chromium: Browser, server: Served
) -> None:
    page = await chromium.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    await page.goto(server.url)
    question = page.get_by_label("Question", exact=True)
    await expect(question).to_be_focused(timeout=PATIENCE)
    assert await jargon(page) == []
    low = await height(question)
    await question.press_sequentially("\n".join("abcdef"))
    assert low < await height(question)
    await question.fill("\n" * 60)
    assert await height(question) <= 0.4 * 800 + 1
    field = page.get_by_label("Sites", exact=True)
    await field.press_sequentially("a.example")
    await field.press("Enter")
    await field.evaluate(PASTE, "b.example, http://c.example/x\nb.example")
    chips = page.get_by_role("group", name="Chosen sites").locator(".chip")
    await expect(chips).to_have_text(["a.example", "b.example", "c.example/x"])
    await field.fill("asdf!! foo")
    await field.press("Enter")
    await expect(
        page.get_by_role("alert").filter(has_text="“asdf!! foo” is not a site.")
    ).to_be_visible()
    await expect(field).to_have_value("asdf!! foo")
    await expect(chips).to_have_count(3)
    await field.fill("")
    await expect(page.get_by_text("is not a site.")).to_be_hidden()
    await page.get_by_role("button", name="Remove b.example").click()
    await at_rest(page)
    await page.get_by_role("link", name="Memory").first.click()
    await expect(page.get_by_role("heading", name="Memory")).to_be_visible()
    await page.get_by_role("link", name="Ask").first.click()
    await expect(chips).to_have_text(["a.example", "c.example/x"])
    await page.get_by_role("button", name="Heron D12 manual", exact=True).click()
    await expect(chips).to_have_text(["a.example", "c.example/x", "Heron D12 manual"])
    await page.get_by_text("Change method, model or limits").click()
    await page.get_by_role("button", name="Best pages first", exact=True).click()
    menu = page.get_by_role("dialog")
    method = menu.get_by_role("radio", name="Site map first")
    await expect(menu.get_by_text("Large sites: maps them")).to_be_visible()
    await menu.get_by_text("Site map first", exact=True).click()
    await expect(method).to_be_checked()
    await expect(menu.get_by_label("Node survey")).to_be_visible(timeout=PATIENCE)
    await at_rest(page)
    await page.keyboard.press("Escape")
    chosen = page.get_by_role("button", name="Site map first", exact=True)
    await expect(chosen).to_be_visible(timeout=PATIENCE)
    await page.close()


async def test_an_address_in_the_place_of_a_model_is_said_to_be_one(
    chromium: Browser, server: Served
) -> None:
    page = await chromium.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    await page.goto(server.url)
    await page.get_by_label("Question", exact=True).fill("Who?")
    await page.get_by_text("Change method, model or limits").click()
    model = page.get_by_label("Model", exact=True)
    await model.fill("http://127.0.0.1:11434/v1")
    await model.press("Enter")
    await at_rest(page)
    await page.get_by_role("button", name="Start").click()
    fault = page.get_by_role("alert").filter(has_text="is an address, not a model")
    await expect(fault).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("link", name="Add the address in Settings")).to_be_visible()
    await page.close()


async def height(field: Locator) -> float:
    """How high it is drawn."""
    return float(await field.evaluate("element => element.getBoundingClientRect().height"))


async def copied_answer(page: Page, root: str) -> None:
    """As plain text and as HTML, with the numbers of its citations and their sources."""
    await page.get_by_role("button", name="Copy answer").click()
    await expect(page.get_by_role("button", name="Copied, with its sources")).to_be_visible()
    text = await page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"built by the engineer Marta Lindqvist in 1874\. \[1\]\n", text)
    assert f"\n\nSources:\n\n[1] Skarn lighthouse, {root}skarn.html\n" in text
    html = await page.evaluate(
        "navigator.clipboard.read().then(([item]) => item.getType('text/html'))"
        ".then((blob) => blob.text())"
    )
    assert "<b>1874</b>" in html
    assert f'<a href="{root}skarn.html">Skarn lighthouse</a>' in html


async def exported_references(page: Page) -> None:
    """In a file that is named after the question."""
    await page.get_by_role("button", name="Export").click()
    async with page.expect_download() as told:
        await page.get_by_role("button", name="RIS").click()
    found = await told.value
    assert found.suggested_filename == "Who-built-the-Skarn-lighthouse-and-when.ris"
    text = await asyncio.to_thread((await found.path()).read_text)
    assert text.startswith("TY  - ELEC\n")
    assert "TI  - Skarn lighthouse\n" in text
    await page.keyboard.press("Escape")


async def test_a_run_that_is_left_is_followed_no_more(
    chromium: Browser, server: Served, root: str
) -> None:
    page = await chromium.new_page()
    live: set[Request] = set()
    left = asyncio.Event()

    def over(request: Request) -> None:
        live.discard(request)
        if not live:
            left.set()

    page.on("request", lambda asked: live.add(asked) if asked.url.endswith("/live") else None)
    page.on("requestfailed", over)
    page.on("requestfinished", over)
    await ask(page, server, QUESTION, root)
    answered = page.get_by_role("status").get_by_text("Answered")
    await expect(answered).to_be_visible(timeout=PATIENCE)
    assert len(live) == 1
    left.clear()
    await page.get_by_role("link", name="Memory").first.click()
    await expect(page.get_by_role("heading", name="Memory")).to_be_visible(timeout=PATIENCE)
    await asyncio.wait_for(left.wait(), PATIENCE / 1000)
    await page.close()


async def test_nothing_of_a_page_is_more_than_text(
    chromium: Browser, server: Served, root: str
) -> None:
    context = await chromium.new_context()
    page = await context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await ask(page, server, HOSTILE, root)
    answer = page.get_by_role("region", name="Answer")
    for words in ("<script>window.hit", '<img src="x" onerror', ":red[oil]"):
        await expect(answer).to_contain_text(words, timeout=PATIENCE)
    answered = page.get_by_role("status").get_by_text("Answered")
    await expect(answered).to_be_visible(timeout=PATIENCE)
    await expect(answer.get_by_role("button", name="Citation 1:")).to_have_count(1)
    await expect(answer.get_by_role("button", name="Citation 9:")).to_have_count(0)
    await page.get_by_role("button", name="Citation 1:").last.click()
    card = page.get_by_role("region", name="Citation 1 in its page")
    for words in ("<script>", "[9] [1]", "![lamp](http://127.0.0.1:9/", "](javascript:"):
        await expect(card).to_contain_text(words)
    assert await card.get_by_role("link").count() == 1
    assert await page.evaluate("window.hit") is None
    home = server.url.rstrip("/")
    assert [url for url in asked if not url.startswith((home, "data:", "blob:", "ws"))] == []
    await context.close()


async def test_an_address_of_no_run_says_so_and_offers_the_list(
    chromium: Browser, server: Served
) -> None:
    page = await chromium.new_page()
    await page.goto(f"{server.url}?session=nowhere")
    await expect(page.get_by_text("There is no session 'nowhere'.")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("link", name="All sessions")).to_be_visible()
    await page.close()


async def test_a_new_question_is_one_click_or_key_away_from_a_session(
    chromium: Browser, server: Served
) -> None:
    page = await chromium.new_page()
    page.set_default_timeout(PATIENCE)
    field = page.get_by_label("Question", exact=True)
    for place in ("new", "home"):
        await page.goto(f"{server.url}?session=nowhere")
        await page.locator(f".st-key-{place}").get_by_role("button", name="New question").click()
        await field.wait_for()
        assert page.url == server.url
    await field.press_sequentially("nine")
    await expect(field).to_have_value("nine")
    await page.goto(f"{server.url}memory")
    await page.get_by_role("heading", name="Memory").wait_for()
    await page.get_by_role("button", name="New question").last.wait_for()
    await at_rest(page)
    await page.keyboard.press("n")
    await expect(field).to_have_value("")
    assert page.url == server.url
    await page.close()
