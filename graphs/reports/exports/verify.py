"""Checks word for word, without a model, that the quotes of an export are on their pages."""

import asyncio
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from forager.adapters.web.library import WebLibrary
from forager.domain.base import Frozen
from forager.domain.documents import Document
from forager.errors import StatusError, UsageError, WebError
from forager.ports import Blobs
from forager.settings import Settings
from forager.text.quotes import find_quote, verify_quote
from graphs.reports.exports.csv_format import read_sources
from graphs.reports.exports.document import EXPORT_VERSION
from graphs.reports.stored_pages import StoredPage, open_blobs, read_stored_page

QuoteOutcome = Literal["verbatim", "elsewhere", "changed", "gone", "not had", "not stored"]
GONE_STATUSES: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
CSV_SUFFIX: Final = ".csv"
OTHER_FORMATS: Final = {".html": "an HTML", ".md": "a Markdown", ".pdf": "a PDF", ".zip": "a ZIP"}
NOT_STORED: Final = (
    "the page is not in the data folder; --live fetches it and checks it as it is now"
)
EXPORT_AGAIN: Final = "Export it again: forager export ID --format json --out FILE"


class ExportedQuote(BaseModel):
    """What can be checked of a quote or a citation."""

    model_config = ConfigDict(frozen=True)

    id: str
    url: str
    quote: str
    title: str = ""


class LocatedQuote(ExportedQuote):
    """A quote of the ledger with its place."""

    blob: str = ""
    start: int = 0
    end: int = 0


class ExportedTurn(BaseModel):
    """What can be checked of an earlier turn."""

    citations: tuple[LocatedQuote, ...] = ()


class Exported(BaseModel):
    """What verification reads of an export; of CSV only the quotes."""

    version: int = EXPORT_VERSION
    session: str
    question: str = ""
    citations: tuple[ExportedQuote, ...]
    evidence: tuple[LocatedQuote, ...]
    turns: tuple[ExportedTurn, ...] = ()

    @property
    def quotes(self) -> tuple[LocatedQuote, ...]:
        """The quotes of the ledger, and those of earlier answers."""
        return (*self.evidence, *(item for turn in self.turns for item in turn.citations))


class CheckedQuote(Frozen):
    """A quote and its verdict: `stands` is true where its page has it, `note` says more."""

    id: str
    url: str
    title: str
    quote: str
    outcome: QuoteOutcome
    stands: bool
    note: str = ""


class Verification(Frozen):
    """The verdicts on all quotes of an export, in its order."""

    session: str
    question: str
    live: bool
    quotes: tuple[CheckedQuote, ...] = Field(default=())

    @property
    def all_stand(self) -> bool:
        """Whether all quotes are on their pages."""
        return all(each.stands for each in self.quotes)


def read_export(path: Path) -> Exported:
    """The export in a file. Raises UsageError for any other file."""
    try:
        data = path.read_bytes().removeprefix(BOM_UTF8)
        found = (
            _read_csv(path, data)
            if path.suffix == CSV_SUFFIX
            else Exported.model_validate_json(data)
        )
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", EXPORT_AGAIN) from error
    except ValidationError as error:
        if other := OTHER_FORMATS.get(path.suffix):
            what = f"{path} is {other} export; verify reads JSON and CSV exports."
            raise UsageError(what, EXPORT_AGAIN) from error
        raise UsageError(f"{path} {_describe_misfit(error.errors()[0])}.", EXPORT_AGAIN) from error
    if found.version > EXPORT_VERSION:
        raise UsageError(f"{path} was written by a newer Forager.", "Update this one.")
    return found


def _read_csv(path: Path, data: bytes) -> Exported:
    found = read_sources(data.decode("utf-8", "replace"))
    if found is None:
        what = f"{path} is not a CSV export of a session, or has lost columns."
        raise UsageError(what, EXPORT_AGAIN.replace("json", "csv"))
    return Exported(
        session="", citations=(), evidence=tuple(LocatedQuote(**each._asdict()) for each in found)
    )


def _describe_misfit(fault: ErrorDetails) -> str:
    if fault["type"] == "json_invalid":
        return f"is damaged, or not JSON: {fault['ctx']['error']}"
    where = ".".join(map(str, fault["loc"]))
    return f"is not a JSON export of a session{f': {where} is missing or wrong' if where else ''}"


async def verify_export(path: Path, settings: Settings, *, live: bool) -> Verification:
    """Check the quotes against the stored pages or, if `live`, against the pages as they are now.

    Raises UsageError for a file that is not an export, and StoreError.
    """
    return await verify_quotes(await asyncio.to_thread(read_export, path), settings, live=live)


async def verify_quotes(export: Exported, settings: Settings, *, live: bool) -> Verification:
    """The same for an export that was read before. Raises StoreError."""
    with open_blobs(settings) as blobs:
        if live:
            pages = await _fetch_pages({item.url for item in export.quotes}, settings, blobs)
            found = [_check_live(item, pages[item.url]) for item in export.quotes]
        else:
            found = [
                _check_stored(item, read_stored_page(blobs, item.blob)) for item in export.quotes
            ]
    quotes = (*found, *_check_citations(export))
    return Verification(session=export.session, question=export.question, live=live, quotes=quotes)


def _check_stored(item: LocatedQuote, page: StoredPage | None) -> CheckedQuote:
    """Check a quote against the page as it was read, which cannot have changed since."""
    if page is None:
        return _checked_quote(item, "not stored", NOT_STORED)
    if page.url != item.url:
        return _checked_quote(item, "changed", f"the stored page is {page.url}")
    if verify_quote(page.text, item.start, item.end, item.quote):
        return _checked_quote(item, "verbatim", stands=True)
    if item.quote.strip() and item.quote in page.text:
        return _checked_quote(item, "elsewhere", "on the page, but at other offsets")
    return _checked_quote(item, "changed", "the stored page does not say this")


def _check_live(item: LocatedQuote, page: Document | WebError) -> CheckedQuote:
    if isinstance(page, StatusError) and page.status in GONE_STATUSES:
        return _checked_quote(item, "gone", page.what)
    if isinstance(page, WebError):
        return _checked_quote(item, "not had", str(page))
    if verify_quote(page.text, item.start, item.end, item.quote):
        return _checked_quote(item, "verbatim", stands=True)
    if find_quote(page.text, item.quote):
        return _checked_quote(item, "elsewhere", stands=True)
    return _checked_quote(item, "changed", page.note or "the page does not say this now")


def _check_citations(export: Exported) -> Iterator[CheckedQuote]:
    """Citations that differ from the ledger's quotes of the same ids."""
    ledger = {item.id: (item.url, item.quote) for item in export.evidence}
    for item in export.citations:
        if item.id not in ledger:
            yield _checked_quote(item, "changed", "cited, but not in the ledger")
        elif ledger[item.id] != (item.url, item.quote):
            yield _checked_quote(item, "changed", "cited in words that differ from the ledger")


async def _fetch_pages(
    urls: Iterable[str], settings: Settings, blobs: Blobs
) -> dict[str, Document | WebError]:
    """The pages as they are now; cached pages are revalidated."""
    library = WebLibrary(settings.model_copy(update={"survey_age_seconds": 0.0}), blobs)

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


def _checked_quote(
    item: ExportedQuote, outcome: QuoteOutcome, note: str = "", *, stands: bool = False
) -> CheckedQuote:
    return CheckedQuote(
        id=item.id,
        url=item.url,
        title=item.title,
        quote=item.quote,
        outcome=outcome,
        stands=stands,
        note=note,
    )
