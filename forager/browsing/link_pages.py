"""Pages that are lists of links: contents, indexes."""

import re

from forager.domain.documents import Document

MIN_LINKS = 8
"""A page with fewer lines of links is no list of links."""
LINKED_SHARE = 0.9
"""The least share of its text (in characters, without headings) that is link text."""
SEPARATOR = re.compile(r"\s+[|·•/–—]\s+|[,;]\s+")
LEADING = re.compile(r"^(?:[-*+•◦▪]\s+|\(?[\dA-Za-z]{1,3}(?:\.\d+)*[.)]\s+|\d+(?:\.\d+)*\s+)+")


def is_link_list(page: Document) -> bool:
    """Is nearly all of the text of a page the text of its links?"""
    known = {_bare(link.text) for link in page.links if link.text.strip()}
    linked = total = count = 0
    for line in page.text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pieces = [line] if _bare(line) in known else SEPARATOR.split(line)
        for piece in pieces:
            total += len(piece)
            if _bare(piece) in known:
                linked += len(piece)
                count += 1
    return count >= MIN_LINKS and linked >= LINKED_SHARE * total


def _bare(text: str) -> str:
    """A text without a leading mark or number, in one spelling."""
    return " ".join(LEADING.sub("", text.strip()).split()).rstrip(":.").lower()
