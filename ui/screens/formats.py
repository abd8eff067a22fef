"""What a session can be exported as, and a session as such a file."""

from typing import Final

from ui.server.backend import get_backend as here

OFFERED: Final = {
    "md": (
        "Markdown",
        "The answer with its quotes, for notes and for repositories.",
        "text/markdown",
    ),
    "html": ("Web page", "One page that needs nothing else, to be sent or printed.", "text/html"),
    "pdf": ("PDF", "The same, printed by the browser on this machine.", "application/pdf"),
    "csv": ("Table", "The answer's table, or else every quote, for a spreadsheet.", "text/csv"),
    "json": ("JSON", "All that is told of the session, for programs.", "application/json"),
    "zip": (
        "Whole session",
        "With every step and page, to be imported elsewhere: shown, forked and resumed there.",
        "application/zip",
    ),
}


def exported(id: str, format: str) -> bytes:
    """A session as a document."""
    return here().desk.call(lambda sessions: sessions.export(id, format))
