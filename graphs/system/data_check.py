"""Whether a data folder is whole: every session, turn, row, blob and quote, and nothing left."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from forager.adapters.store.blob_store import BlobStore
from forager.adapters.store.row_faults import Fault, find_row_faults
from forager.domain.base import Frozen
from forager.domain.state import Evidence, State, Turn
from forager.errors import ForagerError, MissingBlobError
from forager.text.quotes import verify_quote
from graphs.reports.stored_pages import open_blobs, read_stored_page
from graphs.sessions.archive import report_blobs
from graphs.sessions.service import Sessions

TEMPORARY = ".*-????????"
"""The names of the temporary files of atomic writes."""


class DataCheck(Frozen):
    """How much was looked at, and what is wrong with it."""

    sessions: int = 0
    turns: int = 0
    blobs: int = 0
    quotes: int = 0
    faults: tuple[Fault, ...] = ()

    def count(self, kind: str) -> int:
        """The number of faults of a kind: lost, twice, unreadable, missing or left."""
        return sum(fault.kind == kind for fault in self.faults)


async def check_data(sessions: Sessions, expected: Mapping[str, int] | None = None) -> DataCheck:
    """Check the data folder of these sessions, none of which may run meanwhile.

    `expected` gives the number of turns of each session that must be there; sessions beyond those
    count as twice. Without it any are right. Raises StoreError for a file that cannot be opened.
    """
    settings = sessions.context.settings
    faults = list(await asyncio.to_thread(find_row_faults, settings))
    faults += _find_temporary(settings.data)
    found: dict[str, int] = {}
    blobs = quotes = 0
    with open_blobs(settings) as store:
        for item in await sessions.listing.search():
            found[item.line.id] = item.line.turn
            try:
                state, turns = await _read_whole(sessions, item.line.id)
            except ForagerError as error:
                faults.append(Fault("unreadable", item.line.id, error.what))
                continue
            named, cited = report_blobs(state, turns), list(_all_evidence(state, turns))
            blobs, quotes = blobs + len(named), quotes + len(cited)
            faults += _find_unreadable(store, item.line.id, named)
            faults += _find_unproved(store, item.line.id, cited)
    if expected is not None:
        faults += _compare_sessions(found, expected)
    return DataCheck(
        sessions=len(found),
        turns=sum(found.values()),
        blobs=blobs,
        quotes=quotes,
        faults=tuple(faults),
    )


async def _read_whole(sessions: Sessions, id: str) -> tuple[State, tuple[Turn, ...]]:
    """All that is stored of a session, read. Raises ForagerError for what cannot be."""
    store = await sessions.context.store()
    await asyncio.to_thread(store.read_chronicle, id)
    await sessions.show(id)
    return await sessions.context.read_state(id), await asyncio.to_thread(store.list_turns, id)


def _all_evidence(state: State, turns: Iterable[Turn]) -> Iterator[Evidence]:
    yield from state.evidence
    for turn in turns:
        yield from turn.evidence


def _find_unreadable(store: BlobStore, id: str, named: Iterable[str]) -> Iterator[Fault]:
    for digest in sorted(named):
        try:
            store.get(digest)
        except MissingBlobError as error:
            yield Fault("missing", id, error.what)
        except ForagerError as error:
            yield Fault("unreadable", id, error.what)


def _find_unproved(store: BlobStore, id: str, cited: Iterable[Evidence]) -> Iterator[Fault]:
    for item in cited:
        passage = item.passage
        page = read_stored_page(store, passage.blob)
        if page is None:
            continue  # told as a blob
        if not verify_quote(page.text, passage.start, passage.end, passage.text):
            yield Fault("unreadable", id, f"the quote {item.id} is not on its stored page")


def _compare_sessions(found: Mapping[str, int], expected: Mapping[str, int]) -> Iterator[Fault]:
    for id, turns in sorted(expected.items()):
        if id not in found:
            yield Fault("lost", id, "the session")
        elif found[id] < turns:
            yield Fault("lost", id, f"it has {found[id]} of {turns} turns")
        elif found[id] > turns:
            yield Fault("twice", id, f"it has {found[id]} turns, not {turns}")
    for id in sorted(found.keys() - expected.keys()):
        yield Fault("twice", id, "nobody began this session, or it was deleted")


def _find_temporary(data: Path) -> Iterator[Fault]:
    for path in sorted(data.rglob(TEMPORARY)):
        yield Fault("left", str(path.relative_to(data)), "a temporary file or folder")
