"""Reading a page of markup."""

from forager.ports import Document
from forager.web.page import read

URL = "http://example.org/docs/page.html"


def html(source: str, url: str = URL) -> Document:
    """What is read of a page in UTF-8."""
    return read(source.encode(), "text/html; charset=utf-8", url)
