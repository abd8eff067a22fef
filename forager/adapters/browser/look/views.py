"""What the browser shows, as views and documents in the blob store, without secrets."""

import asyncio
import time
from collections.abc import Sequence

from playwright.async_api import Page

from forager.adapters.browser.look.rendered_page import HTML, read_source
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


class PageViews:
    """Looks at tabs."""

    def __init__(self, settings: Settings, blobs: Blobs, secrets: Secrets) -> None:
        self._settings = settings
        self._blobs = blobs
        self._secrets = secrets
        self._last: tuple[str, bytes, Document] | None = None

    async def take_view(self, tabs: Tabs, notes: Sequence[str] = ()) -> tuple[View, Snapshot]:
        """The active tab as it stands, and what its blob holds. Raises BrowserError, StoreError."""
        snapshot = self.mask_snapshot(await tabs.take_snapshot())
        mask = self._secrets.mask
        listed = [Tab(url=mask(tab.url), title=mask(tab.title)) for tab in await tabs.list_tabs()]
        blob = await self._put_blob(snapshot.model_dump_json().encode())
        view = View(
            url=snapshot.url,
            title=snapshot.title,
            blob=blob,
            tabs=tuple(listed),
            active=tabs.active,
            notes=tuple(mask(note) for note in (*notes, *self._secrets_note(snapshot))),
        )
        return view, snapshot

    async def read_document(self, page: Page) -> Opened:
        """The page as a document. Raises Playwright's Error and StoreError."""
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
        """What a body says; one that is the same as the last time is not read again."""
        if self._last is None or self._last[:2] != (url, body):
            document = await asyncio.to_thread(reader.read, body, kind, url)
            self._last = url, body, document
            return document
        return self._last[2]

    async def store_document(self, document: Document) -> Opened:
        """A document in the blob store. Raises StoreError."""
        data = self._secrets.blot_out(document.model_dump_json())
        blob = await self._put_blob(data.encode())
        document = Document.model_validate_json(data)
        return Opened(document=document, blob=blob, fetched=time.time())

    def mask_sent(self, sent: Sequence[Sent]) -> tuple[Sent, ...]:
        """What went out, without secrets."""
        secrets = self._secrets
        return tuple(
            each.model_copy(
                update={"url": secrets.mask(each.url), "payload": secrets.mask_cut(each.payload)}
            )
            for each in sent
        )

    def mask_snapshot(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot without secrets."""
        mask = self._secrets.mask
        told = {name: mask(getattr(snapshot, name)) for name in ("url", "title", "tree")}
        return snapshot.model_copy(update=told)

    def _secrets_note(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The secrets that may be typed here, if there is a field for them."""
        names = self._secrets.names_for(snapshot.url) if FIELD in snapshot.tree else ()
        if not names:
            return ()
        listed = ", ".join(f"{{{{{name}}}}}" for name in names)
        return (f"Secrets that can be typed here by their names: {listed}.",)

    async def _put_blob(self, data: bytes) -> str:
        return await asyncio.to_thread(self._blobs.put, data)
