"""Two graphs are tried on the page of graphs, in a browser."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from forager.adapters.store.sessions.session_store import SessionStore
from graphs.experiments.result_rows import Row, read_lines
from graphs.spec.library import Library
from graphs.spec.spec import graph_of
from tests.browsers import needs_browser
from tests.loopback_model import Surveyed
from tests.ui.server.process import serving
from tests.ui.web.screens.bench.test_bench_page import ROWS
from tests.ui.web.screens.graphs.editor import BOUNDED

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PATIENCE = 60_000


async def follow_to_its_run(page: Page, row: Locator) -> None:
    """The link of an outcome opens the session, which is one of the others from then on."""
    async with page.expect_popup() as opened:
        await row.get_by_role("link", name="Open the run of Link by link").click()
    run = await opened.value
    run.set_default_timeout(PATIENCE)
    await expect(run.get_by_role("heading", name="Who ground the lens?")).to_be_visible()
    await expect(run.get_by_text("Link by link").first).to_be_visible()
    await expect(run.get_by_role("link", name="Open", exact=True)).to_be_visible()
    assert "of=" not in run.url
    await run.goto(run.url.partition("?")[0])
    await expect(run.get_by_text("Who ground the lens?").first).to_be_visible()
    await run.close()


async def test_two_graphs_are_laid_side_by_side(
    chromium: Browser, observatory: Surveyed, tmp_path: Path
) -> None:
    observatory.copied(tmp_path / "data")
    expect.set_options(timeout=PATIENCE)
    with serving(tmp_path / "data", "--port", "0", "--allow-private", "127.0.0.1") as server:
        async with await chromium.new_page(viewport={"width": 1280, "height": 1000}) as page:
            page.set_default_timeout(PATIENCE)
            await page.goto(server.url + "graphs?graph=webwalker")
            await page.get_by_role("button", name="Try two versions").click()
            dialog = page.get_by_role("dialog")
            asked = "Who ground the lens?\nWhat is the observatory, and when was it founded?"
            await dialog.get_by_role("textbox", name="Questions").fill(asked)
            await dialog.get_by_role("textbox", name="Sites").fill(observatory.site.url())
            await dialog.get_by_role("button", name="Try both").click()
            await expect(dialog.get_by_role("button", name="Try others")).to_be_visible()
            await expect(dialog.get_by_test_id("stDataFrame")).to_be_visible()
            row = dialog.get_by_role("row").filter(has_text="Who ground the lens?")
            await expect(row).to_contain_text("Marius Feld")
            await expect(row).to_contain_text("page load")
            await expect(dialog.get_by_text("Model: none, the built-in rules")).to_be_visible()
            whole = row.get_by_role("cell").first.locator("details .answer")
            await expect(whole).to_be_hidden()
            await row.get_by_text("Whole answer").first.click()
            await expect(whole).to_be_visible()
            await expect(row.get_by_text("Show less").first).to_be_visible()
            await follow_to_its_run(page, row)
            await page.reload()  # as after the connection was lost
            await page.get_by_role("button", name="Try two versions").click()
            await expect(row).to_contain_text("Marius Feld")
            await dialog.get_by_role("link", name="Every question").click()
            await expect(
                page.get_by_role("heading", name="Link by link, Parts in parallel: 2 questions")
            ).to_be_visible()
            assert "file=try-" in page.url


async def test_a_graph_is_tried_against_itself_with_another_value_of_its_parameter(
    chromium: Browser, observatory: Surveyed, tmp_path: Path
) -> None:
    observatory.copied(tmp_path / "data")
    Library(tmp_path / "data" / "graphs.sqlite").save("bounded", BOUNDED)
    with serving(tmp_path / "data", "--port", "0", "--allow-private", "127.0.0.1") as server:
        async with await chromium.new_page(viewport={"width": 1280, "height": 1000}) as page:
            page.set_default_timeout(PATIENCE)
            await page.goto(server.url + "graphs?graph=bounded")
            await page.get_by_role("button", name="Try two versions").click()
            dialog = page.get_by_role("dialog")
            against = dialog.get_by_role("combobox", name="Against")
            await against.click()
            await against.fill("bounded")
            await page.get_by_role("option", name="bounded", exact=True).click()
            most = dialog.get_by_role("spinbutton", name="Most", exact=True)
            await expect(most).to_have_count(2)
            await most.last.fill("1")
            await most.last.press("Enter")
            await dialog.get_by_role("textbox", name="Questions").fill("Who ground the lens?")
            await dialog.get_by_role("textbox", name="Sites").fill(observatory.site.url())
            await dialog.get_by_role("button", name="Try both").click()
            await expect(dialog.get_by_role("button", name="Try others")).to_be_visible()
            await expect(
                dialog.get_by_role("columnheader", name="bounded (most=1)")
            ).to_be_visible()
            await expect(dialog.get_by_text("Question by question; the methods")).to_be_visible()
            await page.reload()
            await page.get_by_role("button", name="Try two versions").click()
            await expect(
                dialog.get_by_role("columnheader", name="bounded (most=1)")
            ).to_be_visible()
    [file] = (tmp_path / "data" / "bench").glob("try-*.jsonl")
    assert {row.graph for row in read_lines(file, Row)} == {"bounded", "bounded (most=1)"}
    with closing(SessionStore(tmp_path / "data" / "bench" / "sessions.sqlite")) as store:
        pinned = {graph_of(store.get(each.id)).parameters["most"].default for each in store.list()}
    assert pinned == {1, 15}


async def test_questions_in_which_graphs_differ_are_marked(
    chromium: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "data" / "bench"
    folder.mkdir(parents=True)
    partial = {"status": "partial", "answer": "Ona, with Ines.", "correct": False}
    rows = [ROWS[0], ROWS[2].model_copy(update=partial), ROWS[1]]
    rows.append(ROWS[1].model_copy(update={"graph": "mango", "id": "b"}))
    (folder / "mine.jsonl").write_text("".join(f"{each.model_dump_json()}\n" for each in rows))
    with serving(tmp_path / "data", "--port", "0") as server:
        async with await chromium.new_page(viewport={"width": 390, "height": 900}) as page:
            page.set_default_timeout(PATIENCE)
            await page.goto(server.url + "bench?file=mine.jsonl")
            await expect(page.get_by_text("the methods differ in 1 of 2")).to_be_visible(
                timeout=PATIENCE
            )
            marked = page.get_by_role("row").filter(has_text="Differ:")
            await expect(marked).to_have_count(1)
            await expect(marked).to_contain_text("right or wrong, status, answer")
            await expect(marked.get_by_role("link")).to_have_count(0)  # no run of it is kept
