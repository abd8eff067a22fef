"""The content of an answer with linked marks, and what is compared of a content that comes back."""

import re
from collections.abc import Sequence

from graphs.reports.report import Report, split_citations
from ui.server.chat.chat_bodies import Annotation, UrlCitation

MARK = re.compile(r"\[\[\d+\]\]\(\S*?\)")
"""A linked mark in a content."""
BRACKETS = re.compile(r"\[[^\[\]]*\]")
NO_ANSWER = "No answer was found."


def write_content(report: Report) -> tuple[str, list[Annotation]]:
    """The answer of a report as content, and the citations behind its marks."""
    content, notes = "", []
    for piece in split_citations(report.answer or report.reason or NO_ANSWER, report.citations):
        if isinstance(piece, str):
            content += piece
            continue
        quote = report.citations[piece - 1]
        mark = f"[[{piece}]]({_linkable(quote.url)})"
        citation = UrlCitation(
            start_index=len(content),
            end_index=len(content) + len(mark),
            url=quote.url,
            title=quote.title,
            quote=quote.quote,
        )
        notes.append(Annotation(url_citation=citation))
        content += mark
    return content, notes


def _linkable(url: str) -> str:
    """An address that ends where its link in Markdown ends."""
    return url.replace("(", "%28").replace(")", "%29").replace(" ", "%20")


def comparable(text: str) -> str:
    """A text without marks, citations and spaces: the same for an answer and its content."""
    return "".join(BRACKETS.sub("", MARK.sub("", text)).split())


def split_content(content: str) -> Sequence[str]:
    """The content in the pieces in which it is streamed: its lines."""
    return content.splitlines(keepends=True)
