"""From what was copied of a page to passages: where it stands, and under which heading."""

from forager.domain.documents import Document
from forager.domain.state import Page, Passage
from forager.text.quotes import Span, locate

LONGEST = 6000
"""Characters of a passage; whoever copies more was told to copy everything."""


def find_passage_span(text: str, quote: str) -> Span | None:
    """Where a quote stands, if it does and is no more than a passage."""
    span = locate(text, quote) if len(quote) <= LONGEST else None
    return span if span and span[1] - span[0] <= LONGEST else None


def strongest_passages(passages: tuple[Passage, ...], count: int) -> tuple[Passage, ...]:
    """So many of the passages that serve their parts best, in the page's order of finding."""
    order = sorted(passages, key=lambda passage: -max(passage.scores.values()))
    return tuple(passage for passage in passages if passage in order[:count])


def passages_overlap(one: Passage, other: Passage) -> bool:
    """Do two passages of one page share characters?"""
    return one.start < other.end and other.start < one.end


def make_passage(
    page: Page, document: Document, span: Span, scores: dict[str, float], under: str = ""
) -> Passage:
    """The characters of a span, as an entry of the ledger will have them."""
    start, end = span
    return Passage(
        url=page.url,
        title=page.title,
        blob=page.blob,
        start=start,
        end=end,
        text=document.text[start:end],
        part=max(scores, key=lambda part: scores[part]),
        section=under,
        dated=page.dated,
        fetched=page.fetched,
        scores=scores,
    )


def section_at(document: Document, offset: int) -> str:
    """The heading that an offset stands under."""
    before = [heading.text for heading in document.headings if heading.start <= offset]
    return before[-1] if before else ""
