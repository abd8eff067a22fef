"""The documents of pages that were opened, and their units for a prompt that shows only some.

A document that is not stored any more is fetched anew.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from forager.budget import current_meter
from forager.domain.documents import ASKS_FOR_LOGIN, Document
from forager.domain.state import Evidence, Page, SubQuestion
from forager.domain.urls import page_identity
from forager.errors import MissingBlobError, WebError
from forager.ports import Matcher, Ports
from forager.prompts.injections import find_left_out, without_orders
from forager.prompts.sections import Item
from forager.questions.repetition import names_subject, repeats_question
from forager.ranking import scoring
from forager.ranking.index import Index, Source, build_index
from forager.text.languages import page_language
from forager.text.page_words import WALL

NEIGHBOUR_SHARE = 0.95
"""The share of its relevance that a unit passes on to its neighbours."""
BULLET = re.compile(r"\s*[-*+] ")
FETCHED_ANEW = "{url} was not stored any more and was fetched anew"


class LoadedPage(NamedTuple):
    """A page and its document."""

    page: Page
    document: Document


async def load_page(page: Page, ports: Ports) -> LoadedPage:
    """The page with its document; where that is missing, both as they are now, with a warning.

    Raises WebError and StoreError.
    """
    try:
        return LoadedPage(page, Document.model_validate_json(ports.blobs.get(page.blob)))
    except MissingBlobError:
        opened = await ports.web.open(page.url)
        await current_meter().warn(f"{FETCHED_ANEW.format(url=page.url)}.")
        return LoadedPage(page.model_copy(update={"blob": opened.blob}), opened.document)


async def load_documents(pages: Iterable[Page], ports: Ports) -> list[Document]:
    """The documents of the pages, in their order. Raises WebError and StoreError."""
    return [(await load_page(page, ports)).document for page in pages]


async def restore_quoted_pages(ledger: Iterable[Evidence], ports: Ports) -> tuple[str, ...]:
    """Fetch pages with quotes of the ledger that are not stored any more; warnings that say so.

    A page that has changed since, or is gone, is not restored. Raises StoreError.
    """
    quoted = {item.passage.blob: item.passage.url for item in ledger if not item.dropped}
    lost = await asyncio.to_thread(ports.blobs.find_missing, quoted)
    return tuple([await _restore_page(quoted[blob], blob, ports) for blob in sorted(lost)])


async def _restore_page(url: str, blob: str, ports: Ports) -> str:
    try:
        same = (await ports.web.open(url)).blob == blob
    except WebError as error:
        return f"{url} was not stored any more and could not be fetched anew: {error.what}"
    changed = "" if same else "; it has changed since it was quoted"
    return f"{FETCHED_ANEW.format(url=url)}{changed}."


def index_page(document: Document, matcher: Matcher | None = None) -> Index:
    """The index of a single page."""
    language = page_language(document.lang, document.text)
    page = Source(
        document.url, document.title, document.text, document.sections(), language=language
    )
    return build_index([page], matcher)


def drop_orders(document: Document) -> Document:
    """The page with blanks in place of what speaks to the tools that read it; offsets stay.

    Its title, headings and terms lose it, too.
    """
    headings, terms = (
        tuple(each.model_copy(update={"text": without_orders(each.text).strip()}) for each in named)
        for named in (document.headings, document.terms)
    )
    title, text = without_orders(document.title).strip(), without_orders(document.text)
    update = {"title": title, "headings": headings, "terms": terms, "text": text}
    return document.model_copy(update=update)


def drop_repeats(document: Document, asked: Iterable[str]) -> Document:
    """The page with blanks in place of links to other pages that ask or name what is asked.

    They say where an answer may be, and nothing else. Offsets stay, and so do links within a line.
    """
    here, questions = page_identity(document.url), tuple(asked)
    repeats = {
        _without_end_marks(said)
        for said in {link.text for link in document.links if page_identity(link.url) != here}
        if any(repeats_question(said, each) or names_subject(said, each) for each in questions)
    } - {""}
    lengths = sorted({len(said) for said in repeats}, reverse=True)
    lines = [_blank_end(line, repeats, lengths) for line in document.text.split("\n")]
    return document.model_copy(update={"text": "\n".join(lines)})


def _blank_end(line: str, repeats: Collection[str], lengths: Sequence[int]) -> str:
    """A line with blanks in place of a text at its end, and of a bullet before it."""
    words = _without_end_marks(line)
    size = next((each for each in lengths if words[-each:] in repeats), 0)
    if not size:
        return line
    before = words[:-size]
    kept = "" if BULLET.fullmatch(before) else before
    return kept + " " * (len(line) - len(kept))


def _without_end_marks(text: str) -> str:
    """The text up to its last letter or digit."""
    end = len(text)
    while end and not (text[end - 1].isalnum() or text[end - 1] == "_"):
        end -= 1
    return text[:end]


def drop_walls(document: Document) -> Document:
    """A page that asks for a login, with blanks in place of the lines that do; offsets stay."""
    if document.note != ASKS_FOR_LOGIN:
        return document
    lines = document.text.split("\n")
    kept = (" " * len(line) if WALL.search(line) else line for line in lines)
    return document.model_copy(update={"text": "\n".join(kept)})


async def warn_of_orders(page: Page, document: Document, honest: Document) -> Page:
    """Warn of the first order that `drop_orders` left out; the page, its title without orders."""
    title = without_orders(page.title)
    order = find_left_out(page.title, title) or find_left_out(document.text, honest.text)
    if not order:
        return page
    told = f"text that speaks to the reader's tools is no evidence: “{order}”"
    await current_meter().warn(f"{page.url}: {told}")
    return page.model_copy(update={"title": title.strip()})


def text_items(document: Document, parts: Sequence[SubQuestion]) -> tuple[Item, ...]:
    """The units of the page, each as relevant as itself or nearly as its best neighbour.

    Words alone decide: embeddings would only reorder the best few, which fit anyway.
    """
    index = index_page(document)
    if not index.size:
        return (Item(text=document.text),) if document.text else ()
    scored = [scoring.lexical_scores(index, part) for part in parts]
    worth = np.max(scored, axis=0)
    near = [np.roll(worth, step) * NEIGHBOUR_SHARE for step in (-1, 1, 2)]
    worth = np.max([worth, *near], axis=0)
    bounds = [0, *(int(start) for start in index.start[1:]), len(document.text)]
    return tuple(
        Item(text=document.text[start:end], relevance=float(value))
        for (start, end), value in zip(pairwise(bounds), worth, strict=True)
    )
