import csv
import io
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from forager.answers.lead import lead_lines
from forager.domain.answers import Cell, Citation, Lead, Quote, Table
from graphs.reports.exports.csv_format import REPLACED, as_csv, read_sources
from graphs.reports.exports.document import Export, as_json
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.markdown_format import as_markdown
from graphs.reports.exports.pinned_graph import drawing_order, yaml_text
from graphs.reports.report import split_citations
from graphs.reports.turns import EarlierTurn
from graphs.spec.spec import END, START, load_graph, parse_graph, preset_names
from tests.graphs.sample_export import MADE, NASTY, TABLE

ENTRY = {
    "id", "url", "title", "quote", "part", "part_text", "round", "section", "blob", "start", "end",
    "score", "cited", "fetched", "lang", "link",
}  # fmt: skip


def test_page_text_is_inert_in_markdown() -> None:
    text = as_markdown(MADE.model_copy(update={"table": TABLE}))
    assert "<script>" not in text
    assert "<b>" not in text
    assert "<i>" not in text
    assert "](javascript:" not in text
    assert "](http://e/p.png" not in text
    assert '"q" line' in text
    assert "## Other evidence\n\n**[e2]**" in text


def test_a_source_that_is_no_page_is_named_with_its_address() -> None:
    told = MADE.citations[0].model_copy(update={"url": "mcp://lights/all", "title": "Lights"})
    entry = MADE.evidence[0].model_copy(update={"url": told.url, "link": told.url})
    export = MADE.model_copy(update={"citations": (told,), "evidence": (entry,)})
    assert "Lights · mcp://lights/all" in as_markdown(export)


def led_export(quote: str, words: str) -> Export:
    """An export whose lead is these words of a quote."""
    start = quote.index(words)
    lead = Lead(
        part="Which?",
        kind="name",
        text=words,
        quote="e1",
        start=start,
        end=start + len(words),
        sentence_start=0,
        sentence_end=len(quote),
    )
    changes = {"citations": (MADE.citations[0].model_copy(update={"quote": quote}),)}
    answer = "\n".join(lead_lines([lead], {"e1": quote}))
    return MADE.model_copy(update={**changes, "answer": answer, "leads": (lead,)})


def test_the_words_that_answer_are_marked_in_their_sentence() -> None:
    export = led_export("Use <b>--halt</b> to end it.", "--halt")
    assert "**--halt**\n\n> Use &lt;b&gt;**--halt**&lt;/b&gt; to end it. [1]" in as_markdown(export)
    page = as_html(export)
    assert "<strong>--halt</strong>" in page
    assert "Use &lt;b&gt;<mark>--halt</mark>&lt;/b&gt; to end it." in page


@pytest.mark.parametrize("form", [as_markdown, as_html])
def test_a_table_stands_for_its_leads(form: Callable[[Export], str]) -> None:
    told = led_export("Skarn is 32 m high, not 99 m.", "99 m")
    cells = Cell(text="Skarn", cites=("e1",)), Cell(text="32 m high", cites=("e1",))
    table = Table(columns=("", "Height"), rows=(cells,))
    shown = form(told.model_copy(update={"table": table, "parts": ("answer",)}))
    assert "99 m" not in shown
    assert shown.count("32 m high") == 1


def test_a_row_that_answers_stands_under_the_header_of_its_table() -> None:
    export = led_export("a | 24 hours", "24 hours")
    entry = export.evidence[0].model_copy(update={"section": "Limits › Name | Age"})
    page = as_html(export.model_copy(update={"evidence": (entry,)}))
    assert '<th scope="col">Age</th>' in page
    assert "<mark>24 hours</mark></td>" in page
    text = as_markdown(export.model_copy(update={"evidence": (entry,)}))
    head = "> | Name | Age |\n> | --- | --- |\n> | a | "
    assert f"{head}**24 hours** |\n>\n> [1]" in text
    assert f"{head}24 hours |\n\nSeen" in text


def test_rows_whose_columns_are_not_known_are_lines() -> None:
    text = as_markdown(led_export("a | 24 hours\nb | 7 days\n", "24 hours"))
    assert "> a · 24 hours\\\n> b · 7 days\n" in text
    assert "| --- |" not in text
    page = MarkdownIt("commonmark").render(text)
    assert "a · 24 hours<br />\nb · 7 days" in page


def test_the_header_of_a_quoted_table_stands_once() -> None:
    export = led_export("Name | Age\na | 24 hours", "24 hours")
    entry = export.evidence[0].model_copy(update={"section": "Limits › Name | Age"})
    text = as_markdown(export.model_copy(update={"evidence": (entry,), "parts": ("sources",)}))
    assert text.count("Name | Age") == 1


def test_further_quotes_are_told_by_their_beginnings() -> None:
    export = led_export("It keeps for 24 hours.", "24 hours")
    more = Quote(id="e7", url="http://h/b", title="B", quote="## Age\nLong ago. " + "Then. " * 60)
    answer = f"{export.answer}\nMore quotes:\nB: “Long ago.” [e7]"
    told = {"citations": (*export.citations, more), "answer": answer}
    text = as_markdown(export.model_copy(update=told))
    assert re.search(r"More quotes:\n\n- Long ago\. [^\n]{80,150} … \[2\]\n", text)


WRITTEN = """Three **things** (here) [e1, e1](a) and 2 * 3:

1874. It was built.
   - with `lamp --on` [e1]

| Name | Height |
| --- | --- |
| Skarn | 32 m [e1] |

```python
def light(on):

    return "<b>"
```
The end."""


def test_an_answer_keeps_its_paragraphs_lists_tables_and_code() -> None:
    export = MADE.model_copy(update={"answer": WRITTEN})
    text = as_markdown(export)
    shown = text[text.index("Three") : text.index("## Still open")].strip()
    kept = WRITTEN.replace("[e1, e1](a)", "[1][1]\\(a)").replace("[e1]", "[1]")
    assert shown == kept.replace("   - with", "    - with").replace("```\nThe", "```\n\nThe")
    page = MarkdownIt().enable("table").render(text)
    assert '<ol start="1874">' in page
    assert '<code class="language-python">def light(on):\n\n    return &quot;&lt;b&gt;' in page
    assert "<td>32 m [1]</td>" in page
    html = as_html(export)
    assert "with <code>lamp --on</code><a " in html
    assert '<pre tabindex="0">def light(on):\n\n    return &quot;&lt;b&gt;' in html


def test_a_quote_keeps_its_lines_and_its_signs() -> None:
    quote = "1874. It was\n2 * 3 * 4 _x_\n- one\n- two\nHeight | 32 m\n---\n```\n*x*\n```"
    cited = MADE.citations[0].model_copy(update={"quote": quote})
    text = as_markdown(MADE.model_copy(update={"citations": (cited,), "evidence": ()}))
    quoted = text[text.index("> ") :].partition("\n\n")[0]
    page = MarkdownIt().enable("table").render(quoted)
    assert "<p>1874. It was</p>" in page
    assert "<p>2 * 3 * 4 _x_</p>" in page
    assert "<li>one</li>\n<li>two</li>" in page
    assert "<p>Height · 32 m</p>" in page
    assert "<p>---</p>" in page
    assert "<code>*x*\n</code>" in page


PIECES = st.sampled_from(
    ["[e1]", "[e1](javascript:x)", "![i](http://e/)", "[x]: http://e/", "<img src=x>", "`", "```",
     "\n", "\n\n", "| a | b |", "- ", "1. ", "    ", "> ", "#", "*", "\\", "](",
     "<http://e/>", "&lt;", "x"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_text_becomes_a_link_an_image_or_a_tag(text: str) -> None:
    cited = MADE.citations[0].model_copy(update={"quote": text, "title": text})
    changes = {"answer": text, "citations": (cited,), "evidence": (), "question": text, "sites": ()}
    export = MADE.model_copy(update={**changes, "actions": (), "pleas": (), "table": TABLE})
    page = MarkdownIt("commonmark").enable("table").render(as_markdown(export))
    assert "<img" not in page
    assert set(re.findall(r'href="([^"]*)', page)) <= {"http://h/a%28b%29"}


def test_a_long_quote_is_cut_in_documents_alone() -> None:
    quote = "word " * 200_000
    cited = MADE.citations[0].model_copy(update={"quote": quote})
    entry = MADE.evidence[0].model_copy(update={"quote": quote})
    export = MADE.model_copy(update={"citations": (cited,), "evidence": (entry,)})
    for text in (as_markdown(export), as_html(export)):
        assert "990,000 characters more" in text
        assert len(text) < 60_000
    assert quote in as_csv(export)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//h/", "x:y", ""]
)
def test_markdown_links_to_the_web_alone(address: str) -> None:
    quote = f"[e1]: {address or 'ftp://h/'}\n\n[e2]: {address or 'ftp://h/'} 'x'"
    entry = MADE.evidence[0].model_copy(
        update={"url": address, "link": address, "quote": quote, "also": (address, "http://a/")}
    )
    cited = MADE.citations[0].model_copy(update={"url": address, "quote": quote})
    export = MADE.model_copy(
        update={"evidence": (entry, *MADE.evidence[1:]), "citations": (cited,), "answer": quote}
    )
    links = re.findall(r'href="([^"]*)', MarkdownIt().render(as_markdown(export)))
    assert "http://a/" in links
    assert all(link.startswith(("http://", "https://")) for link in links)


def test_markdown_links_to_the_quote_on_its_page() -> None:
    assert "**[1]** [T # U](http://h/a%28b%29#:~:text=a,line)\n\n> a" in as_markdown(MADE)
    bare = as_markdown(MADE.model_copy(update={"evidence": ()}))
    assert "**[1]** [T # U](http://h/a%28b%29)\n" in bare


@pytest.mark.parametrize("form", [as_markdown, as_html])
def test_a_page_of_an_example_site_is_named_without_its_address(
    form: Callable[[Export], str],
) -> None:
    """Its address is one of the machine that served it."""
    served = MADE.model_copy(update={"site_names": {"h": "Orrin Isles"}})
    text = form(served).replace("\\", "")
    assert "Example site: Orrin Isles, page a(b)" in text.replace("%28", "(").replace("%29", ")")
    assert "http://h/a" not in text


def test_browser_actions_are_listed_in_words() -> None:
    text = as_markdown(MADE)
    assert "## In the browser\n\n- Click the button “&lt;b&gt;Go&lt;/b&gt;” → http://h/?q=1" in text
    assert "- Click the link “Delete”: failed. It was not approved." in text
    assert "- Click “Save” → http://h/1. It posts." in text
    assert "- Not approved: Click “Delete” (It [x]\\(y).)" in text
    assert "- Waiting: A CAPTCHA. · http://h/" in text
    silent = as_markdown(MADE.model_copy(update={"actions": (), "pleas": ()}))
    assert "browser" not in silent
    assert "Asked of" not in silent


def test_markdown_lists_limits_and_spending() -> None:
    said = MADE.spent.model_copy(update={"tokens_in": 1200, "tokens_out": 30, "usd": 0.5})
    text = as_markdown(MADE.model_copy(update={"spent": said}))
    assert "- Limits rounds=3, seconds=600; seed 7\n" in text
    assert "Tokens read: 1,200; Tokens written: 30; US dollars: 0.5000; Seconds: 2.5" in text


def test_markdown_lists_agreement_and_conflicts() -> None:
    said = {"dated": "2024-05", "also": ("http://h/<b>",), "conflicts": ("e2",), "agrees": ("e3",)}
    # There is no e3, so it is left out.
    entry = MADE.evidence[0].model_copy(update=said)
    whole = MADE.model_copy(update={"evidence": (entry, *MADE.evidence[1:])})
    line = next(line for line in as_markdown(whole).splitlines() if line.startswith("Seen"))
    assert line == (
        "Seen 2026-02-03 04:05 UTC · dated 2024-05 · conflicts with “=1+1” · also on <http://h/%3Cb%3E>"
    )
    page = as_html(whole)
    assert '<a href="#e2">e2</a>' in page
    assert "http://h/&lt;b&gt;" in page
    body = json.loads(as_json(whole))["evidence"][0]
    assert {key: body[key] for key in said} == {
        key: list(value) if isinstance(value, tuple) else value for key, value in said.items()
    }


def test_a_table_in_markdown_keeps_its_columns() -> None:
    lines = as_markdown(MADE.model_copy(update={"table": TABLE})).splitlines()
    at = lines.index("| Light \\| &lt;b&gt; | Height |")
    assert lines[at + 1 : at + 4] == [
        "| --- | --- |",
        "| Skarn [1] | =32 m [1] |",
        "| Holm | unknown |",
    ]


def test_page_text_is_no_formula_in_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(MADE))))
    assert rows[0]["quote"] == NASTY
    assert rows[0]["cited"] == "True"
    assert rows[1]["title"] == "'=1+1"
    assert rows[1]["quote"] == "'@SUM(A1)"


def test_a_csv_table_has_the_quotes_of_its_cells() -> None:
    [head, skarn, holm] = csv.reader(io.StringIO(as_csv(MADE.model_copy(update={"table": TABLE}))))
    what = ["id", "quote", "url", "start", "end", "blob"]
    assert head[2:] == [f"{column}: {each}" for column in TABLE.columns for each in what]
    link, size = "http://h/a(b)#:~:text=a,line", 3 + len(NASTY)
    assert skarn[:5] == ["Skarn", "'=32 m", "e1", NASTY, link]
    assert skarn[5:8] == ["3", str(size), "0" * 64]
    assert skarn[8:11] == ["e1\ne2", f"{NASTY}\n@SUM(A1)", f"{link}\nhttp://h/"]
    assert holm == ["Holm", "unknown", *[""] * 12]


def test_a_quote_shared_by_a_row_is_written_once() -> None:
    rows = ((Cell(text="Skarn", cites=("e1",)), Cell(text="x", cites=("e1",)), Cell(text="")),)
    table = Table(columns=("a", "b", "c"), rows=rows)
    [head, skarn] = csv.reader(io.StringIO(as_csv(MADE.model_copy(update={"table": table}))))
    assert head[3:5] == ["source: id", "source: quote"]
    assert skarn[:5] == ["Skarn", "x", "", "e1", NASTY]


QUOTE = st.one_of(
    st.text(min_size=1, max_size=30),
    st.text(alphabet="=+-@'\",;\n\r\t é|", min_size=1, max_size=12),
)


@given(st.lists(QUOTE, min_size=1, max_size=3), st.booleans())
def test_quotes_are_read_back_from_csv(quotes: list[str], table: bool) -> None:
    base = MADE.evidence[0]
    entries = tuple(
        base.model_copy(
            update={"id": f"e{place}", "quote": quote, "start": 7, "end": 7 + len(quote)}
        )
        for place, quote in enumerate(quotes)
    )
    ids = tuple(entry.id for entry in entries)
    rows = ((Cell(text=quotes[0], cites=ids), Cell(text="x", cites=ids[:1])),)
    made = Table(columns=("a", "b"), rows=rows) if table else None
    export = MADE.model_copy(update={"evidence": entries, "table": made})
    found = read_sources(as_csv(export))
    assert found is not None
    assert {(each.id, each.quote, each.url) for each in found} == {
        (entry.id, entry.quote.translate(REPLACED), entry.url) for entry in entries
    }


def test_columns_of_the_same_name_keep_their_own_quotes() -> None:
    rows = ((Cell(text="a", cites=("e1",)), Cell(text="b", cites=("e2",))),)
    table = Table(columns=("Light", "Light"), rows=rows)
    found = read_sources(as_csv(MADE.model_copy(update={"table": table})))
    assert found is not None
    assert [each.id for each in found] == ["e1", "e2"]


def test_other_csv_files_have_no_quotes() -> None:
    for text in ("", "a,b\n1,2\n", "id,quote\ne1,x\n", 'id\n"', "\0"):
        assert read_sources(text) is None


def test_json_holds_the_whole_session() -> None:
    body = json.loads(as_json(MADE))
    assert list(body)[:4] == ["version", "question", "sites", "budget"]
    assert Export.model_validate(body) == MADE
    assert set(body["evidence"][0]) == ENTRY
    assert body["evidence"][0]["fetched"] == "2026-02-03T04:05:06Z"
    assert body["evidence"][1]["fetched"] is None
    assert set(body["citations"][0]) == {"id", "url", "title", "quote"}
    assert parse_graph(body["graph_body"]).hash == body["graph_hash"]
    assert "table" not in body


def test_an_earlier_turn_shows_its_further_quotes_once() -> None:
    answer = "Ada [e1].\n\nMore quotes:\n\nHere: “paraffin” [e1]\n\nSources disagree: 1 [e1]."
    quote = Citation(id="e1", url="http://h/", title="T", quote="said", blob="", start=0, end=4)
    turn = EarlierTurn(
        number=1, question="Who?", status="answered", answer=answer, citations=(quote,)
    )
    export = MADE.model_copy(update={"turns": (turn,)})
    text = as_markdown(export)
    assert "## 1. Who?\n\nAda [1].\n\nSources disagree: 1 [1].\n\n**[1]** [T](http://h/)" in text
    for whole in (text, as_html(export)):
        assert "paraffin" not in whole
        assert "Sources disagree" in whole


def test_json_and_csv_have_the_quotes_of_their_parts() -> None:
    def held(*parts: str) -> tuple[object, ...]:
        export = MADE.model_copy(update={"parts": parts})
        body = json.loads(as_json(export))
        rows = [row["id"] for row in csv.DictReader(io.StringIO(as_csv(export)))]
        quotes = [item["id"] for item in body["evidence"]]
        return quotes, rows, len(body["citations"]), "answer" in body, "pleas" in body

    assert held() == (["e1", "e2"], ["e1", "e2"], 1, True, True)
    assert held("answer", "sources") == (["e1"], ["e1"], 1, True, False)
    assert held("evidence", "steps") == (["e2"], ["e2"], 0, False, True)


def test_a_document_has_its_parts_alone() -> None:
    heads = ("Sources", "Other evidence", "In the browser", "Still open")
    for form in (as_markdown, as_html):
        text = form(MADE.model_copy(update={"parts": ("evidence",)}))
        assert [head for head in heads if head in text] == ["Other evidence"]
        alone = form(MADE.model_copy(update={"parts": ("answer",)}))
        assert [head for head in heads if head in alone] == ["Still open"]
        assert "[1]" not in alone
        assert 'href="#' not in alone


@pytest.mark.parametrize("name", preset_names())
def test_yaml_has_the_order_of_the_drawing(name: str) -> None:
    spec = load_graph(name)
    text = yaml_text(spec)
    assert parse_graph(text).hash == spec.hash
    assert list(parse_graph(text).nodes) == list(spec.nodes)
    assert drawing_order(spec) == [START, *spec.nodes, END]


def test_yaml_keeps_the_prompts_of_a_graph() -> None:
    spec = load_graph("mango")
    own = spec.nodes["reflect"].model_copy(update={"prompts": {"Reflect": "Judge.\nBe strict."}})
    told = spec.model_copy(update={"nodes": {**spec.nodes, "reflect": own}})
    assert "      Reflect: |-\n        Judge.\n        Be strict.\n" in yaml_text(told)
    assert parse_graph(yaml_text(told)).hash == told.hash


def test_brackets_without_citations_are_text() -> None:
    sources = [Quote(id=id, url="", title="", quote="") for id in ("e4", "E1.1")]
    text = "x[i] is [E1.1, e4]. And [e9] [e4][E1.1]\n[ ] end"
    assert list(split_citations(text, sources)) == [
        "x[i] is ",
        2,
        1,
        ". And [e9] ",
        1,
        2,
        "\n[ ] end",
    ]


@pytest.mark.parametrize("form", [as_markdown, as_csv, as_json, as_html])
def test_no_export_turns_text_around(form: Callable[[Export], str]) -> None:
    turned = "a\u202eb\u2066c\x9bd"
    evidence = [each.model_copy(update={"quote": turned}) for each in MADE.evidence]
    text = form(MADE.model_copy(update={"answer": turned, "evidence": tuple(evidence)}))
    assert not {"\u202e", "\u2066", "\x9b"} & set(text)


def test_the_quotes_of_a_json_export_are_the_pages_own() -> None:
    turned = MADE.model_copy(update={"answer": "a\u202eb"})
    assert json.loads(as_json(turned))["answer"] == "a\u202eb"
