"""A page as the recordings of the web and of the browser have it."""

import asyncio
from typing import Any

from pydantic import JsonValue

from forager.adapters.recording.port_recording import ResultForm
from forager.budget import current_meter
from forager.domain.documents import Document, OpenedPage
from forager.ports import Blobs

FILE = "web.jsonl"


class PageForm(ResultForm):
    """The document and when it was fetched; it is stored again when it is read."""

    def __init__(self, blobs: Blobs) -> None:
        super().__init__(Document)
        self._blobs = blobs

    async def write_result(self, result: OpenedPage, *arguments: Any) -> JsonValue:
        """The page as it stands on a tape."""
        return {"document": result.document.model_dump(mode="json"), "fetched": result.fetched}

    async def read_result(self, reply: dict[str, Any], *arguments: Any) -> OpenedPage:
        """The page, in the blob store; older recordings hold the document alone."""
        document: Document = await super().read_result(reply.get("document", reply))
        current_meter().pages_cached += 1
        blob = await asyncio.to_thread(self._blobs.put, document.model_dump_json().encode())
        fetched = reply.get("fetched", 0.0)
        return OpenedPage(document=document, blob=blob, cached=True, fetched=fetched)
