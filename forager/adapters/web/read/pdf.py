"""Reads a PDF: its title, its pages' text in order, its links."""

import io
import logging
import re
from collections.abc import Iterator

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from forager.domain import urls
from forager.domain.documents import Document, Link
from forager.errors import ContentError

CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
MAX_PAGES = 500
MAX_TEXT = 5_000_000


def read(body: bytes, url: str) -> Document:
    """The text of a PDF, a blank line between pages. Raises ContentError when broken or locked."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(body))
        pages = _pages(reader)
        title = _title(reader)
        links = _links(reader, url)
    except (
        PyPdfError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        RecursionError,
    ) as error:
        raise ContentError(f"{url} is a PDF that cannot be read: {error}.") from error
    text = "\n\n".join(pages)
    title = (
        title
        or next((line for line in text.splitlines() if line.strip()), url.rpartition("/")[2])[:200]
    )
    note = "" if text else "The PDF holds no text, only images."
    return Document(url=url, title=title, text=text, links=links, note=note)


def _title(reader: PdfReader) -> str:
    title = reader.metadata.title if reader.metadata else None
    return " ".join(CONTROL.sub("", title or "").split())


def _pages(reader: PdfReader) -> list[str]:
    pages: list[str] = []
    length = 0
    for number, page in enumerate(reader.pages):
        if number >= MAX_PAGES or length > MAX_TEXT:
            break
        shown = CONTROL.sub("", page.extract_text())
        lines = (" ".join(line.split()) for line in shown.splitlines())
        text = "\n".join(line for line in lines if line)
        length += len(text)
        pages.extend([text] if text else [])
    return pages


def _links(reader: PdfReader, url: str) -> tuple[Link, ...]:
    found = dict.fromkeys(target for target in _targets(reader) if target)
    pages = [
        target for target in (urls.resolve(url, href) for href in found) if target and target != url
    ]
    return tuple(
        Link(id=number, url=target, text=target)
        for number, target in enumerate(dict.fromkeys(pages), 1)
    )


def _targets(reader: PdfReader) -> Iterator[str]:
    for page in list(reader.pages)[:MAX_PAGES]:
        for note in page.get("/Annots") or []:
            action = note.get_object().get("/A")
            yield str((action.get_object() if action else {}).get("/URI") or "")
