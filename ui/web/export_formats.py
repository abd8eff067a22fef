"""The formats a session can be exported in, with the parts of the documents among them."""

from collections.abc import Mapping
from functools import partial
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.exports.document import session_title
from graphs.reports.exports.formats import FORMATS, PARTS, TO_READ, Part, file_name
from graphs.reports.exports.pdf_format import can_print
from graphs.sessions.archive import ZIP
from graphs.sessions.service import Report, Session, Sessions
from ui.server.access.visitors import ANYBODY
from ui.server.backend import get_backend
from ui.server.shared_page import shared_path
from ui.web.markdown import escape_markdown


class Offer(NamedTuple):
    """A format as a page shows it."""

    label: str
    what: str


OFFERED: Final[Mapping[str, Mapping[str, Offer]]] = {
    "Document": {
        "md": Offer("Markdown", "For notes and repositories."),
        "docx": Offer("Word", "For a text that you go on writing."),
        "pdf": Offer("PDF", "The web page, printed by the browser on this machine."),
        "html": Offer("Web page", "A single page to send or print; it needs no other file."),
    },
    "References": {
        "bib": Offer("BibTeX", "The cited pages, for LaTeX."),
        "ris": Offer("RIS", "The cited pages, for Zotero, EndNote and Mendeley."),
        "csl": Offer("CSL-JSON", "The cited pages, for Pandoc and Zotero."),
    },
    "Data": {
        "csv": Offer("Table", "The answer's table, else every quote, for a spreadsheet."),
        "json": Offer("JSON", "The whole report, for programs."),
        ZIP: Offer(
            "Whole session",
            "With every step and page. Import it elsewhere to show, fork or resume it there.",
        ),
    },
}
NO_BROWSER: Final = (
    "A PDF needs Chromium or Chrome, and none was found on this machine. Export the web page and "
    "print that."
)
PART_LABELS: Final[Mapping[Part, str]] = {
    "answer": "Answer",
    "sources": "Sources",
    "evidence": "Other evidence",
    "steps": "Steps",
    "run": "Run",
}

LINK_OPENS: Final = (
    "Whoever has the link reads the answer with its sources, without logging in, as they are when "
    "it is opened."
)


def export_session(id: str, format: str, parts: str = "") -> bytes:
    """A session as a file, with these parts, named with commas."""
    return get_backend().sessions.call(lambda sessions: sessions.export(id, format, parts))


def export_file_name(session: Session, report: Report, format: str) -> str:
    """The name of that file, from the title of the session."""
    ending = FORMATS[format].ending if format in FORMATS else ZIP
    return file_name(session_title(session.title, report), session.id, ending)


@st.fragment
def export_menu(session: Session, report: Report, *, explained: bool) -> None:
    """A button for each format, by kind, and the session's link.

    A file is made when its button is pressed.
    """
    for kind, formats in OFFERED.items():
        st.caption(f"**{kind}**")
        parts = _choose_parts(session.id) if kind == "Document" else ""
        if kind == "References" and not _cites(report):
            st.caption("No page is cited.")
            continue
        if explained:
            for format, offer in formats.items():
                with st.container(
                    horizontal=True, vertical_alignment="center", key=f"export-{format}"
                ):
                    _export_button(session, report, format, offer, parts, width=160)
                    st.caption(offer.what)
            continue
        with st.container(horizontal=True, gap="small", key=f"export-{kind.lower()}"):
            for format, offer in formats.items():
                _export_button(session, report, format, offer, parts)
    _share_link(session.id)


def _choose_parts(id: str) -> str:
    """The parts that are chosen, with commas; empty for none, which gives the usual ones."""
    chosen = st.pills(
        "Parts of the document",
        PARTS,
        format_func=PART_LABELS.__getitem__,
        selection_mode="multi",
        default=TO_READ,
        key=f"parts-{id}",
        label_visibility="collapsed",
    )
    return ",".join(chosen)


def _cites(report: Report) -> bool:
    return bool(report.citations) or any(turn.citations for turn in report.turns)


def _export_button(  # noqa: PLR0913
    session: Session,
    report: Report,
    format: str,
    offer: Offer,
    parts: str,
    *,
    width: int | Literal["content"] = "content",
) -> None:
    what = "" if width != "content" else offer.what
    if hindered := format == "pdf" and not can_print(get_backend().settings):
        what = NO_BROWSER
    st.download_button(
        offer.label,
        data=partial(export_session, session.id, format, parts),
        file_name=export_file_name(session, report, format),
        mime=FORMATS[format].media_type if format in FORMATS else "application/zip",
        key=f"download-{format}-{session.id}",
        help=what or None,
        disabled=hindered,
        icon=":material/download:",
        on_click="ignore",
        width=width,
    )


@st.fragment
def _share_link(id: str) -> None:
    """The link with a button that ends it, or a button that makes one; nothing without logins."""
    if get_backend().visitors is ANYBODY:
        return
    st.caption("**Link to read**")
    token = get_backend().sessions.call(lambda to: to.listing.share_token(id))
    if token:
        page = urlsplit(st.context.url or "")
        link = f"{page.scheme}://{page.netloc}{shared_path(token)}"
        st.code(link, language=None, wrap_lines=True)
        st.caption(LINK_OPENS)
    label, icon, help = (
        ("End the link", ":material/link_off:", None)
        if token
        else ("Share a link", ":material/link:", LINK_OPENS)
    )
    if st.button(label, icon=icon, help=help, key=f"share-{bool(token)}-{id}"):
        try:
            get_backend().sessions.call(lambda to: _turn_link(to, id, on=not token))
        except ForagerError as error:
            st.error(escape_markdown(str(error)), icon=":material/cancel:")
        else:
            st.rerun(scope="fragment")


async def _turn_link(sessions: Sessions, id: str, *, on: bool) -> None:
    if on:
        await sessions.listing.share(id)
    else:
        await sessions.listing.end_share(id)
