"""Markdown blocks: headings, list items, table rows, code, paragraphs, with plain text inside."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from forager.domain import urls
from forager.domain.documents import Heading, Link, Term

MAX_CONTEXT = 160
MAX_MISSES = 50
"""After this many link texts that a block does not contain, the others are sought nearby only."""
NEARBY = 2_000
MAX_LINKS = 20_000
"""The most links that are kept of a page; what follows is text alone. Each takes 0.1 ms."""
SENTENCE_ENDS = (". ", "? ", "! ", "。")
BACKTICKS = re.compile(r"`{3,}")
TIGHT_PAIRS = frozenset({("item", "item"), ("row", "row"), ("term", "term"), ("term", "meaning")})
BlockKind = Literal["text", "heading", "item", "row", "code", "term", "meaning"]


@dataclass(slots=True)
class Block:
    """A block; `level` is that of a heading or list, `links` are pairs of href and text.

    `term` is what the definition list defines in which it stands.
    """

    kind: BlockKind
    text: str
    level: int = 0
    links: list[tuple[str, str]] = field(default_factory=list)
    term: str = ""

    def to_markdown(self) -> str:
        if self.kind == "heading":
            return f"{'#' * self.level} {self.text}"
        if self.kind == "item":
            return f"{'  ' * (self.level - 1)}- {self.text}"
        if self.kind == "code":
            fence = "`" * max([3, *(len(ticks) + 1 for ticks in BACKTICKS.findall(self.text))])
            return f"{fence}\n{self.text}\n{fence}"
        return self.text


class AssembledText(NamedTuple):
    """The text of blocks, and what stands where in it."""

    text: str
    headings: tuple[Heading, ...]
    terms: tuple[Term, ...]


def assemble_text(blocks: Iterable[Block]) -> AssembledText:
    """Join blocks into a text; finds its headings and terms, with their offsets."""
    pieces: list[str] = []
    headings: list[Heading] = []
    terms: list[Term] = []
    length, before, term = 0, "", ""
    for block in blocks:
        if not block.text:
            continue
        gap = "" if not pieces else "\n" if (before, block.kind) in TIGHT_PAIRS else "\n\n"
        if block.kind == "heading":
            headings.append(Heading(level=block.level, text=block.text, start=length + len(gap)))
        if block.term != term:
            term = block.term
            terms.append(Term(text=term, start=length + len(gap)))
        piece = gap + block.to_markdown()
        pieces.append(piece)
        length += len(piece)
        before = block.kind
    return AssembledText("".join(pieces), tuple(headings), tuple(terms))


def locate_links(block: Block) -> list[int]:
    """Where the text of each link begins in the block, in document order; -1 if it is not there.

    The time is linear in the text and the number of links.
    """
    places: list[int] = []
    cursor = misses = 0
    for _, text in block.links:
        end = len(block.text) if misses < MAX_MISSES else cursor + NEARBY + len(text)
        at = block.text.find(text, cursor, end) if text else -1
        misses += at < 0
        cursor = max(cursor, at + len(text))
        places.append(at)
    return places


def number_links(blocks: Iterable[Block], base: str, here: str) -> tuple[Link, ...]:
    """Collect the links of all blocks, with absolute URLs, numbered from 1.

    `base` resolves relative links; `here` is the page's own URL. Each pair of URL and text appears
    once, and a link without text only if no other link has its URL. Links to the page itself and
    to files are left out, and so is what follows `MAX_LINKS`.
    """
    found: dict[tuple[str, str], Link] = {}
    addresses: dict[str, str] = {}
    linked: set[str] = set()
    heading = ""
    for block in blocks:
        if block.kind == "heading":
            heading = block.text
        if not block.links:
            continue
        for (href, text), at in zip(block.links, locate_links(block), strict=True):
            if len(found) >= MAX_LINKS:
                return tuple(found.values())
            path = href.partition("#")[0]
            url = addresses.get(path)
            if url is None:
                url = addresses[path] = _resolve_page(base, path)
            if url in ("", here) or (url, text) in found or (not text and url in linked):
                continue
            linked.add(url)
            words = text or url.rstrip("/").rpartition("/")[2]
            context = (
                _surrounding_sentence(block.text, at, len(text))
                if at >= 0 and block.text != text
                else heading[:MAX_CONTEXT]
            )
            found[url, text] = Link(id=len(found) + 1, url=url, text=words, context=context)
    return tuple(found.values())


def _resolve_page(base: str, href: str) -> str:
    url = urls.resolve_link(base, href)
    return url if url and urls.looks_like_page(url) else ""


def _surrounding_sentence(text: str, at: int, length: int) -> str:
    """The sentence around text[at:at+length], at most MAX_CONTEXT characters."""
    last = at + length
    before, after = max(0, at - MAX_CONTEXT), last + MAX_CONTEXT  # farther ends change nothing
    start = max(text.rfind(mark, before, at) + 1 for mark in SENTENCE_ENDS)
    found = (text.find(mark, last, after) for mark in SENTENCE_ENDS)
    end = min((place + 1 for place in found if place >= 0), default=len(text))
    if end - start > MAX_CONTEXT:
        start = max(start, min(at - (MAX_CONTEXT - length) // 2, end - MAX_CONTEXT))
        end = start + MAX_CONTEXT
    return text[start:end].strip()
