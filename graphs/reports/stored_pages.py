"""The stored pages behind the evidence, as far as they are still stored."""

from contextlib import AbstractContextManager

from pydantic import BaseModel, ConfigDict, ValidationError

from forager.adapters.store.blob_store import BlobStore, open_blob_store
from forager.errors import StoreError
from forager.ports import Blobs
from forager.settings import Settings


class StoredPage(BaseModel):
    """The part of a stored document that quotes refer to."""

    model_config = ConfigDict(frozen=True)

    url: str
    text: str
    lang: str = ""


def open_blobs(settings: Settings) -> AbstractContextManager[BlobStore]:
    """The blobs of the settings. Raises StoreError."""
    return open_blob_store(settings)


def read_stored_page(blobs: Blobs, blob: str) -> StoredPage | None:
    """The page in a blob; None where it is missing or no page."""
    try:
        data = blobs.get(blob)
    except StoreError:
        return None
    try:
        return StoredPage.model_validate_json(data)
    except ValidationError:
        return None


def read_picture(settings: Settings, blob: str) -> bytes | None:
    """A stored screenshot, PNG or JPEG; None where it is no longer stored."""
    with open_blobs(settings) as blobs:
        try:
            return blobs.get(blob)
        except StoreError:
            return None
