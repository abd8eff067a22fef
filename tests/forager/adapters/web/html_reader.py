"""Reads HTML in tests."""

from forager.adapters.web.read.page_reader import read_page
from forager.domain.documents import Document

URL = "http://example.org/docs/page.html"


def read_html(source: str, url: str = URL) -> Document:
    """Read a page in UTF-8."""
    return read_page(source.encode(), "text/html; charset=utf-8", url)
