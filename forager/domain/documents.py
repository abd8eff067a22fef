"""What is read: a document with its links and headings, and a document as it was opened."""

from forager.domain.base import Frozen
from forager.domain.survey import Form


class Link(Frozen):
    """A link of a page: its id in the page, absolute address, text, and the words around it."""

    id: int
    url: str
    text: str
    context: str = ""


class Heading(Frozen):
    """A heading and where its section starts in the document's text."""

    level: int
    text: str
    start: int


class Document(Frozen):
    """A page as read; `text` is Markdown in blocks: headings, lists, tables, code, plain inside."""

    url: str
    title: str = ""
    lang: str = ""
    text: str = ""
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    note: str = ""
    dated: str = ""
    forms: tuple[Form, ...] = ()


class OpenedPage(Frozen):
    """A document with the blob that keeps it, and when it was fetched (epoch, s).

    `cached` when it did not cross the network now.
    """

    document: Document
    blob: str
    cached: bool = False
    fetched: float = 0.0
