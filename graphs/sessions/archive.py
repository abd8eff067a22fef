"""A whole session as one file, and a file taken in as a session."""

import asyncio
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from pydantic import JsonValue, ValidationError

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.checkpoints.thread_transfer import Rows, foreign, packed, unpacked
from forager.adapters.store.sessions.chronicle import Chronicle
from forager.adapters.store.sessions.session_store import Session, thread
from forager.domain.base import Frozen
from forager.domain.browser import Snapshot
from forager.domain.state import Evidence, Page, State, Turn
from forager.errors import ForagerError, StoreError, UsageError
from graphs.reports.stored_pages import open_blobs
from graphs.runtime.branches import JoiningState
from graphs.runtime.state_reader import read_state
from graphs.sessions.context import SESSION_ID, SessionContext, new_session_id
from graphs.spec.spec import graph_of

ZIP: Final = "zip"
SESSION_FILE: Final = "session.json"
STEPS_FILE: Final = "steps.json"
BLOBS_FOLDER: Final = "blobs/"
MAX_BYTES = 200_000_000
MAX_UNPACKED_BYTES = 600_000_000
MAX_FILES = 20_000
COMPRESSIONS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
UNREADABLE_FLAGS = 0x1 | 0x20 | 0x40
"""Flags of a file that is encrypted, a patch, or strongly encrypted."""


class ArchivedSession(Frozen):
    """All of a session but its checkpoints and pages; `version` is raised when it changes."""

    version: Literal[1] = 1
    session: Session
    chronicle: Chronicle


class Archive(SessionContext):
    """The verbs that hand sessions on."""

    async def archived(self, id: str) -> bytes:
        """A ZIP of the session: its rows, its checkpoints, the pages it opened and cites."""
        store = await self._sessions()
        session = await asyncio.to_thread(store.get, id)
        states = await self._states()
        turns = await asyncio.to_thread(store.turns, id)
        state = await read_state(states, session.thread, session.question, turns)
        steps = {
            str(number): await packed(states, thread(id, number))
            for number in range(1, session.turn + 1)
        }
        told = await asyncio.to_thread(store.chronicle, id)
        whole = ArchivedSession(session=session, chronicle=told)
        wanted = _report_blobs(state, turns) | _approval_pictures(told)
        pages = await asyncio.to_thread(_read_pages, self, wanted)
        return await asyncio.to_thread(_write_zip, whole, steps, pages)

    async def import_(self, data: bytes) -> str:
        """Take in what `archived` made; the session's id, a new one where its own is taken.

        The memory learns nothing from it. Raises UsageError for anything else, and StoreError;
        then nothing was taken in.
        """
        whole, steps, pages = await asyncio.to_thread(_read_archive, data)
        store, states = await self._sessions(), await self._states()
        there = {line.id for line in await asyncio.to_thread(store.lines.find)}
        taken = whole.session.id in there
        id = new_session_id() if taken else whole.session.id
        written: list[str] = []
        try:
            for number, rows in steps.items():
                await unpacked(states, thread(id, int(number)), rows, JoiningState)
                written.append(thread(id, int(number)))
            await asyncio.to_thread(_store_pages, self, pages)
            session = whole.session.model_copy(update={"id": id, "asked": ""})
            user = self.settings.user
            await asyncio.to_thread(store.take_in, session, whole.chronicle, user)
        except ForagerError:
            for own in written:
                await states.adelete_thread(own)
            raise
        return id


def _report_blobs(state: State, turns: Iterable[Turn]) -> set[str]:
    """The pages, views and pictures that a session's report may show."""
    pages: list[Page] = [step.page for step in state.steps if step.page]
    kept: list[Evidence] = [*state.evidence]
    for turn in turns:
        pages += turn.pages
        kept += turn.evidence
    found = {page.blob for page in pages} | {item.passage.blob for item in kept}
    views = [step.view for step in state.steps if step.view]
    found |= {blob for view in views for blob in (view.blob, view.picture)}
    return found - {""}


def _approval_pictures(told: Chronicle) -> set[str]:
    """The pictures that a person was shown."""
    return {each.plea.picture for asked in told.pleas.values() for each in asked} - {""}


def _read_pages(files: SessionContext, wanted: Iterable[str]) -> dict[str, bytes]:
    """Those that are still there, and the pictures of views."""
    found: dict[str, bytes] = {}
    with open_blobs(files.settings) as blobs:
        left = list(wanted)
        while left:
            digest = left.pop()
            page = _read_blob(blobs, digest)
            if page is not None and digest not in found:
                found[digest] = page
                left += filter(None, [_view_picture(page)])
    return found


def _view_picture(page: bytes) -> str:
    """The picture that goes with a view; other pages have none."""
    try:
        return Snapshot.model_validate_json(page).picture
    except ValidationError:
        return ""


def _read_blob(blobs: SqliteBlobs, digest: str) -> bytes | None:
    try:
        return blobs.get(digest)
    except StoreError:
        return None


def _store_pages(files: SessionContext, pages: Mapping[str, bytes]) -> None:
    with open_blobs(files.settings) as blobs:
        for page in pages.values():
            blobs.put(page)


def _write_zip(
    whole: ArchivedSession, steps: Mapping[str, Rows], pages: Mapping[str, bytes]
) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(SESSION_FILE, whole.model_dump_json())
        file.writestr(STEPS_FILE, ArchivedSteps(steps=dict(steps)).model_dump_json())
        for digest, page in pages.items():
            file.writestr(BLOBS_FOLDER + digest, page)
    return body.getvalue()


class ArchivedSteps(Frozen):
    """The checkpoints by turn, as rows."""

    steps: dict[str, dict[str, list[list[JsonValue]]]]


def _read_archive(data: bytes) -> tuple[ArchivedSession, dict[str, Rows], dict[str, bytes]]:
    """What stands in a file, proved as far as it can be without the store. Raises UsageError."""
    if len(data) > MAX_BYTES:
        raise UsageError(f"The file is larger than {MAX_BYTES:,} bytes.", "Import another.")
    found = _open_zip(data)
    try:
        whole = ArchivedSession.model_validate_json(found.pop(SESSION_FILE))
        steps = ArchivedSteps.model_validate_json(found.pop(STEPS_FILE)).steps
        graph_of(whole.session)
    except (KeyError, ValidationError) as error:
        raise foreign() from error
    numbers = [str(number) for number in range(1, whole.session.turn + 1)]
    if list(steps) != numbers or len(whole.chronicle.turns) != whole.session.turn - 1:
        raise foreign()
    if not SESSION_ID.fullmatch(whole.session.id):
        raise foreign()
    return whole, steps, {name.removeprefix(BLOBS_FOLDER): page for name, page in found.items()}


def _open_zip(data: bytes) -> dict[str, bytes]:
    """The files by name. Raises UsageError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return _read_entries(file)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        # Garbled: offsets before the beginning and names in no code are ValueErrors.
        raise foreign() from error


def _read_entries(file: zipfile.ZipFile) -> dict[str, bytes]:
    """The files by name: no other names than ours, no more bytes than said, pages as hashed."""
    entries = file.infolist()
    if len(entries) > MAX_FILES or sum(each.file_size for each in entries) > MAX_UNPACKED_BYTES:
        raise UsageError("There is too much in this file for a session.", "Import another.")
    if any(
        each.flag_bits & UNREADABLE_FLAGS or each.compress_type not in COMPRESSIONS
        for each in entries
    ):
        raise foreign()
    found: dict[str, bytes] = {}
    for each in entries:
        body = file.read(each)
        digest = each.filename.removeprefix(BLOBS_FOLDER)
        page = each.filename == BLOBS_FOLDER + digest and hashlib.sha256(body).hexdigest() == digest
        if not page and each.filename not in {SESSION_FILE, STEPS_FILE}:
            raise foreign()
        found[each.filename] = body
    return found
