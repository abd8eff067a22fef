import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read.page_reader import read_page
from forager.domain.documents import Document
from forager.domain.urls import resolve_link
from forager.errors import ContentError
from forager.evidence.passages import section_at
from forager.ports import WITHOUT_SCRIPTS
from tests.forager.adapters.web.html_reader import URL, read_html


def text(source: str) -> str:
    return read_html(source).text


BLOCKS = {
    "<h1>One</h1><p>Two <b>bold</b>\n words.<h3>3</h3>": "# One\n\nTwo bold words.\n\n### 3",
    "a<br>b<hr>c": "a b\n\nc",
    "<p>H<sub>2</sub>O and <code>f(<span>x</span>)</code>.": "H₂O and f(x).",
    "<ul><li>One<li>Two<ol><li>Deep</ol><li>Three</ul>": "- One\n- Two\n  - Deep\n- Three",
    "<ul><li><p>One</p><p>More</p></li><li>Two</ul>": "- One\n\nMore\n\n- Two",
    "<dl><dt>Term<dd>Meaning<dt>A<dt>B<dd><p>C<p>D</dl>": "Term\nMeaning\n\nA\nB\nC\n\nD",
    "<table><caption>All</caption><tr><th>A<th>B<tr><td>1<td><p>2<p>3</table>": (
        "All\n\nA | B\n1 | 2 3"
    ),
    "<table><tr><td><td>x<td></table>": "| x",
    "<table><tr><td>Menu<td><h1>Title</h1><p>Words</table>": "Menu\n\n# Title\n\nWords",
    "<table><tr><td><table><tr><td>a<td>b</table></table>": "a | b",
    "<pre>  a\n    b  <b>c</b>\n</pre>": "```\n  a\n    b  c\n```",
    "<pre>one<br>two</pre>": "```\none\ntwo\n```",
    "<pre>```\nx</pre>": "````\n```\nx\n````",
    "<figure><img src=a.png><figcaption>A caption</figcaption></figure>": "A caption",
    "<details><summary>More</summary>Inside</details>": "More\n\nInside",
    "<h1>Title<a href='#t' class=headerlink>¶</a></h1>": "# Title",
    "<h2><ul><li>Odd</ul></h2><p>x": "- Odd\n\nx",
    "<p>*not* _marked_ [up] # here": "*not* _marked_ [up] # here",
    "<p>&lt;b&gt; &amp;amp; &nbsp; &copy;": "<b> &amp; ©",
    "<p>a<script>b</script><style>c</style><template>d</template><!-- e -->f": "af",
    "<p>a <span hidden>b</span><span style='display: none'>c</span> d": "a d",
    "<div>one<div>two</div>three</div>": "one\n\ntwo\n\nthree",
    "<noscript>Without scripts</noscript>": "Without scripts",
    "<p>日本語と<b>中文</b>。": "日本語と中文。",
    "": "",
}


@pytest.mark.parametrize(("source", "expected"), BLOCKS.items())
def test_html_becomes_blocks(source: str, expected: str) -> None:
    assert text(source) == expected


CHROME = [
    "<nav>Menu <a href=x></a></nav>",
    "<div class='sphinxsidebar'><h3>Menu</h3></div>",
    "<div id=menu><p>Menu</div>",
    "<div role=navigation>Menu</div>",
    "<footer>Menu</footer>",
    "<header>Menu</header>",
    "<div class=header>Menu<a rel=next href=x></a></div>",
    "<div class=toc>Menu<a href='#a'></a><a href='page.html#b'></a></div>",
]


@pytest.mark.parametrize("chrome", CHROME)
def test_menus_and_footers_follow_the_text(chrome: str) -> None:
    document = read_html(f"{chrome}<h1>Title</h1><p>Words <a href=y>and</a> more.")
    assert document.text == "# Title\n\nWords and more.\n\nMenu"
    assert document.links[0].url == "http://example.org/docs/y"


def test_the_links_of_a_menu_are_no_text() -> None:
    document = read_html(
        "<nav><ul><li><a href=a>A</a> |<li>See <a href=b>B</a></ul></nav>"
        "<h1>Title</h1><p>Words.<footer><table><tr><td><a href=c>C</a><td>»</table></footer>"
    )
    assert document.text == "# Title\n\nWords.\n\n- See B"
    assert [(link.text, link.context) for link in document.links] == [
        ("A", ""),
        ("B", "See B"),
        ("C", ""),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "<header><h1>Menu</h1></header>",
        "<div class=nav><main>Menu</main></div>",
        "<div class=toc>Menu<a href=other.html></a></div>",
        "<aside>Menu</aside>",
        "<div class=header>Menu</div>",
    ],
)
def test_what_only_looks_like_a_menu_stays(content: str) -> None:
    assert text(f"{content}<p>Words.").endswith("Menu\n\nWords.")


def test_title_language_and_headings_are_read() -> None:
    document = read_html(
        "<html lang=de><title> A\n title </title><h1>Heading</h1><p>x<h2>Second</h2><p>y"
    )
    assert (document.title, document.lang, document.url) == ("A title", "de", URL)
    assert [(h.level, h.text) for h in document.headings] == [(1, "Heading"), (2, "Second")]
    assert document.text[document.headings[1].start :].startswith("## Second")


def test_what_a_definition_list_says_of_a_term_is_a_section() -> None:
    document = read_html(
        "<h1>Memory</h1><p>All of it."
        "<dl><dt>work_mem<dd><p>For one sort.<p>It is 4MB.<dl><dt>unit<dd>Kilobytes.</dl>"
        "<p>Or less."
        "<dt>-k<dt>--keep<dd>Goes on.</dl><p>The end.<h2>More</h2><p>And so on."
    )
    named = {
        "All of": "Memory",
        "For one": "work_mem",
        "It is": "work_mem",
        "Kilobytes": "unit",
        "Or less": "work_mem",
        "Goes on": "-k, --keep",
        "The end": "Memory",
        "And so": "More",
    }
    found = {words: section_at(document, document.text.index(words)) for words in named}
    assert found == named


def test_translations_are_named_by_their_links() -> None:
    page = read_html(
        "<link rel=alternate hreflang=de href=/de/a><link rel=alternate hreflang=fr href=fr.html>"
        f"<link rel=alternate hreflang=en href={URL}><link rel=alternate href=/feed><p>Text"
    )
    assert page.twins == (resolve_link(URL, "/de/a"), resolve_link(URL, "fr.html"))


def test_a_page_without_a_title() -> None:
    assert read_html("<h1>Heading</h1>").title == "Heading"
    assert read_html("<p>x").title == "page.html"
    assert read_html("<p>x", "http://example.org/").title == "example.org"


def test_links_are_read() -> None:
    document = read_html(
        """<h1>Guide</h1>
        <p>First. See <a href="a.html#x">the <b>first</b> page</a> or <a href=a.html>that</a>. Last.
        <ul><li><a href="/b?utm_source=q">Bee</a></ul>
        <p><a href="#top">self</a> <a href=page.html>self</a> <a href="mailto:a@b.c">mail</a>
        <a href=pic.png>picture</a> <a href="javascript:x()">script</a> <a name=x>no</a>
        <p><a href="a.html">that</a> <a href=c/><img src=i.png alt="A picture"></a>
        <map><area href=d alt=Area></map> <a href=e></a> <a rel=nofollow href=login>Log in</a>"""
    )
    assert [(link.id, link.url, link.text, link.context) for link in document.links] == [
        (1, "http://example.org/docs/a.html", "the first page", "See the first page or that."),
        (2, "http://example.org/docs/a.html", "that", "See the first page or that."),
        (3, "http://example.org/b", "Bee", "Guide"),
        (4, "http://example.org/docs/c/", "A picture", "Guide"),
        (5, "http://example.org/docs/d", "Area", "Guide"),
        (6, "http://example.org/docs/e", "e", "Guide"),
    ]


def test_a_row_of_links_is_a_list_of_them() -> None:
    row = "<p><a href=/a>Blue lamp</a> | <a href=/b>Red lamp</a></p><p><a href=/c>One</a> two</p>"
    assert read_html(row).text == "- Blue lamp\n- Red lamp\n\nOne two"


@pytest.mark.parametrize(
    "how", ["data-method=delete", "data-confirm='Sure?'", "onclick=\"return confirm('Sure?')\""]
)
def test_a_link_that_sends_or_asks_to_be_confirmed_leads_nowhere(how: str) -> None:
    assert not read_html(f"<p>See <a href=/lamps/7 {how}>the lamp</a></p>").links


def test_the_label_of_a_link_without_words_is_marked_text() -> None:
    document = read_html("<p>See <a href=/a aria-label='The plan of the tower'>→</a></p>")
    assert document.text == "See → [label: The plan of the tower]"
    assert [link.text for link in document.links] == ["The plan of the tower"]


def test_the_title_of_a_link_is_its_text_only_where_it_tells_of_a_change() -> None:
    body = """<p><a href=/lamps/1 title='Delete lamp 1'>Lamp 1</a> and
        <a href=/lamps/2 title='More on lamp 2'>Lamp 2</a> and
        <a href=next.html title='Delete a lamp'>Next</a> <a href=/3><i class=fa-trash></i></a>"""
    assert [link.text for link in read_html(body).links] == ["Delete lamp 1", "Lamp 2", "Next"]


def test_the_context_of_a_link_is_short() -> None:
    words = " ".join(f"word{number}" for number in range(200))
    [link] = read_html(f"<p>{words} <a href=a>here</a> {words}").links
    assert len(link.context) <= 160
    assert "here" in link.context


def test_links_are_relative_to_the_base() -> None:
    document = read_html("<base href='/other/'><a href=a>A</a><a href='#x'>B</a>")
    assert [link.url for link in document.links] == ["http://example.org/other/a"]


def test_frames_and_refreshes_are_links() -> None:
    frames = read_html("<frameset><frame src=a.html title=A><frame src=b.html></frameset>")
    assert [link.url for link in frames.links] == [
        "http://example.org/docs/a.html",
        "http://example.org/docs/b.html",
    ]
    inner = read_html("<iframe src=c.html></iframe>")
    assert [link.url for link in inner.links] == ["http://example.org/docs/c.html"]
    moved = read_html("<meta http-equiv=Refresh content=\"0; URL='d.html'\">")
    assert [link.url for link in moved.links] == ["http://example.org/docs/d.html"]


@pytest.mark.parametrize(
    ("url", "named", "expected"),
    [
        ("http://example.org/a?print=1", "/a", "http://example.org/a"),
        ("http://example.org/index.html", "http://example.org/", "http://example.org/"),
        ("http://example.org/a", "/b", "http://example.org/a"),
        ("http://127.0.0.1:81/a", "https://example.org/a", "http://127.0.0.1:81/a"),
    ],
)
def test_a_plausible_canonical_url_is_used(url: str, named: str, expected: str) -> None:
    assert read_html(f"<link rel=canonical href='{named}'><p>x", url).url == expected


def test_problem_pages_have_a_note() -> None:
    assert read_html("<p>Words").note == ""
    assert "login" in read_html("<form><p>Please log in<input type=password></form>").note
    asking = "<p>Bitte melden Sie sich an, um den Preis zu sehen.</p>"
    assert "login" in read_html(f"{asking}<a href=/anmelden>Anmelden</a>").note
    assert read_html(f"{asking}<a href=/preise>Preise</a>").note == ""
    assert read_html(f"{asking}<a href=/login>x</a>{'Words and more words. ' * 40}").note == ""
    assert "JavaScript" in read_html("<div id=app></div><script>start()</script>").note
    assert "no text" in read_html("<html></html>").note
    assert read_html("<input type=password>" + "<p>Words and more words. " * 100).note == ""


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", "", "text/markdown"])
def test_plain_text_is_kept_as_it_is(kind: str) -> None:
    document = read_page(b"# One\r\n\r\n  two\r\n", kind, "http://example.org/README")
    assert document.text == "# One\n\n  two"
    assert document.title == ("One" if kind == "text/markdown" else "README")


def test_html_without_a_content_type_is_read() -> None:
    assert read_page(b"\n<!DOCTYPE html><p>x", "", URL).text == "x"


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "application/zip"])
def test_binary_files_are_refused(kind: str) -> None:
    with pytest.raises(ContentError, match="holds no readable text"):
        read_page(b"\x89PNG\r\n\x1a\n\0\0", kind, URL)


def check(document: Document) -> None:
    """Check the properties of every document."""
    assert [link.id for link in document.links] == list(range(1, len(document.links) + 1))
    assert len({(link.url, link.text) for link in document.links}) == len(document.links)
    assert all(link.url != document.url for link in document.links)
    for heading in document.headings:
        marked = f"{'#' * heading.level} {heading.text}"
        assert document.text[heading.start :].startswith(marked)
    starts = [start for start, _ in document.sections()]
    assert starts == sorted(starts)
    assert len(starts) == len(document.headings) + len(document.terms)
    assert all(document.text[each.start :].strip() for each in document.terms)
    assert Document.model_validate_json(document.model_dump_json()) == document


TAGS = [
    "a",
    "b",
    "p",
    "div",
    "span",
    "table",
    "tr",
    "td",
    "th",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "pre",
    "h1",
    "h2",
    "nav",
    "footer",
    "br",
    "hr",
    "form",
    "base",
]
PIECES = st.one_of(
    st.text(max_size=8),
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["<a href=x>", "<a href='y z'>", "<div class=nav>", "<p hidden>", "¶", " | "]),
    st.sampled_from(["<iframe src=a>", "<![CDATA[", "<!--", "&#0;", "<svg><a href=b>", "<table"]),
)


@given(st.lists(PIECES, max_size=40))
def test_any_markup_is_read(pieces: list[str]) -> None:
    check(read_html("".join(pieces)))


@given(st.binary(max_size=300), st.sampled_from(["text/html", "text/plain", "text/html;charset=x"]))
def test_any_bytes_are_read(body: bytes, kind: str) -> None:
    if not body.startswith(b"%PDF-"):
        check(read_page(body, kind, URL))


def test_deep_nesting_is_read() -> None:
    assert text("<div>" * 4_000 + "deep") == "deep"
    assert "deep" in text("<ul><li>" * 1_000 + "deep")
    assert text("<p>wide" * 20_000).count("wide") == 20_000
    assert text("<svg>" + "<path d='M0'/>" * 20_000 + "</svg>drawn") == "drawn"
    assert text("<a name=x>" * 20_000 + "named") == "named"


@pytest.mark.parametrize("tag", ["<div>", "<ul><li>", "<b id={}>", "<table><td>"])
def test_endless_nesting_is_refused(tag: str) -> None:
    source = "".join(tag.format(number) for number in range(20_000))
    with pytest.raises(ContentError, match="nests its elements 20,000 deep"):
        read_html(source)


@pytest.mark.parametrize(
    "body",
    [
        "<div id=root></div><script src=a.js></script><noscript>Enable JavaScript.</noscript>",
        "<p>Loading…</p><script src=a.js></script>",
        "<header><p>The harbour company</p></header><div id=app></div><script>go()</script>",
        "<p>Bitte warten, wird geladen</p><script src=a.js></script>",
    ],
)
def test_a_page_whose_words_come_by_script_says_so(body: str) -> None:
    assert read_page(body.encode(), "text/html", "http://host/").note == WITHOUT_SCRIPTS


@pytest.mark.parametrize(
    "body",
    [
        "<p>Words.</p><script src=a.js></script>",
        "<div id=app><p>Words.</p></div><script src=a.js></script>",
        "<p>Loading the ship took a day.</p>",
    ],
)
def test_a_page_with_words_of_its_own_does_not(body: str) -> None:
    assert read_page(body.encode(), "text/html", "http://host/").note == ""


@pytest.mark.parametrize("sign", ["\u202e", "&#x202E;", "&#8238;", "\u2067", "&#x2067;", "&#8295;"])
def test_text_cannot_be_turned_around(sign: str) -> None:
    page = f"<title>a{sign}b</title><p>c{sign}d</p><a href=/x>e{sign}f</a>"
    document = read_page(page.encode(), "text/html; charset=utf-8", "http://host/")
    assert (document.title, document.text, document.links[0].text) == ("ab", "cd\n\nef", "ef")
