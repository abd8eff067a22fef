"""What the browser shows, stored as views and documents without secrets."""

import asyncio
import base64
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from playwright.async_api import Error, Frame, Page

from forager.adapters.browser.tabs import Tabs
from forager.adapters.web.read import page_reader as reader
from forager.adapters.web.secrets import Secrets
from forager.domain.browser import SentRequest, Snapshot, Tab, View
from forager.domain.documents import Document, OpenedPage
from forager.errors import ContentError, TransferError
from forager.ports import WITHOUT_SCRIPTS, BlobKind, Blobs
from forager.settings import Settings

SERIALISE: Final = """() => {
  const inner = window !== window.top;
  const inert = document.implementation.createHTMLDocument("");
  const copied = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return inert.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const name = node.localName;
    if (name === "slot") return many(node.assignedNodes().length ? node.assignedNodes()
      : node.childNodes);
    const copy = inert.importNode(node, false);
    if (name === "script") {
      if (node.type === "application/ld+json") copy.textContent = node.textContent;
      else copy.removeAttribute("src");
      return copy;
    }
    if (name === "template" || name === "noscript") return null;
    if (name === "iframe" || name === "frame") return framed(node);
    if (name !== "head" && node.parentElement && node.parentElement.localName !== "head"
      && getComputedStyle(node).display === "none") copy.setAttribute("hidden", "");
    if ((inner || node.ownerDocument !== document) && copy.hasAttribute("href")
      && typeof node.href === "string") copy.setAttribute("href", node.href);
    copy.append(many((node.shadowRoot || node).childNodes));
    return copy;
  };
  const many = (nodes) => {
    const all = inert.createDocumentFragment();
    for (const node of nodes) { const copy = copied(node); if (copy) all.append(copy); }
    return all;
  };
  const framed = (node) => {
    const held = node.contentDocument;
    const place = inert.createElement("div");
    if (getComputedStyle(node).display === "none") place.setAttribute("hidden", "");
    if (held && held.body) place.append(many(held.body.childNodes));
    return place;
  };
  const type = document.contentType;
  if (!document.documentElement || type === "application/pdf") return {type, html: ""};
  let html;
  try { html = copied(document.documentElement).outerHTML; }
  catch (error) { html = document.documentElement.outerHTML; }
  return {type, html: "<!doctype html>" + html};
}"""
"""Serialises the rendered page, with shadow roots and same-origin frames in place.

Invisible elements are marked as hidden, since only a browser knows them. The copy belongs to a
document that loads and runs nothing.
"""
IS_FOREIGN_FRAME: Final = "() => window !== window.top && !window.frameElement"
FETCH_BYTES: Final = """async (most) => {
  const answer = await fetch(location.href);
  const data = new Uint8Array(await answer.arrayBuffer());
  if (data.length > most) return "";
  let text = "";
  for (let at = 0; at < data.length; at += 32768)
    text += String.fromCharCode(...data.subarray(at, at + 32768));
  return btoa(text);
}"""
HTML: Final = "text/html; charset=utf-8"
PDF: Final = "application/pdf"
MOST_FRAMES: Final = 20
TRIES: Final = 4


class PageSource(NamedTuple):
    """A page's body and its content type."""

    body: bytes
    type: str


async def read_source(page: Page, most: int) -> PageSource:
    """The rendered HTML of a page, or the bytes of a PDF.

    Raises TransferError if it has more than `most` bytes, and Playwright's Error.
    """
    for attempt in range(TRIES):
        try:
            return await _read_source_once(page, most)
        except Error:
            if attempt == TRIES - 1 or page.is_closed():
                raise
            await page.wait_for_load_state("domcontentloaded")  # it navigated meanwhile
    raise AssertionError("the last attempt returns or raises")


async def _read_source_once(page: Page, most: int) -> PageSource:
    told = await page.evaluate(SERIALISE)
    if told["type"] == PDF:
        data = base64.b64decode(await page.evaluate(FETCH_BYTES, most))
        if not data:
            raise _too_large(page.url, most)
        return PageSource(data, PDF)
    children = [frame for frame in page.frames if frame != page.main_frame][:MOST_FRAMES]
    parts = await asyncio.gather(*(_foreign_frame_html(frame) for frame in children))
    whole = str(told["html"])
    if any(parts):
        end = whole.rfind("</body>")
        end = len(whole) if end < 0 else end
        whole = whole[:end] + "".join(parts) + whole[end:]
    body = whole.encode("utf-8", "replace")
    if len(body) > most:
        raise _too_large(page.url, most)
    return PageSource(body, HTML)


async def _foreign_frame_html(frame: Frame) -> str:
    """The HTML of a cross-origin frame; empty for others, which are in place already."""
    try:
        if not await frame.evaluate(IS_FOREIGN_FRAME):
            return ""
        html = str((await frame.evaluate(SERIALISE))["html"])
    except Error:  # the frame is being removed
        return ""
    start, end = html.find("<body"), html.rfind("</body>")
    return f"<div{html[start + len('<body') : end]}</div>" if 0 <= start < end else ""


def _too_large(url: str, most: int) -> TransferError:
    return TransferError(f"{url} is larger than {most:,} bytes.", "Raise FORAGER_MAX_BYTES.")


EMPTY = "The page holds no text."
FIELD = "- textbox"


class PageViews:
    """Reads tabs as views and documents, masks secrets, and stores them as blobs."""

    def __init__(self, settings: Settings, blobs: Blobs, secrets: Secrets) -> None:
        self._settings = settings
        self._blobs = blobs
        self._secrets = secrets
        self._last: tuple[str, bytes, Document] | None = None

    async def take_view(self, tabs: Tabs, notes: Sequence[str] = ()) -> tuple[View, Snapshot]:
        """Store the shown tab; returns its view and snapshot. Raises BrowserError, StoreError."""
        snapshot = self.mask_snapshot(await tabs.take_snapshot())
        mask = self._secrets.mask
        listed = [Tab(url=mask(tab.url), title=mask(tab.title)) for tab in await tabs.list_tabs()]
        blob = await self._put_blob(snapshot.model_dump_json().encode(), "view")
        view = View(
            url=snapshot.url,
            title=snapshot.title,
            blob=blob,
            tabs=tuple(listed),
            active=tabs.active,
            notes=tuple(mask(note) for note in (*notes, *self._secrets_note(snapshot))),
        )
        return view, snapshot

    async def read_document(self, page: Page) -> OpenedPage:
        """Read the page as a document. Raises Playwright's Error and StoreError."""
        url = page.url
        if not url.startswith(("http://", "https://")):
            return await self.store_document(Document(url=url, note=EMPTY))
        try:
            body, kind = await read_source(page, self._settings.max_bytes)
            if kind == HTML:
                body = self._secrets.mask(body.decode()).encode()
            document = await self._parse_body(body, kind, url)
        except (ContentError, TransferError) as error:
            return await self.store_document(Document(url=url, note=error.what))
        note = EMPTY if document.note == WITHOUT_SCRIPTS else document.note
        return await self.store_document(document.model_copy(update={"note": note}))

    async def _parse_body(self, body: bytes, kind: str, url: str) -> Document:
        """Parse a body; the result for an unchanged body is reused."""
        if self._last is None or self._last[:2] != (url, body):
            document = await asyncio.to_thread(reader.read_page, body, kind, url)
            self._last = url, body, document
            return document
        return self._last[2]

    async def store_document(self, document: Document) -> OpenedPage:
        """Store a document, without secrets, as a blob. Raises StoreError."""
        data = self._secrets.blot_out(document.model_dump_json())
        blob = await self._put_blob(data.encode(), "document")
        document = Document.model_validate_json(data)
        return OpenedPage(document=document, blob=blob, fetched=time.time())

    def mask_sent(self, sent: Sequence[SentRequest]) -> tuple[SentRequest, ...]:
        """Mask secrets in requests."""
        secrets = self._secrets
        return tuple(
            each.model_copy(
                update={"url": secrets.mask(each.url), "payload": secrets.mask_cut(each.payload)}
            )
            for each in sent
        )

    def mask_snapshot(self, snapshot: Snapshot) -> Snapshot:
        """Mask secrets in a snapshot."""
        mask = self._secrets.mask
        told = {name: mask(getattr(snapshot, name)) for name in ("url", "title", "tree")}
        return snapshot.model_copy(update=told)

    def _secrets_note(self, snapshot: Snapshot) -> tuple[str, ...]:
        """A note on the secrets that may be typed on a page that has a text field."""
        names = self._secrets.names_for(snapshot.url) if FIELD in snapshot.tree else ()
        if not names:
            return ()
        listed = ", ".join(f"{{{{{name}}}}}" for name in names)
        return (f"Secrets that can be typed here, by name: {listed}.",)

    async def _put_blob(self, data: bytes, kind: BlobKind) -> str:
        return await asyncio.to_thread(self._blobs.put, data, kind)
