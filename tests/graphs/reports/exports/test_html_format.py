"""The HTML export: a page's text stays text, nothing is fetched, and every reference leads home."""

import re
from html.parser import HTMLParser
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.answers import Doubt, Quote
from graphs.reports.exports.document import DOUBTS, EMPTY, STANDINGS, Export
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.markdown_format import as_markdown
from graphs.reports.exports.markup import Markup, element, join_markup
from tests.browsers import browser, needs_browser
from tests.graphs.sample_export import MADE, NASTY, TABLE

VOID = {"meta"}
COLOURS: tuple[tuple[Literal["light", "dark"], str], ...] = (
    ("light", "rgb(252, 253, 251)"),
    ("dark", "rgb(16, 19, 17)"),
)
HTTP = st.sampled_from(["http://h/", "https://h/a?b=c&d", "javascript:x", "data:x", "\x00http://"])
ATTACKS = st.sampled_from(
    ["<script>", "</style>", '" onload="x', "' x='", "<!--", "]]>", "<img src=x>", "&lt;", "\x00"]
)
TEXT = st.lists(st.one_of(st.text(max_size=20), ATTACKS), max_size=4).map("".join)


class Page(HTMLParser):
    """A page as its tags, with their attributes, and the text in each kind of element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.said.append(data)

    def names(self) -> list[str]:
        return [name for name, _ in self.tags]

    def all(self, attribute: str) -> list[str]:
        return [said for _, those in self.tags if (said := those.get(attribute)) is not None]


def altered(text: str, url: str, *, answer: str = "") -> Export:
    """The export with a text wherever text of others can stand."""
    quote = Quote(id="e1", url=url, title=text, quote=text)
    changes = {"title": text, "quote": text, "section": text, "part_text": text, "lang": text}
    return MADE.model_copy(
        update={
            "question": text,
            "sites": (text,),
            "answer": answer,
            "open": (text,),
            "error": text,
            "citations": (quote,),
            "model": text,
            "graph_body": "",
            "evidence": tuple(
                item.model_copy(update={**changes, "url": url, "link": url})
                for item in MADE.evidence
            ),
        }
    )


@given(text=TEXT, url=HTTP, answer=TEXT)
def test_page_text_never_becomes_a_tag(text: str, url: str, answer: str) -> None:
    page = Page(as_html(altered(text, url, answer=f"{answer} [e1]")))
    assert page.open == []
    assert set(page.names()) <= set(Page(as_html(MADE)).names()) | {"ul", "ol", "q"}
    assert not any(name.startswith("on") for _, those in page.tags for name in those)
    for address in page.all("href"):
        assert address.startswith(("#", "http://", "https://"))


@given(st.text())
def test_text_survives_escaping(text: str) -> None:
    seen = "".join(sign for sign in text if sign in "\t\n\r" or not _control(sign))
    page = Page(element("p", text, title=text))
    assert "".join(page.said) == seen
    assert page.tags[0][1]["title"] == seen


def _control(sign: str) -> bool:
    return ord(sign) < 32 or 127 <= ord(sign) < 160


def test_markup_is_not_escaped_twice() -> None:
    assert element("p", element("b", "<&"), "&", None) == "<p><b>&lt;&amp;</b>&amp;</p>"
    assert join_markup(Markup("<br>"), "<br>") == "<br>&lt;br&gt;"


def test_the_page_fetches_nothing_and_runs_no_script() -> None:
    text = as_html(MADE.model_copy(update={"table": TABLE}))
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & set(page.names())
    assert not page.all("src")
    style = text[text.index("<style>") : text.index("</style>")]
    assert "@import" not in style
    assert "url(" not in style
    assert "default-src 'none'" in page.all("content")[0]


def test_every_link_has_a_target() -> None:
    page = Page(as_html(MADE.model_copy(update={"table": TABLE})))
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    assert {each[1:] for each in page.all("href") if each.startswith("#")} <= set(ids)
    assert set(page.all("aria-labelledby")) <= set(ids)


def test_a_quote_links_to_its_place_on_its_page() -> None:
    text = as_html(MADE)
    assert 'href="http://h/a(b)#:~:text=a,line"' in text
    assert '<a href="#e1" class="cite" aria-label="source 1">' in text
    assert '<blockquote lang="de">' in text


def test_the_page_shows_what_the_export_holds() -> None:
    page = Page(as_html(MADE))
    assert page.tags[0] == ("html", {"lang": "en"})
    assert page.names().count("h1") == page.names().count("main") == 1
    said = " ".join(page.said)
    for words in ("2026-02-03 04:05", "rounds=3", "survey: {type: surveyor", "score 1.25"):
        assert words in said
    assert MADE.graph_hash[:12] in said
    for words in (
        "2026-02-03 04:05",
        "rounds=3",
        "survey: {type: surveyor",
        MADE.graph_hash[:12],
        "score 1.25",
    ):
        assert words in said


@pytest.mark.parametrize("status", [*STANDINGS])
def test_a_page_without_an_answer_says_so(status: str) -> None:
    error = "It broke." if status == "failed" else ""
    bare = {"answer": "", "citations": (), "status": status, "error": error}
    export = MADE.model_copy(update=bare)
    said = " ".join(Page(as_html(export)).said)
    assert (error or "There is no answer.") in said
    for text in (said, as_markdown(export)):
        assert (EMPTY if status == "partial" else STANDINGS[status]) in text


def test_an_answer_that_the_quotes_do_not_support_is_not_shown_as_answered() -> None:
    doubt = Doubt(sentence="Ada.", why="No quote.")
    export = MADE.model_copy(update={"status": "answered", "doubts": (doubt,)})
    for text in (as_html(export), as_markdown(export)):
        assert DOUBTS["uncertain"] in text
    assert '<span class="status partial">' in as_html(export)


def test_an_answer_keeps_its_lists() -> None:
    answer = "Three:\n- one [e1]\n- two\n\n1. first\n2. second\nEnd, 3. not a list."
    text = as_html(MADE.model_copy(update={"answer": answer}))
    assert re.search(r"<ul><li[^>]*>one<a[^>]+>", text)
    assert re.search(r'<ol><li value="1"[^>]*>first</li><li value="2"[^>]*>second</li></ol>', text)
    assert re.search(r"<p[^>]*>End, 3. not a list.</p>", text)


@needs_browser
async def test_the_page_fits_a_narrow_screen() -> None:
    long = "word" * 60
    export = MADE.model_copy(update={"answer": f"{NASTY} {long} [e1]", "table": TABLE})
    async with browser() as chromium:
        page = await chromium.new_page(viewport={"width": 320, "height": 800})
        heard: list[str] = []
        page.on("console", lambda message: heard.append(message.text))
        page.on("request", lambda request: heard.append(request.url))
        await page.set_content(as_html(export))
        assert await page.evaluate("document.documentElement.scrollWidth") == 320
        for scheme, colour in COLOURS:
            await page.emulate_media(color_scheme=scheme)
            style = await page.evaluate("getComputedStyle(document.documentElement).background")
            assert style.startswith(colour)
        await page.click(".cite >> nth=0")
        assert await page.evaluate("document.querySelector(':target').id") == "e1"
        assert heard == []
