"""The process that reads PDFs with PDFium, whose native code a hostile file may crash or hang.

Its output is not cleaned. Its memory is limited.
"""

import ctypes
import json
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice

import pypdfium2
from pypdfium2 import raw

from forager.adapters.web.reader_process import serve_requests
from forager.errors import ContentError

if sys.platform != "win32":
    import resource

MAX_PAGES = 500
MAX_TEXT = 5_000_000
MAX_LINKS = 20_000
MAX_ADDRESS = 2_000
MAX_MEMORY = 1 << 30
BEYOND_PAGE = 1e6
"""Beyond the edges of any page."""


def extract_pdf(body: bytes) -> bytes:
    """Extract title, texts of pages, link targets and page counts as JSON. Raises ContentError."""
    try:
        with pypdfium2.PdfDocument(body) as document:
            data = _extract_pages(document)
    except pypdfium2.PdfiumError as error:
        locked = error.err_code == raw.FPDF_ERR_PASSWORD
        raise ContentError("it is locked with a password" if locked else "it is damaged") from error
    return json.dumps(data).encode()


def _extract_pages(document: pypdfium2.PdfDocument) -> dict[str, object]:
    count = len(document)
    pages: list[str] = []
    links: list[str] = []
    length = last = 0
    for number in range(min(count, MAX_PAGES)):
        if length > MAX_TEXT:
            break
        with suppress(pypdfium2.PdfiumError), closing(document[number]) as page:  # or it is damaged
            with closing(page.get_textpage()) as text:
                pages.append(_page_text(text))
            length += len(pages[-1])
            links += islice(_page_links(document, page), MAX_LINKS - len(links))
            last = number + 1
    if not last:
        raise ContentError("it has no page that can be read")
    return {
        "title": _document_title(document),
        "pages": pages,
        "links": links,
        "read": last,
        "of": count,
    }


def _page_text(page: pypdfium2.PdfTextPage) -> str:
    """The text of a page; get_text_range fails on some pages that begin with odd characters."""
    try:
        return str(page.get_text_range())
    except (RecursionError, ctypes.ArgumentError, AssertionError):
        return str(page.get_text_bounded(-BEYOND_PAGE, -BEYOND_PAGE, BEYOND_PAGE, BEYOND_PAGE))


def _document_title(document: pypdfium2.PdfDocument) -> str:
    try:
        return str(document.get_metadata_value("Title"))
    except UnicodeDecodeError:
        return ""


def _page_links(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> Iterator[str]:
    """Yield the targets of a page's links."""
    position, link = ctypes.c_int(), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page, position, link):
        action = raw.FPDFLink_GetAction(link)
        length = raw.FPDFAction_GetURIPath(document, action, None, 0) if action else 0
        if 1 < length <= MAX_ADDRESS:
            address = ctypes.create_string_buffer(length)
            raw.FPDFAction_GetURIPath(document, action, address, length)
            yield address.value.decode("utf-8", "replace")


def _limit_memory() -> None:
    """Limit the memory of this process, where the system supports it."""
    if sys.platform != "win32":
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    _limit_memory()
    serve_requests(extract_pdf)
