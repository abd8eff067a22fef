"""A session as Markdown."""

from collections.abc import Iterable
from html import escape

from forager.domain.answers import Quote, Table
from graphs.reports.exports.document import Entry, Export
from graphs.reports.exports.limits import limits
from graphs.reports.report import caveat
from graphs.reports.turns import Told

ADDRESS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in ' ()<>\\"'})
"""Signs that would end an address."""


def markdown(export: Export) -> str:
    """The answer, its sources, and what else there is to say, each under its heading."""
    entries = {item.id: item for item in export.evidence}
    cited = {item.id for item in export.citations}
    others = [item for item in export.evidence if item.id not in cited]
    doubts = (f"“{_plain(doubt.sentence)}” {_plain(doubt.why)}" for doubt in export.doubts)
    sections = [
        f"# {_plain(export.title)}",
        *map(_turn, export.turns),
        _heading(len(export.turns) + 1, export.question) if export.turns else "",
        f"*Read as: {_plain(export.meant)}*" if export.meant else "",
        _plain(export.answer) or f"No answer: {export.status}.",
        f"*{note}*" if (note := caveat(export)) else "",
        f"**Failed:** {_plain(export.error)}" if export.error else "",
        _table(export.table) if export.table else "",
        _section("Sources", (_quoted(item, entries.get(item.id)) for item in export.citations)),
        _listed("Still open", map(_plain, export.open)),
        _listed("Not carried by the quotes", doubts),
        _section("Other evidence", (_quoted(item, item) for item in others)),
        _listed("In the browser", (_plain(each.line) for each in export.actions)),
        _listed("Asked of a person", (_plain(each.line) for each in export.pleas)),
        _listed("Run", _run(export)),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _section(title: str, blocks: Iterable[str]) -> str:
    body = "\n\n".join(blocks)
    return f"## {title}\n\n{body}" if body else ""


def _listed(title: str, lines: Iterable[str]) -> str:
    return _section(title, filter(None, ["\n".join(f"- {line}" for line in lines)]))


def _quoted(item: Quote, entry: Entry | None) -> str:
    quote = "\n".join(f"> {line}" for line in _plain(item.quote).splitlines())
    address = (entry.link if entry and entry.link else item.url).translate(ADDRESS)
    title = _plain(" ".join((item.title or item.url).split()))
    return f"**[{item.id}]** [{title}]({address})\n\n{quote}{_bearing(entry) if entry else ''}"


def _heading(number: int, question: str) -> str:
    return f"## {number}. {_plain(' '.join(question.split()))}"


def _turn(turn: Told) -> str:
    """A question as it was written, how it was read, its answer, and the quotes of that."""
    blocks = [
        _heading(turn.number, turn.question),
        f"*Read as: {_plain(turn.meant)}*" if turn.meant else "",
        _plain(turn.answer) or f"No answer: {turn.status}.",
        *(_quoted(item, None) for item in turn.citations),
    ]
    return "\n\n".join(block for block in blocks if block)


def _bearing(entry: Entry) -> str:
    """When the page was seen, its own date, and what else there is to say of it, if there is."""
    said = [
        f"seen {entry.fetched:%Y-%m-%d %H:%M} UTC" if entry.fetched else "",
        f"dated {_plain(entry.dated)}" if entry.dated else "",
        f"agrees with {' '.join(f'[{id}]' for id in entry.agrees)}" if entry.agrees else "",
        f"conflicts with {' '.join(f'[{id}]' for id in entry.conflicts)}"
        if entry.conflicts
        else "",
        *(f"also on <{url.translate(ADDRESS)}>" for url in entry.also),
    ]
    line = " · ".join(each for each in said if each)
    return f"\n\n{line[0].upper()}{line[1:]}" if line else ""


def _table(table: Table) -> str:
    rows = [
        [" ".join([cell.text, *(f"[{id}]" for id in cell.cites)]) for cell in row]
        for row in table.rows
    ]
    lines = [_row(table.columns), "|" + " --- |" * len(table.columns), *map(_row, rows)]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    plain = (_plain(" ".join(cell.split())).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(plain)} |"


def _run(export: Export) -> Iterable[str]:
    used = export.spent
    yield f"Session {export.session}, {export.status}"
    yield f"Graph {export.graph} ({export.graph_hash[:12]}), model {export.model}"
    yield f"Limits {limits(export.budget)}; seed {export.seed}"
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


def _plain(text: str) -> str:
    """A page's text must stay text: no tags, no links, no images."""
    safe = escape(text, quote=False).replace("\\", "\\\\")
    return safe.replace("](", "]\\(").replace("![", "!\\[")
