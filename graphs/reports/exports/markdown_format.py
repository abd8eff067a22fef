"""A session as Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Final

from graphs.reports.exports.document import Export
from graphs.reports.exports.markup import CONTROL_CHARACTERS, WEB
from graphs.reports.exports.report_blocks import (
    Block,
    Cells,
    Cite,
    Inline,
    Link,
    Span,
    report_blocks,
)

ADDRESS_ESCAPES: Final = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", '"': "%22"}
)
"""Characters that would end an address."""
MARKS: Final = re.compile(r"[*`~]|(?<!\w)_|_(?!\w)")
"""What a page's text would be set in italics, bold, or as code by."""
LINE_START: Final = re.compile(
    r"^(\s*)(?:(\d{1,9})([.)])(?=\s|$)|([-+#=])(?=\s|[-=#]|$)|(`|~)(?=\5\5))"
)
"""What would make a paragraph a list, a heading, a rule, or code."""


def as_markdown(export: Export) -> str:
    """The answer, its sources, and the other parts of the export, each under a heading."""
    blocks = list(report_blocks(export))
    text = _block(blocks[0])
    for before, after in pairwise(blocks):
        text += _between(before, after) + _block(after)
    return f"{text}\n"


def _between(before: Block, after: Block) -> str:
    """Items of a list stand close together; the blocks of a quote stay one quote."""
    if before.kind == after.kind == "item" and before.quoted == after.quoted:
        return "\n"
    return "\n>\n" if before.quoted and after.quoted else "\n\n"


def _block(block: Block) -> str:
    lines = list(_block_lines(block))
    return "\n".join(f"> {line}".rstrip() for line in lines) if block.quoted else "\n".join(lines)


def _block_lines(block: Block) -> Iterator[str]:
    content = "".join(_inlines(block.content))
    match block.kind:
        case "heading":
            yield f"{'#' * block.level} {_on_one_line(content)}"
        case "item":
            line = LINE_START.sub(_escape_start, _on_one_line(content))
            yield f"{'    ' * block.level}{block.mark} {line}"
        case "code":
            yield from _code_lines(block.text, block.mark)
        case "table":
            yield from _table_lines(block.rows)
        case _:
            yield from (LINE_START.sub(_escape_start, line) for line in content.splitlines())


def _escape_start(found: re.Match[str]) -> str:
    number = f"{found[2]}\\{found[3]}" if found[2] else f"\\{found[4] or found[5]}"
    return f"{found[1]}{number}"


def _code_lines(code: str, language: str) -> Iterator[str]:
    """Code between fences that are longer than any of its own."""
    text = code.translate(CONTROL_CHARACTERS)
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    yield from (f"{fence}{language}", *text.splitlines(), fence)


def _table_lines(rows: Sequence[Cells]) -> Iterator[str]:
    """The rows under their header, all of the same width; without a header a line for each."""
    if not rows[0]:
        lines = [LINE_START.sub(_escape_start, _bare_row(row)) for row in rows[1:]]
        yield from (f"{line}\\" for line in lines[:-1])
        yield from lines[-1:]
        return
    width = max(len(row) for row in rows)
    header, *others = ([*row, *[()] * (width - len(row))] for row in rows)
    yield _table_row(header)
    yield "|" + " --- |" * width
    yield from map(_table_row, others)


def _bare_row(cells: Iterable[Sequence[Inline]]) -> str:
    said = (_on_one_line("".join(_inlines(cell))) for cell in cells)
    return " · ".join(filter(None, said))


def _table_row(cells: Iterable[Sequence[Inline]]) -> str:
    plain = (_on_one_line("".join(_inlines(cell))).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(plain)} |"


def _inlines(content: Iterable[Inline]) -> Iterator[str]:
    """The pieces as Markdown. What follows a number never makes a link of it."""
    after_number = False
    for each in content:
        text, number = _inline(each), isinstance(each, Cite)
        yield f"\\{text}" if after_number and not number and text[:1] in ("(", ":", "[") else text
        after_number = number or (after_number and not text)


def _inline(piece: Inline) -> str:
    match piece:
        case Cite(number):
            return f"[{number}]"
        case Link(text, url):
            return _link(text, url)
        case Span(text, bold, italic, _, written):
            said = escape_markup(text)
            said = said if written else MARKS.sub(r"\\\g<0>", said)
            mark = "**" if bold else "*" if italic else ""
            inner = said.strip()
            return said.replace(inner, f"{mark}{inner}{mark}", 1) if inner and mark else said


def _link(text: str, url: str) -> str:
    title = MARKS.sub(r"\\\g<0>", escape_markup(text))
    title = re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", title)
    if not WEB.match(url):
        return title
    address = url.translate(CONTROL_CHARACTERS).translate(ADDRESS_ESCAPES)
    return f"<{address}>" if text == url else f"[{title}]({address})"


def escape_markup(text: str) -> str:
    """A page's text as plain text: no tags, links or images."""
    safe = escape(text.translate(CONTROL_CHARACTERS), quote=False).replace("\\", "\\\\")
    return safe.replace("](", "]\\(").replace("]:", "]\\:").replace("![", "!\\[")


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
