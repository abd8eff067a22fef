"""The ZIP file of a session: entries within bounds, and pages that are unpacked one at a time."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from pydantic import BaseModel, ValidationError

from forager.adapters.store.checkpoints.thread_transfer import ProofBudget, foreign_archive
from forager.domain.browser import Snapshot
from forager.domain.documents import Document
from forager.errors import UsageError
from forager.ports import BlobKind

SESSION_FILE: Final = "session.json"
STEPS_FILE: Final = "steps.json"
BLOBS_FOLDER: Final = "blobs/"
MAX_BYTES = 200_000_000
MAX_UNPACKED_BYTES = 300_000_000
MAX_FILES = 20_000
MAX_ENTRY_BYTES: Final[Mapping[str, int]] = {SESSION_FILE: 20_000_000, STEPS_FILE: 60_000_000}
MAX_PAGE_BYTES = 30_000_000
MAX_VALUES = 1_000_000
"""Values in the JSON of an entry: what they take is parsed at once, while all else waits."""
COMPRESSIONS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
UNREADABLE_FLAGS = 0x1 | 0x20 | 0x40
"""ZIP flags of an entry that is encrypted, a patch, or strongly encrypted."""
FAULTS = zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, NotImplementedError
"""A damaged file may have offsets or names that zipfile answers with ValueError."""
KINDS: Final[Mapping[type[BaseModel], BlobKind]] = {Document: "document", Snapshot: "view"}


class ArchiveFile:
    """An archive whose entries have our names, sizes within bounds, and pages with their hashes."""

    def __init__(self, data: bytes, budget: ProofBudget) -> None:
        """Unpack each page once. Raises UsageError for any other file."""
        if len(data) > MAX_BYTES:
            raise excessive(f"more than {MAX_BYTES:,} bytes")
        with _refusing_damaged():
            self._file = zipfile.ZipFile(io.BytesIO(data))
            self._check_sizes()
            self._check_names(budget)

    def read_json(self, name: str) -> bytes:
        """The session or its steps. Raises UsageError."""
        with _refusing_damaged():
            body = self._file.read(name)
        refuse_many_values(name, body)
        return body

    def pages(self) -> "ArchivedPages":
        """The pages by digest."""
        names = [name for name in self._file.namelist() if name not in MAX_ENTRY_BYTES]
        return ArchivedPages(self._file, names)

    def _check_sizes(self) -> None:
        entries = self._file.infolist()
        total = sum(each.file_size for each in entries)
        if len(entries) > MAX_FILES or total > MAX_UNPACKED_BYTES:
            raise excessive(f"more than {MAX_FILES:,} entries or {MAX_UNPACKED_BYTES:,} bytes")
        for each in entries:
            most = MAX_ENTRY_BYTES.get(each.filename, MAX_PAGE_BYTES)
            if each.file_size > most:
                raise excessive(f"an entry of more than {most:,} bytes")
            if each.flag_bits & UNREADABLE_FLAGS or each.compress_type not in COMPRESSIONS:
                raise foreign_archive()

    def _check_names(self, budget: ProofBudget) -> None:
        names = self._file.namelist()
        if len(set(names)) < len(names):
            raise foreign_archive()
        for name in names:
            budget.spend(self._file.getinfo(name).file_size)
            if name in MAX_ENTRY_BYTES:
                continue
            body = self._file.read(name)
            if name != BLOBS_FOLDER + hashlib.sha256(body).hexdigest():
                raise foreign_archive()
            if body.startswith(b"{"):
                refuse_many_values("a page", body)


class ArchivedPages(Mapping[str, bytes]):
    """The pages of an archive by digest; each is unpacked when it is asked for."""

    def __init__(self, file: zipfile.ZipFile, names: list[str]) -> None:
        self._file = file
        self._names = {name.removeprefix(BLOBS_FOLDER): name for name in names}

    def __getitem__(self, digest: str) -> bytes:
        return self._file.read(self._names[digest])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@contextmanager
def _refusing_damaged() -> Iterator[None]:
    """Raise UsageError for what zipfile cannot read, or does not find."""
    try:
        yield
    except FAULTS as error:
        raise foreign_archive() from error


def page_kind(page: bytes) -> BlobKind:
    """What an exported blob is, from its content."""
    for model, kind in KINDS.items() if page.startswith(b"{") else ():
        with suppress(ValidationError):
            model.model_validate_json(page)
            return kind
    return "picture"


def refuse_many_values(name: str, body: bytes) -> None:
    """Raise UsageError for JSON with more values than may be parsed at once."""
    if sum(map(body.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise excessive(f"more than {MAX_VALUES:,} values in {name}")


def excessive(what: str) -> UsageError:
    """The error for an archive that has more than a session may."""
    return UsageError(f"The file has {what}.", "Import a smaller session.")
