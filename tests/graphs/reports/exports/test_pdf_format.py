"""What an export makes of stored pages: links that a real browser follows to the quote, and PDF."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from forager.adapters.web.read import page_reader, pdf_process
from forager.domain.answers import Quote
from forager.errors import UsageError
from forager.settings import Settings
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.pdf_format import print_pdf
from graphs.reports.text_fragments import link_to_quote
from tests.browsers import browser, needs_browser
from tests.graphs.sample_export import MADE
from tests.servers import Site

FAR = '<div style="height: 4000px"></div>'
PAGE = f"""<title>Skarn</title><h1>Skarn lighthouse</h1><p>The Skarn lighthouse is told of below,
    with its height of 32 m and its lamp.</p>{FAR}
    <p>The <b>lamp</b> burned rape oil for twenty years, and was turned over to paraffin
    in 1894; since then - day &amp; night - a <a href="/keeper">keeper</a> has watched it.</p>
    <h2>Measures</h2><table><tr><th>Height<td>32 m<tr><th>Range<td>15 miles</table>
    <ul><li>First came the tower.<li>Then came the lamp.</ul>
    <pre>def light(on):
    return  on</pre>
    <p>灯塔建于1874年，由玛尔塔设计。后来改用煤油，一直用到1920年。</p>"""
LINE = "The lamp of Skarn burned rape oil for twenty years, and was then turned to paraffin."
QUOTES = (
    "The lamp burned rape oil for twenty years, and was turned over to paraffin in 1894; since "
    "then - day & night - a keeper has watched it.",
    "since then - day & night",
    "Height | 32 m",
    "Height | 32 m\nRange | 15 miles",
    "32 m\nRange",
    "- First came the tower.\n- Then came the lamp.",
    "tower.\n- Then",
    "def light(on):\n    return  on",
    "灯塔建于1874年，由玛尔塔设计。后来改用煤油，一直用到1920年。",
    "后来改用煤油",
)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/": PAGE}) as served:
        yield served


@needs_browser
async def test_a_browser_scrolls_to_the_quote(site: Site) -> None:
    text = page_reader.read_page(PAGE.encode(), "text/html; charset=utf-8", site.url()).text
    async with browser() as chromium:
        tab = await chromium.new_page()
        for quote in QUOTES:
            start = text.index(quote)
            await tab.goto("about:blank")
            await tab.goto(link_to_quote(site.url(), text, start, start + len(quote)))
            await tab.wait_for_function("scrollY > 1000", timeout=5000)


@needs_browser
async def test_the_pdf_has_the_text_of_the_page(tmp_path: Path) -> None:
    body = await print_pdf(as_html(MADE), Settings(data=tmp_path))
    printed = json.loads(pdf_process.extract_pdf(body))
    text = "\n".join(printed["pages"])
    for words in (
        "Why?",
        "Partly answered",
        "<script>alert(1)</script>",
        "Still open",
        "survey.found",
    ):
        assert words in text
    assert "http://h/a(b)#:~:text=a,line" in printed["links"]
    with PdfDocument(body) as opened:
        assert [*opened.get_toc()]
        assert opened.get_page_size(0) == pytest.approx((595, 842), abs=1)


@needs_browser
async def test_an_answer_of_a_page_and_a_half_has_two_or_three_pages(tmp_path: Path) -> None:
    quotes = tuple(
        Quote(id=f"e{n}", url=f"http://h/{n}", title=f"Light {n}", quote=f"{LINE} {LINE}")
        for n in range(1, 7)
    )
    paragraphs = [f"{LINE} {LINE} {LINE} {LINE} [e{1 + n % 6}]" for n in range(14)]
    alone = MADE.model_copy(update={"answer": "\n".join(paragraphs), "doubts": (), "open": ()})
    cited = alone.model_copy(
        update={"citations": quotes, "evidence": (), "parts": ("answer", "sources")}
    )
    answer = await print_pdf(
        as_html(cited.model_copy(update={"parts": ("answer",)})), Settings(data=tmp_path)
    )
    with PdfDocument(answer) as opened:
        sizes = [len(page.get_textpage().get_text_range()) for page in opened]
    assert len(sizes) == 2
    assert sizes[1] > sizes[0] / 4
    with PdfDocument(await print_pdf(as_html(cited), Settings(data=tmp_path))) as opened:
        assert len(opened) in {2, 3}
        for page in opened:
            assert len(page.get_textpage().get_text_range()) > 400
            dark = page.render(scale=0.25).to_pil().convert("L").histogram()[:200]
            assert sum(dark) > 50


async def test_without_a_browser_html_is_suggested(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, chromium=tmp_path / "absent")
    with pytest.raises(UsageError, match=r"FORAGER_CHROMIUM.*html"):
        await print_pdf("<p>", settings)


async def test_a_browser_that_does_not_start_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    with pytest.raises(UsageError, match=r"chromium could not print the page: [^\n]+$"):
        await print_pdf("<p>", Settings(data=tmp_path, chromium=broken))
