"""The stored pages behind the entries of a ledger, as far as they are still there."""

import hashlib
from contextlib import AbstractContextManager, closing
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from forager.adapters.store.blobs import SqliteBlobs
from forager.errors import StoreError
from forager.ports import Blobs
from forager.settings import Settings


class StoredPage(BaseModel):
    """What of a stored document its quotes are about."""

    model_config = ConfigDict(frozen=True)

    url: str
    text: str
    lang: str = ""


def open_blobs(settings: Settings) -> AbstractContextManager[SqliteBlobs]:
    """The blobs of the data folder. Raises StoreError."""
    return open_blobs_in(settings.data)


def open_blobs_in(data: Path) -> AbstractContextManager[SqliteBlobs]:
    """Those of this data folder. Raises StoreError."""
    return closing(SqliteBlobs(data / "blobs.sqlite"))


def read_stored_page(blobs: Blobs, blob: str) -> StoredPage | None:
    """The page in a blob; None where it is not there, or is not what its digest says."""
    try:
        data = blobs.get(blob)
    except StoreError:
        return None
    if hashlib.sha256(data).hexdigest() != blob:
        return None
    try:
        return StoredPage.model_validate_json(data)
    except ValidationError:
        return None


def read_picture(settings: Settings, blob: str) -> bytes | None:
    """A screenshot that a run kept, as PNG; None where it is not there any more."""
    with open_blobs(settings) as blobs:
        try:
            return blobs.get(blob)
        except StoreError:
            return None
