"""Documents with their links and headings, and documents as they were fetched."""

from forager.domain.base import EpochSeconds, Frozen
from forager.domain.survey import Form

ASKS_FOR_LOGIN = "The page asks for a login."
"""The note of a page that shows little but a password field."""


class Link(Frozen):
    """A link of a page: its id on the page, absolute URL, text, and the words around it."""

    id: int
    url: str
    text: str
    context: str = ""


class Heading(Frozen):
    """A heading and the offset in the document's text at which its section starts."""

    level: int
    text: str
    start: int


class Term(Frozen):
    """What a definition list defines from an offset of the text on; empty where that ends."""

    text: str
    start: int


class Document(Frozen):
    """A page as text: Markdown blocks (headings, lists, tables, code) without inline markup.

    `twins` are the addresses of its translations.
    """

    url: str
    title: str = ""
    lang: str = ""
    text: str = ""
    headings: tuple[Heading, ...] = ()
    terms: tuple[Term, ...] = ()
    links: tuple[Link, ...] = ()
    note: str = ""
    dated: str = ""
    forms: tuple[Form, ...] = ()
    twins: tuple[str, ...] = ()

    def sections(self) -> tuple[tuple[int, str], ...]:
        """Where each section begins, and its heading; what a definition list says of a term is one,
        under the term."""
        begun = [(each.start, "", each.text) for each in self.headings]
        begun += [(each.start, each.text, "") for each in self.terms]
        found, heading = list[tuple[int, str]](), ""
        for start, term, opened in sorted(begun):
            heading = opened or heading
            found.append((start, term or heading))
        return tuple(found)


class OpenedPage(Frozen):
    """A document with the blob that holds it, and when it was fetched (epoch, s).

    `cached` tells that it came from the page cache without a request.
    """

    document: Document
    blob: str
    cached: bool = False
    fetched: EpochSeconds = 0.0
