"""A quote with the text around it on its stored page."""

from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.settings import Settings
from forager.text.quotes import Span, verify_quote
from graphs.reports.answer_layout import Piece, QuoteBlock, quote_blocks
from graphs.reports.report import Report
from graphs.reports.stored_pages import StoredPage, open_blobs, read_stored_page
from graphs.reports.text_fragments import link_to_quote

MAX_CONTEXT_CHARACTERS = 420
"""On each side of a quote."""
CUT = "…"


class QuoteContext(Frozen):
    """A quote and the text before and after it; `share` (0 to 1) of the page lies before it.

    `link` shows the quote in a browser. `stands` is false where the page is no longer stored, or
    does not have the quote at its place. `blocks` are the lines of all three, the quote marked.
    """

    before: str = ""
    quote: str
    after: str = ""
    share: float = 0.0
    link: str
    stands: bool = False
    blocks: tuple[QuoteBlock, ...] = ()


def read_quote_context(report: Report, id: str, settings: Settings) -> QuoteContext:
    """The quote `id` of a report on its page. Raises UsageError for an unknown id, StoreError."""
    item = next((each for each in report.evidence if each.id == id), None)
    if item is None:
        raise UsageError(
            f"Session {report.session!r} has no quote {id!r}.", "The ids are in its ledger."
        )
    with open_blobs(settings) as blobs:
        page = read_stored_page(blobs, item.blob)
    if page is None or not verify_quote(page.text, item.start, item.end, item.quote):
        return QuoteContext(
            quote=item.quote,
            link=link_to_quote(item.url, item.quote, 0, len(item.quote)),
            blocks=tuple(quote_blocks(item.quote, [(0, len(item.quote))])),
        )
    return _context_around(page, item.url, item.start, item.end)


def _context_around(page: StoredPage, url: str, start: int, end: int) -> QuoteContext:
    text = page.text
    left, right = (
        max(0, start - MAX_CONTEXT_CHARACTERS),
        min(len(text), end + MAX_CONTEXT_CHARACTERS),
    )
    before, after = text[left:start], text[end:right]
    if left:
        before = f"{CUT}{_from_word(before)}"
    if right < len(text):
        after = f"{_from_word(after[::-1])[::-1]}{CUT}"
    return QuoteContext(
        before=before,
        quote=text[start:end],
        after=after,
        share=round(start / max(1, len(text)), 3),
        link=link_to_quote(url, text, start, end),
        stands=True,
        blocks=tuple(_lines_around(text, (start, end), before, after)),
    )


def _lines_around(text: str, quote: Span, before: str, after: str) -> list[QuoteBlock]:
    """The lines of a quote and of what stands around it, as they are on the whole page."""
    start, end = quote
    within = start - len(before.removeprefix(CUT)), end + len(after.removesuffix(CUT))
    blocks = list(quote_blocks(text, [quote], within))
    if before.startswith(CUT):
        first, *cells = blocks[0].cells
        blocks[0] = blocks[0]._replace(cells=((Piece(CUT), *first), *cells))
    if after.endswith(CUT):
        *cells, last = blocks[-1].cells
        blocks[-1] = blocks[-1]._replace(cells=(*cells, (*last, Piece(CUT))))
    return blocks


def _from_word(text: str) -> str:
    """Without the first word, which may be cut in two, if there is another."""
    _, space, rest = text.partition(" ")
    return rest if space and rest else text
