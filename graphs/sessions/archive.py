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
from graphs.runtime.branches import Joining
from graphs.runtime.state_reader import known
from graphs.sessions.context import ID, Files, new_id
from graphs.spec.spec import graph_of

ZIP: Final = "zip"
SESSION: Final = "session.json"
STEPS: Final = "steps.json"
BLOBS: Final = "blobs/"
MOST_BYTES = 200_000_000
MOST_UNPACKED = 600_000_000
MOST_FILES = 20_000
PACKINGS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
HIDDEN = 0x1 | 0x20 | 0x40
"""Flags of a file that is encrypted, a patch, or strongly encrypted."""


class Whole(Frozen):
    """All of a session but its checkpoints and pages; `version` is raised when it changes."""

    version: Literal[1] = 1
    session: Session
    chronicle: Chronicle


class Archives(Files):
    """The verbs that hand sessions on."""

    async def archived(self, id: str) -> bytes:
        """A ZIP of the session: its rows, its checkpoints, the pages it opened and cites."""
        store = await self._sessions()
        session = await asyncio.to_thread(store.get, id)
        states = await self._states()
        turns = await asyncio.to_thread(store.turns, id)
        state = await known(states, session.thread, session.question, turns)
        steps = {
            str(number): await packed(states, thread(id, number))
            for number in range(1, session.turn + 1)
        }
        told = await asyncio.to_thread(store.chronicle, id)
        whole = Whole(session=session, chronicle=told)
        wanted = _blobs(state, turns) | _asked(told)
        pages = await asyncio.to_thread(_pages, self, wanted)
        return await asyncio.to_thread(_zipped, whole, steps, pages)

    async def import_(self, data: bytes) -> str:
        """Take in what `archived` made; the session's id, a new one where its own is taken.

        The memory learns nothing from it. Raises UsageError for anything else, and StoreError;
        then nothing was taken in.
        """
        whole, steps, pages = await asyncio.to_thread(_read, data)
        store, states = await self._sessions(), await self._states()
        there = {line.id for line in await asyncio.to_thread(store.lines.find)}
        taken = whole.session.id in there
        id = new_id() if taken else whole.session.id
        written: list[str] = []
        try:
            for number, rows in steps.items():
                await unpacked(states, thread(id, int(number)), rows, Joining)
                written.append(thread(id, int(number)))
            await asyncio.to_thread(_keep, self, pages)
            session = whole.session.model_copy(update={"id": id, "asked": ""})
            user = self.settings.user
            await asyncio.to_thread(store.take_in, session, whole.chronicle, user)
        except ForagerError:
            for own in written:
                await states.adelete_thread(own)
            raise
        return id


def _blobs(state: State, turns: Iterable[Turn]) -> set[str]:
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


def _asked(told: Chronicle) -> set[str]:
    """The pictures that a person was shown."""
    return {each.plea.picture for asked in told.pleas.values() for each in asked} - {""}


def _pages(files: Files, wanted: Iterable[str]) -> dict[str, bytes]:
    """Those that are still there, and the pictures of views."""
    found: dict[str, bytes] = {}
    with open_blobs(files.settings) as blobs:
        left = list(wanted)
        while left:
            digest = left.pop()
            page = _page(blobs, digest)
            if page is not None and digest not in found:
                found[digest] = page
                left += filter(None, [_picture(page)])
    return found


def _picture(page: bytes) -> str:
    """The picture that goes with a view; other pages have none."""
    try:
        return Snapshot.model_validate_json(page).picture
    except ValidationError:
        return ""


def _page(blobs: SqliteBlobs, digest: str) -> bytes | None:
    try:
        return blobs.get(digest)
    except StoreError:
        return None


def _keep(files: Files, pages: Mapping[str, bytes]) -> None:
    with open_blobs(files.settings) as blobs:
        for page in pages.values():
            blobs.put(page)


def _zipped(whole: Whole, steps: Mapping[str, Rows], pages: Mapping[str, bytes]) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(SESSION, whole.model_dump_json())
        file.writestr(STEPS, Steps(steps=dict(steps)).model_dump_json())
        for digest, page in pages.items():
            file.writestr(BLOBS + digest, page)
    return body.getvalue()


class Steps(Frozen):
    """The checkpoints by turn, as rows."""

    steps: dict[str, dict[str, list[list[JsonValue]]]]


def _read(data: bytes) -> tuple[Whole, dict[str, Rows], dict[str, bytes]]:
    """What stands in a file, proved as far as it can be without the store. Raises UsageError."""
    if len(data) > MOST_BYTES:
        raise UsageError(f"The file is larger than {MOST_BYTES:,} bytes.", "Import another.")
    found = _unzipped(data)
    try:
        whole = Whole.model_validate_json(found.pop(SESSION))
        steps = Steps.model_validate_json(found.pop(STEPS)).steps
        graph_of(whole.session)
    except (KeyError, ValidationError) as error:
        raise foreign() from error
    numbers = [str(number) for number in range(1, whole.session.turn + 1)]
    if list(steps) != numbers or len(whole.chronicle.turns) != whole.session.turn - 1:
        raise foreign()
    if not ID.fullmatch(whole.session.id):
        raise foreign()
    return whole, steps, {name.removeprefix(BLOBS): page for name, page in found.items()}


def _unzipped(data: bytes) -> dict[str, bytes]:
    """The files by name. Raises UsageError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return _files(file)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        # Garbled: offsets before the beginning and names in no code are ValueErrors.
        raise foreign() from error


def _files(file: zipfile.ZipFile) -> dict[str, bytes]:
    """The files by name: no other names than ours, no more bytes than said, pages as hashed."""
    entries = file.infolist()
    if len(entries) > MOST_FILES or sum(each.file_size for each in entries) > MOST_UNPACKED:
        raise UsageError("There is too much in this file for a session.", "Import another.")
    if any(each.flag_bits & HIDDEN or each.compress_type not in PACKINGS for each in entries):
        raise foreign()
    found: dict[str, bytes] = {}
    for each in entries:
        body = file.read(each)
        digest = each.filename.removeprefix(BLOBS)
        page = each.filename == BLOBS + digest and hashlib.sha256(body).hexdigest() == digest
        if not page and each.filename not in {SESSION, STEPS}:
            raise foreign()
        found[each.filename] = body
    return found
