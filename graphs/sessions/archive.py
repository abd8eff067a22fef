"""A session with all that it has as one ZIP file, and such a file imported as a session."""

import asyncio
import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ValidationError

from forager.adapters.store.blob_store import BlobStore
from forager.adapters.store.checkpoints.thread_transfer import (
    ProofBudget,
    Rows,
    foreign_archive,
    pack_thread,
    refuse_changing_sites,
    unpack_thread,
)
from forager.adapters.store.sessions.chronicle import Chronicle
from forager.adapters.store.sessions.session_records import UNDER_WAY
from forager.adapters.store.sessions.session_store import Session, thread_of
from forager.domain.base import FiniteJson, Frozen
from forager.domain.browser import Snapshot
from forager.domain.state import Evidence, Page, Question, State, Turn
from forager.errors import AddressError, DamagedError, QuestionError, StoreError, UsageError
from forager.settings import Settings
from graphs.reports.events import format_count
from graphs.reports.stored_pages import open_blobs
from graphs.runtime.branches import JoiningState
from graphs.runtime.state_reader import read_state
from graphs.runtime.steers import write_question
from graphs.runtime.validation import check_question
from graphs.sessions.archive_file import (
    BLOBS_FOLDER,
    SESSION_FILE,
    STEPS_FILE,
    ArchiveFile,
    excessive,
    page_kind,
)
from graphs.sessions.context import SESSION_ID, SessionContext, new_session_id
from graphs.sessions.import_trust import (
    distrust_session,
    drop_answers,
    refuse_negative_spend,
    refuse_own_nodes,
)
from graphs.sessions.listing import MAX_TITLE_CHARACTERS
from graphs.spec.spec import graph_of

ZIP: Final = "zip"
FORMAT: Final = 1
MAX_EVENTS = 20_000
MAX_SHOWN_PAGES = 5
MAX_COMMENT = 65_535
"""Bytes of the comment of a ZIP file."""
MAX_ASKED_CHARACTERS = 100_000
"""Of a question and its sites, with all spaces."""


class ArchivedVersion(BaseModel):
    """The version of an archive's format, whatever else is in it."""

    version: int = FORMAT


class ArchivedSession(Frozen):
    """All that a session has but its checkpoints and pages; a change of shape raises `version`."""

    version: Literal[1] = FORMAT
    session: Session
    chronicle: Chronicle


class ArchivedSteps(Frozen):
    """The checkpoints of each turn, as rows."""

    steps: dict[str, dict[str, list[list[FiniteJson]]]]


@dataclass(frozen=True)
class Archive:
    """Exports whole sessions as ZIP files and imports them."""

    context: SessionContext

    async def export_zip(self, id: str) -> bytes:
        """A ZIP file with the session's rows, its checkpoints, and the pages it opened and cites.

        Its comment says which pages are not in it, if any are not. Raises SessionError and
        StoreError.
        """
        store, checkpoints = await self.context.store(), await self.context.checkpoints()
        session = await asyncio.to_thread(store.get, id)
        turns = await asyncio.to_thread(store.list_turns, id)
        state = await read_state(checkpoints, session.thread, session.question, turns)
        steps = {
            str(number): await pack_thread(checkpoints, thread_of(id, number))
            for number in range(1, session.turn + 1)
        }
        chronicle = await asyncio.to_thread(store.read_chronicle, id)
        archived = ArchivedSession(session=session, chronicle=chronicle)
        wanted = report_blobs(state, turns) | _approval_pictures(chronicle)
        pages = await asyncio.to_thread(_read_pages, self.context.settings, wanted)
        missing = describe_missing(_addresses(state, turns), wanted - pages.keys())
        return await asyncio.to_thread(_write_zip, archived, steps, pages, missing)

    async def import_zip(
        self, data: bytes, *, own_nodes: bool = False, trusted: bool = False
    ) -> str:
        """Import what `export_zip` wrote; the session's ID, a new one where its own is taken.

        It goes on without the model, the approvals and the larger budget of the file, and has the
        user's own node types in its graph only with `own_nodes`. A `trusted` one, which this
        Forager ran, stays as it was. The memory learns nothing from it.
        Raises UsageError for any other file, and StoreError; nothing is imported then.
        """
        budget = ProofBudget()
        archived, steps, pages = await asyncio.to_thread(_read_archive, data, budget)
        refuse_changing_sites(archived.session.question)
        if not (own_nodes or trusted):
            refuse_own_nodes(archived.session, self.context.registry)
        async with self.context.making():
            return await self._import(archived, steps, pages, budget, trusted=trusted)

    async def _import(
        self,
        archived: ArchivedSession,
        steps: Mapping[str, Rows],
        pages: Mapping[str, bytes],
        budget: ProofBudget,
        *,
        trusted: bool,
    ) -> str:
        store, checkpoints = await self.context.store(), await self.context.checkpoints()
        known = {line.id for line in await asyncio.to_thread(store.lines.find_lines)}
        id = new_session_id() if archived.session.id in known else archived.session.id
        written: list[str] = []
        done = False
        new = await asyncio.to_thread(_new_pages, self.context.settings, pages)
        try:
            await self.context.delete_threads(id)  # of one that was killed
            for number, rows in steps.items():
                own = thread_of(id, int(number))
                written.append(own)
                await unpack_thread(checkpoints, own, drop_answers(rows), JoiningState, budget)
            await asyncio.to_thread(_store_pages, self.context.settings, pages)
            session, chronicle = archived.session, archived.chronicle
            if not trusted:
                session, chronicle = distrust_session(session, chronicle, self.context.settings)
            session = session.model_copy(update={"id": id, "pinned": False})
            if session.status in UNDER_WAY:
                await write_question(await self.context.lineage(), session.thread, session.question)
            state = await read_state(checkpoints, session.thread, session.question, chronicle.turns)
            _check_asked([state.question])
            refuse_negative_spend((state.spend, session.spend, *chronicle.paid.values()))
            user = self.context.settings.user
            await asyncio.to_thread(store.import_session, session, chronicle, user)
            done = True
        finally:
            if not done:
                for own in written:
                    await checkpoints.adelete_thread(own)
                await asyncio.to_thread(_delete_pages, self.context.settings, new)
        return id


def _addresses(state: State, turns: Iterable[Turn]) -> dict[str, str]:
    """The address of each page that was opened or is cited, by its blob."""
    cited = [*state.evidence, *(item for turn in turns for item in turn.evidence)]
    found = {item.passage.blob: item.passage.url for item in cited}
    pages = [step.page for step in state.steps if step.page]
    for page in (*pages, *(page for turn in turns for page in turn.pages)):
        found[page.blob] = page.url
    return found


def describe_missing(addresses: Mapping[str, str], missing: Iterable[str]) -> str:
    """Which blobs are not stored any more, and how to get them; empty if none is missing."""
    blobs = sorted(missing)
    if not blobs:
        return ""
    urls = sorted({addresses[blob] for blob in blobs if blob in addresses})
    shown = ", ".join(urls[:MAX_SHOWN_PAGES])
    more = f" and {len(urls) - MAX_SHOWN_PAGES:,} more" if len(urls) > MAX_SHOWN_PAGES else ""
    told = f": {shown}{more}" if urls else ""
    return (
        f"The file lacks {format_count(len(blobs), 'stored page')} of the session, screenshots "
        f"counted, deleted since it ran{told}. To fetch pages anew, ask the question again, or "
        "check its JSON export with forager verify FILE --live; then export it again."
    )


def missing_pages(archive: bytes) -> str:
    """What an archive of `export_zip` says that it lacks; empty if it is whole."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return file.comment.decode(errors="replace")


def report_blobs(state: State, turns: Iterable[Turn]) -> set[str]:
    """The blobs of the pages, views and screenshots that the session's report may show."""
    pages: list[Page] = [step.page for step in state.steps if step.page]
    kept: list[Evidence] = [*state.evidence]
    for turn in turns:
        pages += turn.pages
        kept += turn.evidence
    found = {page.blob for page in pages} | {item.passage.blob for item in kept}
    views = [step.view for step in state.steps if step.view]
    found |= {blob for view in views for blob in (view.blob, view.picture)}
    return found - {""}


def _approval_pictures(chronicle: Chronicle) -> set[str]:
    """The blobs of the screenshots that approval requests showed."""
    return {row.plea.picture for rows in chronicle.pleas.values() for row in rows} - {""}


def _read_pages(settings: Settings, wanted: Iterable[str]) -> dict[str, bytes]:
    """The wanted blobs that are still stored, and the screenshots of the views among them."""
    found: dict[str, bytes] = {}
    with open_blobs(settings) as blobs:
        left = list(wanted)
        while left:
            digest = left.pop()
            page = _read_blob(blobs, digest)
            if page is not None and digest not in found:
                found[digest] = page
                left += filter(None, [_view_picture(page)])
    return found


def _view_picture(page: bytes) -> str:
    """The blob of a view's screenshot; empty for any other page."""
    try:
        return Snapshot.model_validate_json(page).picture
    except ValidationError:
        return ""


def _read_blob(blobs: BlobStore, digest: str) -> bytes | None:
    try:
        return blobs.get(digest)
    except StoreError:
        return None


def _new_pages(settings: Settings, pages: Iterable[str]) -> frozenset[str]:
    with open_blobs(settings) as blobs:
        return blobs.find_missing(pages)


def _delete_pages(settings: Settings, digests: Iterable[str]) -> None:
    with open_blobs(settings) as blobs:
        blobs.delete_blobs(digests)


def _store_pages(settings: Settings, pages: Mapping[str, bytes]) -> None:
    with open_blobs(settings) as blobs:
        for page in pages.values():
            blobs.put(page, page_kind(page))


def _write_zip(
    archived: ArchivedSession, steps: Mapping[str, Rows], pages: Mapping[str, bytes], missing: str
) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as file:
        file.comment = missing.encode()[:MAX_COMMENT]
        file.writestr(SESSION_FILE, archived.model_dump_json())
        file.writestr(STEPS_FILE, ArchivedSteps(steps=dict(steps)).model_dump_json())
        for digest, page in pages.items():
            file.writestr(BLOBS_FOLDER + digest, page)
    return body.getvalue()


def _read_archive(
    data: bytes, budget: ProofBudget
) -> tuple[ArchivedSession, dict[str, Rows], Mapping[str, bytes]]:
    """The session, steps by turn and pages by digest in a file. Raises UsageError.

    Everything is checked that can be checked without the store.
    """
    file = ArchiveFile(data, budget)
    try:
        session = file.read_json(SESSION_FILE)
        _refuse_newer(session)
        archived = ArchivedSession.model_validate_json(session)
        steps = ArchivedSteps.model_validate_json(file.read_json(STEPS_FILE)).steps
        graph_of(archived.session)
    except (ValidationError, DamagedError) as error:
        raise foreign_archive() from error
    turns = archived.chronicle.turns
    _check_asked([archived.session.question, *(turn.question for turn in turns)])
    names = [str(number) for number in range(1, len(steps) + 1)]
    if len(steps) != archived.session.turn or list(steps) != names:
        raise foreign_archive()
    if len(turns) != archived.session.turn - 1:
        raise foreign_archive()
    numbers = [event.seq for event in archived.chronicle.events]
    if len(numbers) > MAX_EVENTS:
        raise excessive(f"more than {MAX_EVENTS:,} events")
    if len(set(numbers)) < len(numbers) or not SESSION_ID.fullmatch(archived.session.id):
        raise foreign_archive()
    if len(archived.session.title) > MAX_TITLE_CHARACTERS:
        raise foreign_archive()
    return archived, steps, file.pages()


def _check_asked(questions: Iterable[Question]) -> None:
    """Raise UsageError for a question that nobody could have asked."""
    try:
        for question in questions:
            check_question(question)
            if len(question.text) + sum(map(len, question.sites)) > MAX_ASKED_CHARACTERS:
                raise foreign_archive()
    except (QuestionError, AddressError) as error:
        raise foreign_archive() from error


def _refuse_newer(session: bytes) -> None:
    """Raise UsageError for a format of a newer Forager, and ValidationError for none."""
    version = ArchivedVersion.model_validate_json(session).version
    if version > FORMAT:
        raise UsageError(
            f"This file has version {version} of the format, from a newer Forager; this one reads"
            f" version {FORMAT}.",
            "Install the newest Forager.",
        )
