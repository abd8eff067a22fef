"""Sessions as documents: Markdown, JSON, CSV, HTML and PDF; and their verification."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from forager.adapters.store.sessions.session_store import Session
from forager.errors import UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean
from graphs.reports.exports.csv_format import as_csv
from graphs.reports.exports.document import Export, as_json, assemble_export
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.markdown_format import as_markdown
from graphs.reports.exports.pdf_format import print_pdf
from graphs.reports.report import Report

TEXT_FORMATS: Final[Mapping[str, Callable[[Export], str]]] = {
    "md": as_markdown,
    "json": as_json,
    "csv": as_csv,
    "html": as_html,
}
PDF: Final = "pdf"
FORMATS: Final = (*TEXT_FORMATS, PDF)


async def export(session: Session, report: Report, settings: Settings, format: str) -> bytes:
    """The session as a document; text is UTF-8. Raises UsageError and StoreError."""
    if format not in FORMATS:
        raise UsageError(f"There is no format {format!r}.", did_you_mean(format, FORMATS))
    whole = await asyncio.to_thread(assemble_export, session, report, settings)
    if format == PDF:
        return await print_pdf(as_html(whole), settings)
    return TEXT_FORMATS[format](whole).encode("utf-8", "replace")
