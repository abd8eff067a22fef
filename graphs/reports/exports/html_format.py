"""A session as one HTML page: no scripts, nothing fetched, ready to print."""

from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Final

from forager.answers.likelihood import doubt_of
from forager.domain.answers import Cell, Quote, Table
from forager.evidence.passages import table_columns
from graphs.reports.answer_layout import (
    BEST_PASSAGES,
    LeadSentence,
    Passage,
    Piece,
    QuoteBlock,
    lines_before_more,
    quote_blocks,
)
from graphs.reports.exports.document import (
    Export,
    ExportedEvidence,
    cut_quote,
    format_limits,
    spend_facts,
)
from graphs.reports.exports.markup import WEB, Content, Markup, element, join_markup
from graphs.reports.exports.pinned_graph import draw_graph
from graphs.reports.exports.report_blocks import (
    CLOSEST,
    Block,
    Cite,
    Citing,
    Inline,
    Span,
    read_emphasis,
    text_blocks,
    told_nearest,
    worth_note,
)
from graphs.reports.exports.wording import language_tag, say, write_number
from graphs.reports.report import (
    NEAREST,
    answer_layout,
    rates_each_part,
    shows_nearest,
)
from graphs.reports.turns import EarlierTurn
from graphs.spec.spec import parse_graph

STYLE: Final = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
DEEPEST = 3
"""How deep lists are indented."""
SIGNS = {
    "answered": "●",
    "partial": "◐",
    "abstained": "○",
    "failed": "✕",
    "running": "◌",
    "waiting": "◍",
    "paused": "‖",
    "interrupted": "◇",
}


def as_html(export: Export) -> str:
    """The export as an HTML page."""
    head = join_markup(
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        Markup('<meta name="generator" content="Forager">'),
        element("title", export.title),
        Markup(f"<style>\n{STYLE}</style>"),
    )
    body = join_markup(_page_header(export), element("main", *_page_sections(export)))
    page = join_markup(element("head", head), "\n", element("body", body))
    return f"<!doctype html>\n{element('html', page, lang=language_tag())}\n"


def _page_header(export: Export) -> Markup:
    when = element("span", say("Asked"), " ", _time_element(export.asked)) if export.asked else None
    sites = [element("span", _address_text(export.place_of(site))) for site in export.sites]
    shown = "partial" if doubt_of(export) else export.status
    status = element(
        "span", element("span", SIGNS[shown], aria_hidden="true"), f" {export.standing}"
    )
    badge = element("span", status, class_=f"status {shown}")
    return element(
        "header",
        element("p", say("Forager report"), class_="kind"),
        element("h1", export.title, dir="auto"),
        element("p", export.untold, dir="auto") if export.untold else None,
        None if export.turns else _reading_note(export.reading),
        element("p", badge, when, *sites, class_="meta"),
    )


def _page_sections(export: Export) -> Iterator[Markup]:
    yield from (_turn_section(turn, export) for turn in export.turns)
    note = worth_note(export)
    worth = element("p", note, class_="where") if note else None
    answer = (_answer_text(export), worth) if export.has("answer") else ()
    if export.turns:
        own = f"{len(export.turns) + 1}. {export.question}"
        yield _titled_section(
            own, _reading_note(export.reading), *answer, name=f"turn-{len(export.turns) + 1}"
        )
    elif answer:
        yield _titled_section("Answer", *answer)
    if export.has("answer"):
        yield from _open_sections(export)
    yield from _quote_sections(export)
    if export.has("steps"):
        yield from _step_sections(export)
    if export.has("run"):
        yield _titled_section("What was spent", _fact_list(spend_facts(export.spent)))
        yield _titled_section("The run", _fact_list(_run_facts(export)), *_graph_figure(export))


def _open_sections(export: Export) -> Iterator[Markup]:
    """The table of the answer, and what it leaves open."""
    if export.table and not answer_layout(export).leads:
        yield _titled_section("Table", _numbered_table(export.table, export))
    if export.open:
        reason = element("p", say(export.reason), dir="auto") if export.reason else None
        yield _titled_section("Still open", _bullet_list(export.open), reason)
    if export.nearest and shows_nearest(export):
        yield element("p", say(export.nearest.why), dir="auto")
    elif export.nearest:
        nearest = _bullet_list([told_nearest(export.nearest)])
        yield _titled_section(say(NEAREST), nearest, name="nearest")
    if export.doubts:
        doubts = (f"{say(f'“{doubt.sentence}”')} {say(doubt.why)}" for doubt in export.doubts)
        yield _titled_section("Not supported by the quotes", _bullet_list(doubts))
    if export.notes:
        yield _titled_section("Warnings", _bullet_list(map(say, export.notes)))


def _quote_sections(export: Export) -> Iterator[Markup]:
    """The quotes that are cited, with their numbers, and the others."""
    cited = {item.id for item in export.citations}
    shown = {item.id for item in export.evidence if export.has("evidence")}
    shown = shown | cited if export.has("sources") else shown - cited
    if export.has("sources") and export.citations:
        entries = {item.id: item for item in export.evidence}
        cards = [
            _source_card(item, entries.get(item.id), number, shown, export)
            for number, item in enumerate(export.citations, 1)
        ]
        yield _titled_section("Sources", element("ol", *cards, class_="entries"))
    others = [item for item in export.evidence if item.id not in cited]
    if export.has("evidence") and others:
        cards = [_source_card(item, item, None, shown, export) for item in others]
        yield _titled_section("Other evidence", element("ol", *cards, class_="entries others"))


def _step_sections(export: Export) -> Iterator[Markup]:
    """The pages that were opened, the browser actions and the approval requests."""
    if export.visited:
        visits = (
            say(f"Round {page.round}: {export.place_of(page.url)}") for page in export.visited
        )
        yield _titled_section("Pages read", _bullet_list(visits))
    if export.actions:
        yield _titled_section(
            "In the browser", _bullet_list(each.line(say) for each in export.actions)
        )
    if export.pleas:
        yield _titled_section(
            "Approval requests", _bullet_list(each.line(say) for each in export.pleas)
        )


def _reading_note(reading: str) -> Markup | None:
    return element("p", say(reading), class_="where", dir="auto") if reading else None


def _titled_section(title: str, *content: Content, name: str = "") -> Markup:
    """A section; with a name of its own its title is a question, which stays as it is."""
    shown = title if name else say(title)
    name = name or title.lower().replace(" ", "-")
    heading = element("h2", shown, id=name, dir="auto")
    return element("section", heading, *content, aria_labelledby=name, class_=name)


def _answer_text(export: Export) -> Markup:
    """The answer as paragraphs, lists, tables and code, with numbers that link to the sources."""
    if export.error:
        return element("p", say("Failed:"), " ", say(export.error), class_="lacking")
    if not export.answer:
        return element("p", say("There is no answer."), class_="lacking")
    laid = answer_layout(export)
    cites = Citing(export.citations, wanted=export.has("sources"))
    if laid.passages:
        shown = tuple(_passage_text(laid.passages, cites))
    elif not laid.leads:
        shown = tuple(_written_text(export.answer.splitlines(), cites))
    else:
        named = rates_each_part(export)
        leads = (
            (_numbered_table(export.table, export),)
            if export.table
            else (_lead_block(lead, cites, named=named) for lead in laid.leads)
        )
        shown = (
            *_written_text(laid.before, cites),
            *leads,
            *_written_text(laid.after, cites),
            *_more_quotes(laid.further, cites),
        )
    closest = export.status == "abstained"
    note = element("p", say(CLOSEST), class_="where") if closest else None
    return element("div", note, *shown, class_="words", dir="auto")


def _written_text(lines: Sequence[str], cites: Citing) -> Iterator[Markup]:
    """The lines of an answer; items that follow each other are one list."""
    for kind, group in groupby(text_blocks(lines, cites), key=_list_tag):
        if kind:
            yield element(kind, *(_written_item(block, cites) for block in group))
        else:
            yield from (_written_block(block, cites) for block in group)


def _written_item(block: Block, cites: Citing) -> Markup:
    number = block.mark.removesuffix(".") if block.mark != "-" else None
    level = f"level-{min(block.level, DEEPEST)}" if block.level else None
    words = _written_words(block.content, cites)
    return element("li", *words, value=number, class_=level, dir="auto")


def _written_block(block: Block, cites: Citing) -> Markup:
    match block.kind:
        case "code":
            return element("pre", block.text, tabindex="0")
        case "table":
            return _written_table(block, cites)
        case _:
            heading = "heading" if block.kind == "heading" else None
            words = _written_words(block.content, cites)
            return element("p", *words, class_=heading, dir="auto")


def _written_table(block: Block, cites: Citing) -> Markup:
    header, *rows = block.rows
    head = element("tr", *(element("th", *_written_words(cell, cites)) for cell in header))
    body = (
        element("tr", *(element("td", *_written_words(cell, cites), dir="auto") for cell in row))
        for row in rows
    )
    whole = element("table", head if header else None, *body)
    return _scrolled(whole)


def _written_words(content: Sequence[Inline], cites: Citing) -> Iterator[Content]:
    for place, piece in enumerate(content):
        if isinstance(piece, Cite):
            yield _citation_mark(cites.citations[piece.number - 1].id, piece.number)
        elif isinstance(piece, Span):
            spans = list(read_emphasis(piece))
            if isinstance(next(iter(content[place + 1 :]), None), Cite):
                # so that no line begins with a number
                spans[-1] = spans[-1]._replace(text=spans[-1].text.rstrip(" "))
            yield from (_emphasized(span) for span in spans)


def _emphasized(span: Span) -> Content:
    tag = "b" if span.bold else "code" if span.code else ""
    return element(tag, span.text) if tag else span.text


def _lead_block(lead: LeadSentence, cites: Citing, *, named: bool) -> Markup:
    """The words that answer, then their sentence, in which they are marked, with its number."""
    likely = f" · {say(lead.worth.capitalize())}" if lead.worth else None
    asked = element("p", lead.part, likely, class_="asked", dir="auto") if named else None
    words = element("p", element("strong", lead.words), dir="auto") if lead.words else None
    note = element("p", say(lead.note), class_="where") if lead.note else None
    id = cites.citations[lead.number - 1].id
    mark = _citation_mark(id, lead.number) if cites.wanted else None
    lines = _block_lines(lead.blocks, lead.columns)
    said = element("div", *lines, mark, class_="said")
    return element("div", asked, words, note, said, class_="lead")


def _block_lines(blocks: Sequence[QuoteBlock], columns: Sequence[str] = ()) -> Iterator[Markup]:
    """The lines of a quote; rows of a table stand in one, under its header."""
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        if kind != "row":
            yield from (
                element("p", *_pieces(block.cells[0]), class_=block.kind, dir="auto")
                for block in group
            )
            continue
        head = element("tr", *(element("th", name, scope="col") for name in columns))
        cells = [block.cells for block in group]
        fits = columns and all(len(row) == len(columns) for row in cells)
        rows = (
            element("tr", *(element("td", *_pieces(cell), dir="auto") for cell in row))
            for row in cells
        )
        yield element("table", head if fits else None, *rows)


def _pieces(pieces: Sequence[Piece]) -> Iterator[Content]:
    yield from (element("mark", each.text) if each.marked else each.text for each in pieces)


def _passage_text(passages: Sequence[Passage], cites: Citing) -> Iterator[Markup]:
    """The best of the passages that stand for an answer, then the others, folded."""
    for number, blocks in passages[:BEST_PASSAGES]:
        id = cites.citations[number - 1].id
        mark = _citation_mark(id, number) if cites.wanted else None
        said = element("div", *_block_lines(blocks), mark, class_="said")
        yield element("div", said, class_="lead")
    yield from _more_quotes([number for number, _ in passages[BEST_PASSAGES:]], cites)


def _more_quotes(more: Sequence[int], cites: Citing) -> Iterator[Markup]:
    """The further quotes, folded; on paper their numbers, as they stand among the sources."""
    if not more or not cites.wanted:
        return
    marks = {number: _citation_mark(cites.citations[number - 1].id, number) for number in more}
    shown = {number: cut_quote(cites.citations[number - 1].quote)[0] for number in more}
    quotes = (
        element("li", *_block_lines(tuple(quote_blocks(shown[number]))), mark)
        for number, mark in marks.items()
    )
    yield element("details", element("summary", say("More quotes")), element("ul", *quotes))
    yield element("p", say("More quotes:"), *marks.values(), class_="printed")


def _list_tag(block: Block) -> str:
    """The element of the list that a block belongs to; empty for none."""
    return "" if block.kind != "item" else "ul" if block.mark == "-" else "ol"


def _citation_mark(id: str, number: int) -> Markup:
    """A link to a source. Its brackets show where the text is copied or has no style."""
    said = element("span", "["), str(number), element("span", "]")
    return element("a", *said, href=f"#{id}", class_="cite", aria_label=say(f"source {number}"))


def _numbered_table(table: Table, export: Export) -> Markup:
    wanted = export.citations if export.has("sources") else ()
    return _answer_table(table, {item.id: number for number, item in enumerate(wanted, 1)})


def _answer_table(table: Table, numbers: dict[str, int]) -> Markup:
    def row(cells: Iterable[Cell]) -> Markup:
        return element(
            "tr", *(element("td", *_cell_content(cell, numbers), dir="auto") for cell in cells)
        )

    head = element("tr", *(element("th", column, scope="col") for column in table.columns))
    body = element("tbody", *(row(cells) for cells in table.rows))
    whole = element("table", element("thead", head), body)
    return _scrolled(whole)


def _scrolled(table: Markup) -> Markup:
    return element(
        "div", table, class_="scroll", tabindex="0", role="region", aria_label=say("Table")
    )


def _cell_content(cell: Cell, numbers: dict[str, int]) -> Iterator[Content]:
    yield cell.text
    yield from (_citation_mark(id, numbers[id]) for id in cell.cites if id in numbers)


def _source_card(
    item: Quote,
    entry: ExportedEvidence | None,
    number: int | None,
    shown: Container[str],
    export: Export,
) -> Markup:
    """A quote under the title of its page, which links to the quote there.

    `shown` are the ids of the quotes that the page has. A page of an example site has no link.
    """
    title = " ".join((item.title or item.url).split())
    href = entry.link if entry else item.url
    leads = WEB.match(href) and not export.example_page(item.url)
    named = element("a", title, href=href, rel="noreferrer") if leads else title
    section = entry.section if entry and entry.section != item.title else ""
    text, more = cut_quote(item.quote)
    lines = _block_lines(tuple(quote_blocks(text)), table_columns(entry.section) if entry else ())
    quote = element("blockquote", *lines, lang=(entry.lang or None) if entry else None)
    return element(
        "li",
        element("span", str(number), class_="number") if number else None,
        element("p", element("bdi", named), class_="title"),
        element("p", element("bdi", section), class_="where") if section else None,
        quote,
        element("p", more, class_="where") if more else None,
        element("p", _address_text(export.place_of(item.url)), class_="where"),
        element("p", *_evidence_details(entry, shown, export), class_="detail") if entry else None,
        id=item.id,
    )


def _turn_section(turn: EarlierTurn, export: Export) -> Markup:
    """An earlier question as written and as understood, its answer and the quotes of that."""
    cites = Citing(turn.citations, turn.number, wanted=export.has("sources"))
    lines = lines_before_more(turn.answer) or [say("There is no answer.")]
    said = _written_text(lines, cites) if export.has("answer") else ()
    shown = {item.id for item in turn.citations}
    cards = [
        _source_card(item, None, number, shown, export)
        for number, item in enumerate(turn.citations, 1)
        if cites.wanted
    ]
    return _titled_section(
        f"{turn.number}. {turn.question}",
        _reading_note(export.reading_of(turn)),
        element("div", *said, class_="words"),
        element("ol", *cards, class_="entries") if cards else None,
        name=f"turn-{turn.number}",
    )


def _evidence_details(
    entry: ExportedEvidence, shown: Container[str], export: Export
) -> Iterator[Content]:
    yield element("span", entry.id)
    if entry.part_text:
        yield element("span", say("about"), " ", element("q", entry.part_text))
    yield element("span", say(f"score {write_number(entry.score, 2)}"))
    yield element("span", say(f"round {entry.round}"))
    if entry.fetched:
        yield element("span", say("seen"), " ", _time_element(entry.fetched))
    if entry.dated:
        yield element("span", say("dated"), " ", element("time", entry.dated, datetime=entry.dated))
    for said, ids in (("agrees with", entry.agrees), ("conflicts with", entry.conflicts)):
        if ids:
            links = (element("a", id, href=f"#{id}") if id in shown else id for id in ids)
            yield element("span", say(said), " ", *_with_commas(links))
    for url in entry.also:
        yield element("span", say("also on"), " ", _address_text(export.place_of(url)))


def _with_commas(links: Iterable[str]) -> Iterator[Content]:
    for place, link in enumerate(links):
        yield ", " if place else None
        yield link


def _run_facts(export: Export) -> Iterator[tuple[str, str]]:
    yield say("Session"), export.session
    yield say("Model"), export.model
    yield say("Graph"), f"{export.graph} {export.graph_hash[:12]}"
    yield say("Limits"), format_limits(export.budget)
    yield say("Seed"), str(export.seed)


def _graph_figure(export: Export) -> Iterator[Markup]:
    if not export.graph_body:
        return
    spec = parse_graph(export.graph_body)
    yield element("figure", element("figcaption", say(f"The graph {spec.name}")), draw_graph(spec))
    text = element("pre", export.graph_body, tabindex="0")
    yield element("details", element("summary", say("The graph as YAML, to run again")), text)


def _fact_list(pairs: Iterable[tuple[str, str]]) -> Markup:
    told = (element("div", element("dt", name), element("dd", value)) for name, value in pairs)
    return element("dl", *told)


def _bullet_list(texts: Iterable[str]) -> Markup:
    return element("ul", *(element("li", text, dir="auto") for text in texts))


def _address_text(url: str) -> Markup:
    return element("bdi", url, class_="address")


def _time_element(time: datetime) -> Markup:
    return element("time", f"{time:%Y-%m-%d %H:%M} UTC", datetime=time.isoformat())
