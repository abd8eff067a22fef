"""The documents of pages that were opened; one that is not stored any more is fetched anew."""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from forager.budget import current_meter
from forager.domain.documents import Document
from forager.domain.state import Evidence, Page
from forager.errors import MissingBlobError, WebError
from forager.ports import Ports

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
