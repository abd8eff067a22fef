"""The formats a session can be exported in."""

from typing import Final

from ui.server.backend import get_backend

OFFERED: Final = {
    "md": ("Markdown", "The answer with its quotes, for notes and repositories.", "text/markdown"),
    "html": ("Web page", "A single page to send or print; it needs no other file.", "text/html"),
    "pdf": ("PDF", "The same page, printed by the browser on this machine.", "application/pdf"),
    "csv": ("Table", "The answer's table, else every quote, for a spreadsheet.", "text/csv"),
    "json": ("JSON", "The whole report, for programs.", "application/json"),
    "zip": (
        "Whole session",
        "With every step and page. Import it elsewhere to show, fork or resume it there.",
        "application/zip",
    ),
}


def export_session(id: str, format: str) -> bytes:
    """A session as a file."""
    return get_backend().sessions.call(lambda sessions: sessions.export(id, format))
