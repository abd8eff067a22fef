"""Reads a PDF: its title, the text of its pages in order, and its links."""

import atexit
import re
from collections.abc import Iterable

from pydantic import BaseModel

from forager.adapters.web.reader_process import Reader, ReaderGoneError
from forager.domain import urls
from forager.domain.documents import Document, Link
from forager.errors import ContentError
from forager.text.unicode import TURNING

MAX_SECONDS = 30.0
CONTROL_CHARACTER = re.compile(f"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff{TURNING}]")
"""Includes PDFium's mark for a hyphen at the end of a line, so that the word is joined."""


class _PdfContents(BaseModel):
    """The unprocessed output of the PDF process; `read` of `of` pages were read."""

    title: str
    pages: list[str]
    links: list[str]
    read: int
    of: int


_reader = Reader(f"{__package__}.pdf_process")
atexit.register(_reader.close)


def read_pdf(body: bytes, url: str, seconds: float = MAX_SECONDS) -> Document:
    """Read a PDF, with a blank line between pages, within `seconds`.

    Raises ContentError if it is damaged or locked, or takes longer.
    """
    try:
        data = _reader.ask(body, seconds=min(seconds, MAX_SECONDS))
        found = _PdfContents.model_validate_json(data)
    except ContentError as error:
        raise ContentError(f"{url} is a PDF that cannot be read: {error.what}.") from error
    except ReaderGoneError as error:
        raise ContentError(
            f"{url} is a PDF that cannot be read: its reader crashed or took too long."
        ) from error
    text = "\n\n".join(filter(None, map(_clean_page, found.pages)))
    title = (
        " ".join(CONTROL_CHARACTER.sub("", found.title).split())
        or next((line for line in text.splitlines() if line.strip()), url.rpartition("/")[2])[:200]
    )
    note = "" if text else "The PDF holds no text, only images."
    if text and found.read < found.of:
        note = f"Only the first {found.read:,} of the PDF's {found.of:,} pages were read."
    return Document(
        url=url, title=title, text=text, links=_resolve_links(found.links, url), note=note
    )


def _clean_page(page: str) -> str:
    lines = (" ".join(line.split()) for line in CONTROL_CHARACTER.sub("", page).splitlines())
    return "\n".join(line for line in lines if line)


def _resolve_links(found: Iterable[str], url: str) -> tuple[Link, ...]:
    targets = (urls.resolve_link(url, address) for address in dict.fromkeys(found) if address)
    pages = dict.fromkeys(target for target in targets if target and target != url)
    return tuple(Link(id=number, url=target, text=target) for number, target in enumerate(pages, 1))
