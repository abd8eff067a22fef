"""A session as a Word document."""

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Cm, Length, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph

from graphs.reports.exports.csv_format import TEXT_DIRECTIVE
from graphs.reports.exports.document import Export
from graphs.reports.exports.markup import UNPRINTABLE, web_address
from graphs.reports.exports.report_blocks import (
    Block,
    Cells,
    Cite,
    Inline,
    Link,
    Span,
    read_emphasis,
    report_blocks,
)

TEXT_FONT: Final = "Calibri"
CODE_FONT: Final = "Consolas"
CODE: Final = "Code"
ADDRESS: Final = "Address"
NUMBER: Final = "Number"
"""Styles of what leads to a page, and to an entry of the sources."""
LINK_COLOUR: Final = "223A88"
QUOTE_INDENT: Final = Cm(0.8)
ITEM_INDENT: Final = Cm(0.6)
MAX_PROPERTY: Final = 255
"""Characters that a property of a document may have."""


def as_docx(export: Export) -> bytes:
    """The same blocks as in Markdown, with numbers that lead to the entries of the sources."""
    made = docx.Document()
    _set_properties(made, export)
    _set_styles(made)
    writer = _Writer(made)
    for block in report_blocks(export):
        writer.write(block)
    body = io.BytesIO()
    made.save(body)
    return body.getvalue()


def _set_properties(made: Document, export: Export) -> None:
    known = made.core_properties
    known.title = _plain(export.title)[:MAX_PROPERTY]
    known.subject = export.standing
    known.author = known.last_modified_by = "Forager"
    known.comments = f"Session {export.session}"[:MAX_PROPERTY]
    known.created = known.modified = export.asked or datetime.now(UTC)


def _set_styles(made: Document) -> None:
    """Plain fonts in dark ink, and a style for code."""
    for name, size in (("Normal", 11), ("Heading 1", 18), ("Heading 2", 13), ("Heading 3", 11)):
        style: ParagraphStyle = made.styles[name]
        _set_font(style, TEXT_FONT)
        style.font.size = Pt(size)
        style.font.color.rgb = RGBColor(0x11, 0x11, 0x11)
        style.paragraph_format.space_after = Pt(6 if name == "Normal" else 4)
    quote = made.styles["Quote"]
    quote.font.italic = False
    quote.font.color.rgb = RGBColor(0x33, 0x33, 0x33)
    quote.paragraph_format.left_indent = QUOTE_INDENT
    code = made.styles.add_style(CODE, WD_STYLE_TYPE.PARAGRAPH)
    code.base_style = made.styles["Normal"]
    _set_font(code, CODE_FONT)
    code.font.size = Pt(9)
    for name in (ADDRESS, NUMBER):
        link = made.styles.add_style(name, WD_STYLE_TYPE.CHARACTER)
        link.font.color.rgb = RGBColor.from_string(LINK_COLOUR)
        link.font.underline = name == ADDRESS
    for section in made.sections:
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(2.2)
        section.top_margin = section.bottom_margin = Cm(2)


def _set_font(style: ParagraphStyle, font: str) -> None:
    """The font of Latin text; that of other scripts stays the reader's own."""
    style.font.name = font
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for name in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{name}"), None)


class _Writer:
    """Writes blocks at the end of a document."""

    def __init__(self, made: Document) -> None:
        self._made = made
        self._marks = 0

    def write(self, block: Block) -> None:
        if block.kind == "table":
            self._write_table(block.rows)
            return
        if block.kind == "item":
            paragraph = self._add_item(block)
        else:
            styles = {"heading": f"Heading {block.level}", "code": CODE}
            usual = "Quote" if block.quoted else "Normal"
            paragraph = self._made.add_paragraph(style=styles.get(block.kind, usual))
        if block.kind == "code" and block.quoted:
            paragraph.paragraph_format.left_indent = QUOTE_INDENT
        if block.anchor:
            self._bookmark(paragraph, block.anchor)
            paragraph.paragraph_format.keep_with_next = True
        self._write_content(paragraph, block.content)

    def _add_item(self, block: Block) -> Paragraph:
        """A bullet; a number stays the one that the text has."""
        paragraph = self._made.add_paragraph(style="List Bullet" if block.mark == "-" else "Normal")
        form = paragraph.paragraph_format
        if block.mark != "-":
            indent = Length(QUOTE_INDENT + ITEM_INDENT * block.level)
            form.left_indent, form.first_line_indent = indent, Length(-QUOTE_INDENT)
            form.tab_stops.add_tab_stop(indent)
            paragraph.add_run(f"{block.mark}\t")
        elif block.level or block.quoted:
            deeper = ITEM_INDENT * (block.level + 1) + QUOTE_INDENT * block.quoted
            form.left_indent = Length(deeper)
        return paragraph

    def _write_table(self, rows: tuple[Cells, ...]) -> None:
        """A grid, whose header is repeated on each page."""
        header, *others = rows
        shown = [header, *others] if header else others
        width = max(map(len, shown))
        table = self._made.add_table(rows=len(shown), cols=width)
        table.style = "Table Grid"
        # `Table.cell` would walk over all rows for each
        for place, (line, row) in enumerate(zip(table._tbl.tr_lst, shown, strict=True)):
            for cell, content in zip(line.tc_lst, row, strict=False):
                bold = place == 0 and bool(header)
                self._write_content(Paragraph(cell.p_lst[0], table), content, bold=bold)
        if header:
            properties = table._tbl.tr_lst[0].get_or_add_trPr()
            properties.append(_element("tblHeader", val="true"))
        self._made.add_paragraph(style="Normal").paragraph_format.space_after = 0

    def _write_content(
        self, paragraph: Paragraph, content: Iterable[Inline], *, bold: bool = False
    ) -> None:
        for piece in content:
            match piece:
                case Cite(number, anchor):
                    self._link(paragraph, f"[{number}]", anchor=anchor)
                case Link(text, url):
                    if address := web_address(url):
                        self._link(paragraph, text, address=address)
                        self._write_address(paragraph, text, url)
                    else:
                        paragraph.add_run(_plain(text))
                case Span():
                    for span in read_emphasis(piece):
                        self._write_span(paragraph, span, bold=bold)

    def _write_address(self, paragraph: Paragraph, text: str, url: str) -> None:
        """The address as it is read on paper, below the text that leads to it."""
        shown = url.partition(TEXT_DIRECTIVE)[0]
        if text != shown:
            run = paragraph.add_run(f"\n{_plain(shown)}")
            run.font.size = Pt(9)

    def _write_span(self, paragraph: Paragraph, span: Span, *, bold: bool) -> None:
        if not span.text:
            return
        run = paragraph.add_run(_plain(span.text))
        if span.bold or bold:
            run.bold = True
        if span.italic:
            run.italic = True
        if span.code:
            run.font.name = CODE_FONT

    def _bookmark(self, paragraph: Paragraph, anchor: str) -> None:
        self._marks += 1
        start = _element("bookmarkStart", id=str(self._marks), name=bookmark(anchor))
        paragraph._p.append(start)
        paragraph._p.append(_element("bookmarkEnd", id=str(self._marks)))

    def _link(
        self, paragraph: Paragraph, text: str, *, anchor: str = "", address: str = ""
    ) -> None:
        link = _element("hyperlink", **({"anchor": bookmark(anchor)} if anchor else {}))
        if address:
            id = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            link.set(qn("r:id"), id)
        run = paragraph.add_run(_plain(text))
        style = _element("rStyle", val=ADDRESS if address else NUMBER)
        run._r.get_or_add_rPr().append(style)
        link.append(run._r)
        paragraph._p.append(link)


def bookmark(anchor: str) -> str:
    """The name of an anchor in Word, which knows letters, digits and underscores."""
    return anchor.replace("-", "_")


def _element(tag: str, /, **attributes: str) -> BaseOxmlElement:
    made = OxmlElement(f"w:{tag}")
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), value)
    return made


def _plain(text: str) -> str:
    """The text without what XML forbids; other line ends become line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(UNPRINTABLE)
