"""Do the quotes of an export stand in their pages? Checked word for word, without a model."""

import asyncio
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from forager.adapters.web.library import Library
from forager.domain.base import Frozen
from forager.domain.documents import Document
from forager.errors import StatusError, UsageError, WebError
from forager.ports import Blobs
from forager.settings import Settings
from forager.text.quotes import locate, verify
from graphs.reports.exports.csv_reader import sources
from graphs.reports.exports.document import VERSION
from graphs.reports.stored_pages import StoredPage, open_blobs, stored_page

Outcome = Literal["verbatim", "elsewhere", "changed", "gone", "not had", "not stored"]
GONE: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
CSV: Final = ".csv"
AGAIN: Final = "Write it with: forager export ID --format json --out FILE"


class Quoted(BaseModel):
    """What of an entry, or of a citation, can be checked."""

    model_config = ConfigDict(frozen=True)

    id: str
    url: str
    quote: str
    title: str = ""


class Located(Quoted):
    """An entry of the ledger, with where it was found."""

    blob: str = ""
    start: int = 0
    end: int = 0


class Earlier(BaseModel):
    """What of an earlier turn can be checked."""

    citations: tuple[Located, ...] = ()


class Exported(BaseModel):
    """What verification reads of an export; of CSV the quotes alone."""

    version: int = VERSION
    session: str
    question: str = ""
    citations: tuple[Quoted, ...]
    evidence: tuple[Located, ...]
    turns: tuple[Earlier, ...] = ()

    @property
    def quotes(self) -> tuple[Located, ...]:
        """The ledger's, and those that answers of earlier turns rest on."""
        return (*self.evidence, *(item for turn in self.turns for item in turn.citations))


class Checked(Frozen):
    """A quote and what became of it; `stands` when its page says it, `note` tells more."""

    id: str
    url: str
    title: str
    quote: str
    outcome: Outcome
    stands: bool
    note: str = ""


class Verified(Frozen):
    """Every quote of an export, in the export's order."""

    session: str
    question: str
    live: bool
    quotes: tuple[Checked, ...] = Field(default=())

    @property
    def stands(self) -> bool:
        """Do all of them?"""
        return all(each.stands for each in self.quotes)


def read(path: Path) -> Exported:
    """The export in a file. Raises UsageError for what is none."""
    try:
        data = path.read_bytes().removeprefix(BOM_UTF8)
        found = _of_csv(path, data) if path.suffix == CSV else Exported.model_validate_json(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", AGAIN) from error
    except ValidationError as error:
        raise UsageError(f"{path} {_misfit(error.errors()[0])}.", AGAIN) from error
    if found.version > VERSION:
        raise UsageError(f"{path} was written by a newer Forager.", "Bring this one up to date.")
    return found


def _of_csv(path: Path, data: bytes) -> Exported:
    found = sources(data.decode("utf-8", "replace"))
    if found is None:
        said = f"{path} is no CSV export of a session, or one that has lost columns."
        raise UsageError(said, AGAIN.replace("json", "csv"))
    return Exported(
        session="", citations=(), evidence=tuple(Located(**each._asdict()) for each in found)
    )


def _misfit(fault: ErrorDetails) -> str:
    if fault["type"] == "json_invalid":
        return f"is torn, or no JSON: {fault['ctx']['error']}"
    where = ".".join(map(str, fault["loc"]))
    return f"is no JSON export of a session{f': {where} is missing or wrong' if where else ''}"


async def verified(path: Path, settings: Settings, *, live: bool) -> Verified:
    """Check the quotes against the stored pages, or against the pages as they are now.

    Raises UsageError for a file that is no export, and StoreError.
    """
    export = await asyncio.to_thread(read, path)
    with open_blobs(settings) as blobs:
        if live:
            pages = await _fetched({item.url for item in export.quotes}, settings, blobs)
            found = [_now(item, pages[item.url]) for item in export.quotes]
        else:
            found = [_stored(item, stored_page(blobs, item.blob)) for item in export.quotes]
    quotes = (*found, *_contradicting(export))
    return Verified(session=export.session, question=export.question, live=live, quotes=quotes)


def _stored(item: Located, page: StoredPage | None) -> Checked:
    """Against the page as it was read: nothing can have moved there, but the export."""
    if page is None:
        return _checked(item, "not stored", "the page is not in the data folder")
    if page.url != item.url:
        return _checked(item, "changed", f"the stored page is {page.url}")
    if verify(page.text, item.start, item.end, item.quote):
        return _checked(item, "verbatim", stands=True)
    if item.quote.strip() and item.quote in page.text:
        return _checked(item, "elsewhere", "not at the offsets that the export names")
    return _checked(item, "changed", "the stored page does not say this")


def _now(item: Located, page: Document | WebError) -> Checked:
    if isinstance(page, StatusError) and page.status in GONE:
        return _checked(item, "gone", page.what)
    if isinstance(page, WebError):
        return _checked(item, "not had", str(page))
    if verify(page.text, item.start, item.end, item.quote):
        return _checked(item, "verbatim", stands=True)
    if locate(page.text, item.quote):
        return _checked(item, "elsewhere", stands=True)
    return _checked(item, "changed", page.note or "the page does not say this now")


def _contradicting(export: Exported) -> Iterator[Checked]:
    """Citations that are not what the ledger has under their ids."""
    said = {item.id: (item.url, item.quote) for item in export.evidence}
    for item in export.citations:
        if item.id not in said:
            yield _checked(item, "changed", "cited, and not in the ledger")
        elif said[item.id] != (item.url, item.quote):
            yield _checked(item, "changed", "cited in other words than the ledger has")


async def _fetched(
    urls: Iterable[str], settings: Settings, blobs: Blobs
) -> dict[str, Document | WebError]:
    """The pages as they are now; what is in the cache is asked for again."""
    library = Library(settings.model_copy(update={"survey_age_seconds": 0.0}), blobs)

    async def page(url: str) -> Document | WebError:
        try:
            return (await library.open(url)).document
        except WebError as error:
            return error

    wanted = sorted(urls)
    try:
        return dict(zip(wanted, await asyncio.gather(*map(page, wanted)), strict=True))
    finally:
        await library.aclose()


def _checked(item: Quoted, outcome: Outcome, note: str = "", *, stands: bool = False) -> Checked:
    return Checked(
        id=item.id,
        url=item.url,
        title=item.title,
        quote=item.quote,
        outcome=outcome,
        stands=stands,
        note=note,
    )
