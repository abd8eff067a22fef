"""Reads a page: turns a body and its content type into a Document. Nothing here fetches."""

import gc
import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from itertools import accumulate
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from charset_normalizer import CharsetMatch, from_bytes
from selectolax.lexbor import LexborHTMLParser
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

from forager.adapters.web.read import pdf
from forager.adapters.web.read.described import find_descriptions
from forager.adapters.web.read.hidden_text import prune_hidden, remove_noscript
from forager.adapters.web.read.html_walk import collect_blocks
from forager.adapters.web.read.markdown_blocks import Block, assemble_text, number_links
from forager.adapters.web.read.page_dates import find_page_date, find_text_date
from forager.adapters.web.read.page_forms import find_forms, find_gate
from forager.adapters.web.read.raised_text import write_scripts
from forager.adapters.web.reader_process import serve_requests
from forager.data.word_lists import match_words
from forager.domain import urls
from forager.domain.documents import ASKS_FOR_LOGIN, Document, Heading
from forager.domain.urls import same_site
from forager.errors import ContentError
from forager.ports import WITHOUT_SCRIPTS
from forager.text.page_words import MAX_LOGIN_TEXT, PAGE_WORDS, PAYWALL, WALL
from forager.text.unicode import TURNING, TURNING_CODES

SAMPLE_BYTES = 32_768
CANDIDATES = [
    "cp1252", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "koi8_r",
    "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874",
]  # fmt: skip
"""Common charsets on the web, most likely first."""
ONE_BYTE_CHARSETS = frozenset({"cp1252", "latin-1", "iso8859-1", "ascii", "us-ascii"})


def decode_body(body: bytes, content_type: str = "") -> str:
    """Decode a page; bytes that fit no charset become U+FFFD. Never fails."""
    mark, bom = read_bom(body)
    if mark is not None and bom is not None:
        return body[len(bom) :].decode(mark, "replace")
    if (text := _decode_strictly(body, "utf-8")) is not None and _is_utf8(body, text, content_type):
        return text
    for name in _declared_charsets(body, content_type):
        text = _decode_nearly_utf8(body) if name == "utf-8" else _decode_strictly(body, name)
        if text is not None:
            return text
    return _decode_by_detection(body)


def _declared_charsets(body: bytes, content_type: str) -> list[str]:
    header = http_content_type_encoding(content_type)
    names = (resolve_encoding(name) for name in (header, html_body_declared_encoding(body)) if name)
    return [name for name in names if name and name not in ("utf-16", "utf-32")]


def _is_utf8(body: bytes, text: str, content_type: str) -> bool:
    """Valid UTF-8 is UTF-8, unless a multi-byte charset was declared."""
    if len(text) != len(body):
        return all(
            name == "utf-8" or name in ONE_BYTE_CHARSETS
            for name in _declared_charsets(body, content_type)[:1]
        )
    return b"\x1b" not in body and b"~{" not in body


def _decode_strictly(body: bytes, name: str) -> str | None:
    try:
        return body.decode(name)
    except (UnicodeError, LookupError):
        return None


def _decode_nearly_utf8(body: bytes) -> str | None:
    """Decode UTF-8 with a few broken bytes; None if there are too many."""
    text = body.decode("utf-8", "replace")
    return text if text.count("\ufffd") <= 1 + len(text) // 2000 else None


def _decode_by_detection(body: bytes) -> str:
    if (text := _decode_nearly_utf8(body)) is not None:
        return text
    found = from_bytes(body[:SAMPLE_BYTES], cp_isolation=CANDIDATES)
    best = min(found, key=_rank_match).encoding if found else CANDIDATES[0]
    return body.decode(best, "replace")


def _rank_match(match: CharsetMatch) -> tuple[float, float, int]:
    return match.chaos, -match.coherence, CANDIDATES.index(match.encoding)


VERSION = 12
"""Increased when the same bytes give a different document, so that cached pages are read again."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/xml", "text/xml"})
PDF_TYPES = frozenset({"application/pdf", "application/x-pdf"})
UNKNOWN_TYPES = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/unknown"}
)
MARKUP = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|\?xml|!--|title|h1|p|div|frameset)", re.I
)
REFRESH = re.compile(r"url\s*=\s*['\"]?([^'\"]+)", re.I)
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
NOSCRIPT = re.compile(r"<noscript\b", re.I)
CONTROL_CHARACTER = re.compile(f"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f{TURNING}]")
CONTROL_REFERENCE = re.compile(
    rf"&#(?:0*(?:[1-8]|1[4-9]|2\d|3[01]|127|{'|'.join(map(str, TURNING_CODES))})(?!\d)"
    rf"|x0*(?:[1-8ef]|1[\da-f]|7f|{'|'.join(f'{code:x}' for code in TURNING_CODES)})(?![\da-f]));?",
    re.I,
)
"""References to control characters; those from 128 to 159 mean other characters."""
MARKDOWN_HEADING = re.compile(r"^(#{1,6}) +(.+?) *#* *$", re.M)
NESTING = re.compile(
    r"<(/?)(?:address|article|aside|b|big|blockquote|button|center|code|details|dialog|dir|div|dl"
    r"|em|fieldset|figcaption|figure|font|footer|form|h[1-6]|header|hgroup|i|main|menu|nav|ol|pre"
    r"|optgroup|rb|rp|rt|rtc|s|section|small|strike|strong|summary|table|tt|u|ul)\b"
)
"""Tags, in lower case, of elements whose nesting makes parsing slow: time grows with the square of
the depth."""
SECTION_END = Block("heading", "")
"""Ends the last section, so that a menu after it is not part of it."""
NOT_NESTING = ("</", "<span", "<a ")
"""Starts of most tags that open no such element; the rest are at least as many as the depth."""
MIN_CHECKED_TAGS = 10_000
MAX_DEPTH = 5_000
MAX_WALL_TEXT = 600
LOGIN = re.compile(match_words(PAGE_WORDS.login), re.I)
MAX_TWINS = 50
MAX_WAITING_TEXT = 300
MAX_SHELL_TEXT = 3000
MOUNTS = "#root,#app,#application,#__next,#__nuxt,#svelte,app-root,[ng-app],[data-reactroot]"
"""Elements that frameworks fill in."""
WAITING = re.compile(
    r"\b(?:java ?script|loading|please wait)\b|wird geladen|chargement|cargando|caricamento"
    r"|carregando|загрузка|加载|載入|読み込み",
    re.I,
)
"""What a page says until scripts have filled it in, or where they do not run."""
IGNORED_SUFFIX = re.compile(r"[?&].*|/index\.\w+$|/$")


def is_readable(content_type: str) -> bool:
    """Can a body of this content type be read as a document?"""
    kind = media_type(content_type)
    return kind.startswith("text/") or kind in HTML_TYPES | PDF_TYPES | UNKNOWN_TYPES


def media_type(content_type: str) -> str:
    """The content type without parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def is_pdf(body: bytes, content_type: str) -> bool:
    """Is it a PDF, by its content type or its first bytes?"""
    return media_type(content_type) in PDF_TYPES or body.startswith(b"%PDF-")


def read_page(
    body: bytes, content_type: str, url: str, seconds: float = pdf.MAX_SECONDS
) -> Document:
    """Read a body fetched from `url`, a PDF within `seconds`.

    Raises ContentError if it has no readable text.
    """
    kind = media_type(content_type)
    url = urls.canonical_url(url)
    if is_pdf(body, kind):
        return _add_date(pdf.read_pdf(body, url, seconds))
    if kind in HTML_TYPES or MARKUP.match(body[:512]):
        return _read_html(CONTROL_REFERENCE.sub("", _decode_text(body, content_type)), url)
    if not kind.startswith("text/") and (kind not in UNKNOWN_TYPES or b"\0" in body[:4096]):
        raise ContentError(f"{url} is {kind or 'a binary file'}, which holds no readable text.")
    return _read_plain_text(_decode_text(body, content_type), url, kind)


def _decode_text(body: bytes, content_type: str) -> str:
    """Decode a body and remove what could steer a terminal or turn the order of its text."""
    return CONTROL_CHARACTER.sub("", decode_body(body, content_type))


def _read_html(source: str, url: str) -> Document:
    _check_nesting(source, url)
    if not NOSCRIPT.search(source):
        return _read_visible(source, url)
    document = _read_visible(remove_noscript(source), url)
    return document if document.text else _read_visible(source, url)


def _read_visible(source: str, url: str) -> Document:
    tree = LexborHTMLParser(source)
    base = tree.css_first("base[href]")
    here = urls.resolve_link(url, (base.attributes.get("href") or "") if base else "") or url
    asking = find_forms(tree)
    unseen = Block("text", "", links=[(href, "") for href in prune_hidden(tree)])
    write_scripts(tree, source)
    main, chrome = (
        collect_blocks(tree.root, PurePosixPath(urlsplit(url).path).name, find_descriptions(tree))
        if tree.root
        else ([], [])
    )
    parts = [*main, *_refresh_links(tree), SECTION_END, *chrome, SECTION_END, unseen]
    text, headings, terms = assemble_text(parts)
    canonical = _canonical_url(tree, url)
    return Document(
        url=canonical,
        title=_find_title(tree, headings, url),
        lang=_find_language(tree),
        text=text,
        headings=headings,
        terms=terms,
        links=number_links(parts, here, canonical),
        note=_explain_missing_text(tree, text),
        dated=find_page_date(
            tree,
            _join_words(block for block in main if block.kind != "item"),
            _join_words(chrome),
            _today(),
        ),
        forms=asking or find_gate(tree, text),
        twins=_find_twins(tree, here, canonical),
    )


def _join_words(blocks: Iterable[Block]) -> str:
    """The text of blocks, without code."""
    return "\n".join(block.text for block in blocks if block.kind != "code")


def _today() -> date:
    return datetime.now(UTC).date()


def _check_nesting(source: str, url: str) -> None:
    """Raise ContentError if elements nest so deep that parsing takes minutes."""
    tags = source.count("<")
    if tags <= MIN_CHECKED_TAGS or tags - sum(map(source.count, NOT_NESTING)) <= MAX_DEPTH:
        return
    steps = (-1 if closing else 1 for closing in NESTING.findall(source.lower()))
    deepest = max(accumulate(steps), default=0)
    if deepest > MAX_DEPTH:
        raise ContentError(f"{url} nests its elements {deepest:,} deep, too deep for a page.")


def _canonical_url(tree: LexborHTMLParser, url: str) -> str:
    """The page's canonical URL, if it differs only in parameters or an index file; else `url`."""
    link = tree.css_first("link[rel=canonical][href]")
    named = urls.resolve_link(url, link.attributes.get("href") or "") if link else None
    same = (
        named
        and same_site(url, named)
        and IGNORED_SUFFIX.sub("", named) == IGNORED_SUFFIX.sub("", url)
    )
    return named if named and same else url


def _find_twins(tree: LexborHTMLParser, here: str, url: str) -> tuple[str, ...]:
    """The addresses of the page in other languages, as its `hreflang` links name them."""
    links = tree.css("link[rel~=alternate][hreflang][href]")
    found = (urls.resolve_link(here, link.attributes.get("href") or "") for link in links)
    return tuple(dict.fromkeys(twin for twin in found if twin and twin != url))[:MAX_TWINS]


def _find_title(tree: LexborHTMLParser, headings: tuple[Heading, ...], url: str) -> str:
    titles = (title for title in tree.css("title") if title.parent and title.parent.tag != "svg")
    title = next(titles, None)
    words = " ".join(title.text().split()) if title else ""
    return words or (headings[0].text if headings else "") or _name_from_url(url)


def _name_from_url(url: str) -> str:
    return unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2]) or urlsplit(url).netloc


def _find_language(tree: LexborHTMLParser) -> str:
    for node in (tree.css_first("html"), tree.body):
        attributes = node.attributes if node else {}
        lang = (attributes.get("lang") or attributes.get("xml:lang") or "").strip()
        if LANGUAGE.fullmatch(lang):
            return lang
    return ""


def _refresh_links(tree: LexborHTMLParser) -> list[Block]:
    found = []
    for meta in tree.css("meta[http-equiv][content]"):
        attributes = meta.attributes
        target = REFRESH.search(attributes.get("content") or "")
        if target and (attributes.get("http-equiv") or "").lower() == "refresh":
            found.append(Block("text", "", links=[(target[1].strip(), "")]))
    return found


def _explain_missing_text(tree: LexborHTMLParser, text: str) -> str:
    if len(text) < MAX_LOGIN_TEXT and tree.css_first("input[type=password]") is not None:
        return ASKS_FOR_LOGIN
    if len(text) < MAX_WALL_TEXT and (
        PAYWALL.search(text) or (WALL.search(text) and _links_to_login(tree))
    ):
        return ASKS_FOR_LOGIN
    if tree.css_first("script") is None:
        return "" if text else "The page holds no text."
    return WITHOUT_SCRIPTS if not text or _is_shell(tree, text) else ""


def _links_to_login(tree: LexborHTMLParser) -> bool:
    links = ((node.attributes.get("href") or "", node.text()) for node in tree.css("a[href]"))
    return any(LOGIN.search(unquote(href)) or LOGIN.search(text) for href, text in links)


def _is_shell(tree: LexborHTMLParser, text: str) -> bool:
    """Do scripts fill in the text? It stands in for it, or an element for it is empty."""
    if len(text) < MAX_WAITING_TEXT and WAITING.search(text):
        return True
    mounts = tree.css(MOUNTS) if len(text) < MAX_SHELL_TEXT else []
    return any(not node.text().strip() for node in mounts)


def _read_plain_text(text: str, url: str, kind: str) -> Document:
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    headings: tuple[Heading, ...] = ()
    if kind == "text/markdown" or url.endswith((".md", ".markdown")):
        headings = tuple(
            Heading(level=len(found[1]), text=found[2], start=found.start())
            for found in MARKDOWN_HEADING.finditer(text)
        )
    title = headings[0].text if headings else _name_from_url(url)
    note = "" if text.strip() else "The page holds no text."
    dated = find_text_date(text, _today())
    return Document(url=url, title=title, text=text, headings=headings, note=note, dated=dated)


def _add_date(document: Document) -> Document:
    """Date a PDF by its text: the dates in its metadata are those of the program that saved it."""
    return document.model_copy(update={"dated": find_text_date(document.text, _today())})


def _read_as_json(body: bytes, content_type: bytes, url: bytes) -> bytes:
    """Read a body and return the document as JSON, in the reader process."""
    return read_page(body, content_type.decode(), url.decode()).model_dump_json().encode()


if __name__ == "__main__":
    gc.set_threshold(100_000)  # reading creates many objects but no cycles
    serve_requests(_read_as_json)
