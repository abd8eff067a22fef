"""Reads a PDF: its title, the text of its pages in order, and its links."""

import atexit
import re
import threading
from collections.abc import Iterable

from pydantic import BaseModel

from forager.adapters.web.reader_process import ReaderGoneError, ReaderProcess
from forager.domain import urls
from forager.domain.documents import Document, Link
from forager.errors import ContentError

CONTROL_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
"""Includes PDFium's mark for a hyphen at the end of a line, so that the word is joined."""


class _PdfContents(BaseModel):
    """The unprocessed output of the PDF process; `read` of `of` pages were read."""

    title: str
    pages: list[str]
    links: list[str]
    read: int
    of: int


class _PdfReader:
    """The PDF process, started for the first PDF and again after a crash."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._helper: ReaderProcess | None = None
        atexit.register(self._stop_process)

    def read_contents(self, body: bytes) -> bytes:
        """Extract a PDF as JSON. Raises ContentError, and ReaderGoneError if the process dies."""
        with self._lock:
            if self._helper is None or not self._helper.is_running():
                self._stop_process()
                self._helper = ReaderProcess(f"{__package__}.pdf_process")
            try:
                return self._helper.ask(body)
            except ReaderGoneError:
                self._stop_process()
                raise

    def _stop_process(self) -> None:
        if self._helper is not None:
            self._helper.close()
            self._helper = None


_reader = _PdfReader()


def read_pdf(body: bytes, url: str) -> Document:
    """Read a PDF, with a blank line between pages. Raises ContentError if damaged or locked."""
    try:
        found = _PdfContents.model_validate_json(_reader.read_contents(body))
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
