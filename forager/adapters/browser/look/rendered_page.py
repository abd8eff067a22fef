"""A page as it is rendered now, as the source of a document."""

import asyncio
import base64
from typing import Final, NamedTuple

from playwright.async_api import Error, Frame, Page

from forager.errors import TransferError

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
"""What is seen, with shadow roots and frames of the same origin in their places.

Elements that are not shown are marked as hidden, which only a browser can tell in the end. The copy
belongs to a document that loads nothing and runs nothing.
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
    """A body and its type."""

    body: bytes
    type: str


async def read_source(page: Page, most: int) -> PageSource:
    """What a page shows; a PDF as it is. Raises TransferError beyond `most` bytes, and Error."""
    for attempt in range(TRIES):
        try:
            return await _read_source_once(page, most)
        except Error:
            if attempt == TRIES - 1 or page.is_closed():
                raise
            await page.wait_for_load_state("domcontentloaded")  # it went elsewhere meanwhile
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
    """What a frame of another origin shows; the others are in their places already."""
    try:
        if not await frame.evaluate(IS_FOREIGN_FRAME):
            return ""
        html = str((await frame.evaluate(SERIALISE))["html"])
    except Error:  # it is going away
        return ""
    start, end = html.find("<body"), html.rfind("</body>")
    return f"<div{html[start + len('<body') : end]}</div>" if 0 <= start < end else ""


def _too_large(url: str, most: int) -> TransferError:
    return TransferError(f"{url} is larger than {most:,} bytes.", "Raise FORAGER_MAX_BYTES.")
