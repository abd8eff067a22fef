"""How pages are recorded, for the Web and the Browser port."""

import asyncio
from typing import Any

from pydantic import JsonValue

from forager.adapters.recording.port_recording import ResultForm
from forager.budget import current_meter
from forager.domain.documents import Document, OpenedPage
from forager.ports import Blobs

FILE = "web.jsonl"


class PageForm(ResultForm):
    """A document with the time of its fetch; a replay stores the document in `blobs`."""

    def __init__(self, blobs: Blobs) -> None:
        super().__init__(Document)
        self._blobs = blobs

    async def write_result(self, result: OpenedPage, *arguments: Any) -> JsonValue:
        """The page as JSON."""
        return {"document": result.document.model_dump(mode="json"), "fetched": result.fetched}

    async def read_result(self, reply: dict[str, Any], *arguments: Any) -> OpenedPage:
        """The page; recordings of version 0.1 hold the document alone."""
        document: Document = await super().read_result(reply.get("document", reply))
        current_meter().pages_cached += 1
        data = document.model_dump_json().encode()
        blob = await asyncio.to_thread(self._blobs.put, data, "document")
        fetched = reply.get("fetched", 0.0)
        return OpenedPage(document=document, blob=blob, cached=True, fetched=fetched)
