"""A session as Markdown."""

from collections.abc import Iterable, Iterator
from html import escape

from forager.domain.answers import Quote, Table
from graphs.reports.answer_layout import BETWEEN_CELLS, LeadSentence, Piece, QuoteBlock
from graphs.reports.exports.document import WEB, Export, ExportedEvidence, format_limits
from graphs.reports.exports.markup import CONTROL_CHARACTERS
from graphs.reports.report import answer_layout, answer_worth, describe_nearest
from graphs.reports.turns import EarlierTurn

ADDRESS_ESCAPES = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", '"': "%22"}
)
"""Characters that would end an address."""


def as_markdown(export: Export) -> str:
    """The answer, its sources, and the rest of the export, each under a heading."""
    entries = {item.id: item for item in export.evidence}
    cited = {item.id for item in export.citations}
    others = [item for item in export.evidence if item.id not in cited]
    doubts = (
        f"“{_escape_markup(doubt.sentence)}” {_escape_markup(doubt.why)}" for doubt in export.doubts
    )
    nearest = [export.nearest] if export.nearest else []
    sections = [
        f"# {_escape_markup(export.title)}",
        *map(_turn_section, export.turns),
        _turn_heading(len(export.turns) + 1, export.question) if export.turns else "",
        f"*Understood as: {_escape_markup(export.meant)}*" if export.meant else "",
        *_answer_blocks(export),
        f"*{note.capitalize()}*" if (note := answer_worth(export)) else "",
        f"**Failed:** {_escape_markup(export.error)}" if export.error else "",
        _answer_table(export.table) if export.table else "",
        _titled_section(
            "Sources", (_quoted_source(item, entries.get(item.id)) for item in export.citations)
        ),
        _list_section("Still open", map(_escape_markup, export.open)),
        _escape_markup(export.reason),
        _list_section("Closest", map(_escape_markup, map(describe_nearest, nearest))),
        _list_section("Not supported by the quotes", doubts),
        _titled_section("Other evidence", (_quoted_source(item, item) for item in others)),
        _list_section("In the browser", (_escape_markup(each.line) for each in export.actions)),
        _list_section("Approval requests", (_escape_markup(each.line) for each in export.pleas)),
        _list_section("Run", _run_lines(export)),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _answer_blocks(export: Export) -> Iterator[str]:
    """The answer; its leads with their words in bold, the numbers of further quotes last."""
    laid = answer_layout(export)
    if not laid.leads:
        yield _escape_markup(export.answer) or f"No answer: {export.status}."
        return
    yield from map(_escape_markup, laid.before)
    for lead in laid.leads:
        yield from _lead_blocks(lead, export.citations[lead.number - 1].id, len(laid.leads) > 1)
    yield from map(_escape_markup, laid.after)
    if laid.more:
        ids = "".join(f"[{export.citations[number - 1].id}]" for number in laid.more)
        yield f"More quotes: {ids}"


def _lead_blocks(lead: LeadSentence, id: str, named: bool) -> Iterator[str]:
    if named:
        yield f"*{_escape_markup('; '.join(lead.parts))}*"
    if lead.words:
        yield f"**{_escape_markup(lead.words)}**"
    lines = [_quote_line(block) for block in lead.blocks]
    if lead.columns:
        lines.insert(0, _escape_markup(BETWEEN_CELLS.join(lead.columns)))
    yield "\n".join(f"> {line}" for line in lines) + f" [{id}]"


def _quote_line(block: QuoteBlock) -> str:
    cells = ("".join(map(_piece, cell)) for cell in block.cells)
    said = BETWEEN_CELLS.join(cells)
    return f"- {said}" if block.kind == "item" else said


def _piece(piece: Piece) -> str:
    said = _escape_markup(piece.text)
    if not piece.marked or not said.strip():
        return said
    return said.replace(said.strip(), f"**{said.strip()}**", 1)


def _titled_section(title: str, blocks: Iterable[str]) -> str:
    body = "\n\n".join(blocks)
    return f"## {title}\n\n{body}" if body else ""


def _list_section(title: str, lines: Iterable[str]) -> str:
    return _titled_section(title, filter(None, ["\n".join(f"- {line}" for line in lines)]))


def _quoted_source(item: Quote, entry: ExportedEvidence | None) -> str:
    quote = "\n".join(f"> {line}" for line in _escape_markup(item.quote).splitlines())
    address = entry.link if entry and entry.link else item.url
    title = _escape_markup(" ".join((item.title or item.url).split()))
    if WEB.match(address):
        title = f"[{title}]({address.translate(ADDRESS_ESCAPES)})"
    return f"**[{item.id}]** {title}\n\n{quote}{_evidence_line(entry) if entry else ''}"


def _turn_heading(number: int, question: str) -> str:
    return f"## {number}. {_escape_markup(' '.join(question.split()))}"


def _turn_section(turn: EarlierTurn) -> str:
    """An earlier question as written and as understood, its answer and the quotes of that."""
    blocks = [
        _turn_heading(turn.number, turn.question),
        f"*Understood as: {_escape_markup(turn.meant)}*" if turn.meant else "",
        _escape_markup(turn.answer) or f"No answer: {turn.status}.",
        *(_quoted_source(item, None) for item in turn.citations),
    ]
    return "\n\n".join(block for block in blocks if block)


def _evidence_line(entry: ExportedEvidence) -> str:
    """When the page was seen, its own date, what agrees and conflicts; empty for nothing."""
    said = [
        f"seen {entry.fetched:%Y-%m-%d %H:%M} UTC" if entry.fetched else "",
        f"dated {_escape_markup(entry.dated)}" if entry.dated else "",
        f"agrees with {' '.join(f'[{id}]' for id in entry.agrees)}" if entry.agrees else "",
        f"conflicts with {' '.join(f'[{id}]' for id in entry.conflicts)}"
        if entry.conflicts
        else "",
        *(f"also on <{url.translate(ADDRESS_ESCAPES)}>" for url in entry.also if WEB.match(url)),
    ]
    line = " · ".join(each for each in said if each)
    return f"\n\n{line[0].upper()}{line[1:]}" if line else ""


def _answer_table(table: Table) -> str:
    rows = [
        [" ".join([cell.text, *(f"[{id}]" for id in cell.cites)]) for cell in row]
        for row in table.rows
    ]
    lines = [_table_row(table.columns), "|" + " --- |" * len(table.columns), *map(_table_row, rows)]
    return "\n".join(lines)


def _table_row(cells: Iterable[str]) -> str:
    plain = (_escape_markup(" ".join(cell.split())).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(plain)} |"


def _run_lines(export: Export) -> Iterable[str]:
    used = export.spent
    yield f"Session {export.session}, {export.status}"
    yield f"Graph {export.graph} ({export.graph_hash[:12]}), model {export.model}"
    yield f"Limits {format_limits(export.budget)}; seed {export.seed}"
    counts = [
        f"{used.rounds} rounds",
        f"{used.actions} actions",
        f"{used.pages_fetched} pages fetched",
        f"{used.pages_cached} from the cache",
        f"{used.model_calls} model calls",
    ]
    if used.tokens_in or used.tokens_out:
        counts.append(f"{used.tokens_in:,} tokens in, {used.tokens_out:,} out")
    if used.usd:
        counts.append(f"${used.usd:.4f}")
    yield ", ".join([*counts, f"{used.seconds:.1f} s"])


def _escape_markup(text: str) -> str:
    """A page's text as plain text: no tags, links or images."""
    safe = escape(text.translate(CONTROL_CHARACTERS), quote=False).replace("\\", "\\\\")
    return safe.replace("](", "]\\(").replace("]:", "]\\:").replace("![", "!\\[")
