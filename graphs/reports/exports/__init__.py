"""Sessions as documents, tables and references; and their verification."""

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from forager.adapters.store.sessions.session_store import Session
from forager.settings import Settings
from graphs.reports.exports.bibliography import as_bibtex, as_csl, as_ris
from graphs.reports.exports.csv_format import as_csv
from graphs.reports.exports.document import Export, as_json, assemble_export
from graphs.reports.exports.formats import read_parts
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.markdown_format import as_markdown
from graphs.reports.exports.pdf_format import print_pdf
from graphs.reports.report import Report

TEXT_FORMATS: Final[Mapping[str, Callable[[Export], str]]] = {
    "md": as_markdown,
    "json": as_json,
    "csv": as_csv,
    "html": as_html,
    "bib": as_bibtex,
    "ris": as_ris,
    "csl": as_csl,
}
PDF: Final = "pdf"
WORD: Final = "docx"


async def export(  # noqa: PLR0913
    session: Session,
    report: Report,
    settings: Settings,
    format: str,
    parts: str = "",
    *,
    sites: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """The session as a document with these parts, named with commas; text is UTF-8.

    `sites` are the names of sites that are served on this machine, by host.
    Raises UsageError, also for a bibliography without pages, and StoreError.
    """
    wanted = read_parts(parts, format)
    whole = await asyncio.to_thread(assemble_export, session, report, settings, wanted, sites)
    if format == PDF:
        return await print_pdf(as_html(whole), settings)
    if format == WORD:
        from graphs.reports.exports.docx_format import (  # noqa: PLC0415
            as_docx,  # its library takes a third of a second to import
        )

        return await asyncio.to_thread(as_docx, whole)
    return TEXT_FORMATS[format](whole).encode("utf-8", "replace")
