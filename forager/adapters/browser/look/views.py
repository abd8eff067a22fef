"""What the browser shows, as views and documents in the blob store, without secrets."""

import asyncio
import time
from collections.abc import Sequence

from playwright.async_api import Page

from forager.adapters.browser.look.rendered_page import HTML, source
from forager.adapters.browser.secrets import Secrets
from forager.adapters.browser.tabs import Tabs
from forager.adapters.web.read import page_reader as reader
from forager.domain.browser import Sent, Snapshot, Tab, View
from forager.domain.documents import Document, Opened
from forager.errors import ContentError, TransferError
from forager.ports import WITHOUT_SCRIPTS, Blobs
from forager.settings import Settings

EMPTY = "The page holds no text."
FIELD = "- textbox"


class Shown:
    """Looks at tabs."""

    def __init__(self, settings: Settings, blobs: Blobs, secrets: Secrets) -> None:
        self._settings = settings
        self._blobs = blobs
        self._secrets = secrets
        self._last: tuple[str, bytes, Document] | None = None

    async def view(self, tabs: Tabs, notes: Sequence[str] = ()) -> tuple[View, Snapshot]:
        """The active tab as it stands, and what its blob holds. Raises BrowserError, StoreError."""
        snapshot = self.masked(await tabs.snapshot())
        mask = self._secrets.mask
        listed = [Tab(url=mask(tab.url), title=mask(tab.title)) for tab in await tabs.listed()]
        blob = await self._put(snapshot.model_dump_json().encode())
        view = View(
            url=snapshot.url,
            title=snapshot.title,
            blob=blob,
            tabs=tuple(listed),
            active=tabs.active,
            notes=tuple(mask(note) for note in (*notes, *self._offered(snapshot))),
        )
        return view, snapshot

    async def document(self, page: Page) -> Opened:
        """The page as a document. Raises Playwright's Error and StoreError."""
        url = page.url
        if not url.startswith(("http://", "https://")):
            return await self.opened(Document(url=url, note=EMPTY))
        try:
            body, kind = await source(page, self._settings.max_bytes)
            if kind == HTML:
                body = self._secrets.mask(body.decode()).encode()
            document = await self._read(body, kind, url)
        except (ContentError, TransferError) as error:
            return await self.opened(Document(url=url, note=error.what))
        note = EMPTY if document.note == WITHOUT_SCRIPTS else document.note
        return await self.opened(document.model_copy(update={"note": note}))

    async def _read(self, body: bytes, kind: str, url: str) -> Document:
        """What a body says; one that is the same as the last time is not read again."""
        if self._last is None or self._last[:2] != (url, body):
            document = await asyncio.to_thread(reader.read, body, kind, url)
            self._last = url, body, document
            return document
        return self._last[2]

    async def opened(self, document: Document) -> Opened:
        """A document in the blob store. Raises StoreError."""
        data = self._secrets.blot(document.model_dump_json())
        blob = await self._put(data.encode())
        document = Document.model_validate_json(data)
        return Opened(document=document, blob=blob, fetched=time.time())

    def sent(self, sent: Sequence[Sent]) -> tuple[Sent, ...]:
        """What went out, without secrets."""
        secrets = self._secrets
        return tuple(
            each.model_copy(
                update={"url": secrets.mask(each.url), "payload": secrets.mask_cut(each.payload)}
            )
            for each in sent
        )

    def masked(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot without secrets."""
        mask = self._secrets.mask
        told = {name: mask(getattr(snapshot, name)) for name in ("url", "title", "tree")}
        return snapshot.model_copy(update=told)

    def _offered(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The secrets that may be typed here, if there is a field for them."""
        names = self._secrets.named(snapshot.url) if FIELD in snapshot.tree else ()
        if not names:
            return ()
        listed = ", ".join(f"{{{{{name}}}}}" for name in names)
        return (f"Secrets that can be typed here by their names: {listed}.",)

    async def _put(self, data: bytes) -> str:
        return await asyncio.to_thread(self._blobs.put, data)
