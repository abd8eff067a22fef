"""The formats a session can be exported in, with the parts of the documents among them."""

from collections.abc import Mapping
from functools import partial
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from forager.errors import ForagerError
from graphs.reports.exports.document import session_title
from graphs.reports.exports.formats import FORMATS, PARTS, TO_READ, Part, file_name
from graphs.reports.exports.offline_sheet import has_browser
from graphs.sessions.archive import ZIP
from graphs.sessions.service import Report, Session, Sessions
from ui.language.document_wording import document_wording
from ui.server.backend import get_backend
from ui.server.examples.example_sites import name_shipped_sites
from ui.server.shared_page import shared_path
from ui.web.markdown import escape_markdown
from ui.web.share_form import share_form
from ui.web.words import later, page_language, say, say_told


class Offer(NamedTuple):
    """A format as a page shows it."""

    label: str
    what: str


OFFERED: Final[Mapping[str, Mapping[str, Offer]]] = {
    later("Document"): {
        "md": Offer(later("Markdown"), later("For notes and repositories.")),
        "docx": Offer(later("Word"), later("For a text that you keep editing.")),
        "pdf": Offer(later("PDF"), later("The web page, printed by the browser on this machine.")),
        "html": Offer(later("Web page"), later("One self-contained page to send or print.")),
    },
    later("References"): {
        "bib": Offer(later("BibTeX"), later("The cited pages, for LaTeX.")),
        "ris": Offer(later("RIS"), later("The cited pages, for Zotero, EndNote and Mendeley.")),
        "csl": Offer(later("CSL-JSON"), later("The cited pages, for Pandoc and Zotero.")),
    },
    later("Data"): {
        "csv": Offer(
            later("Table"), later("The answer's table, else every quote, for a spreadsheet.")
        ),
        "json": Offer(later("JSON"), later("The whole report, for programs.")),
        ZIP: Offer(
            later("Whole session"),
            later(
                "With every step and page. Import it elsewhere to show, fork or resume it there."
            ),
        ),
    },
}
NO_BROWSER: Final = later(
    "A PDF needs Chromium or Chrome, and none was found on this machine. Export the web page and "
    "print that."
)
PART_LABELS: Final[Mapping[Part, str]] = {
    "answer": later("Answer"),
    "sources": later("Sources"),
    "evidence": later("Other evidence"),
    "steps": later("Steps"),
    "run": later("Run"),
}

LINK_OPENS: Final = later(
    "Anyone with the link can read the current answer and its sources without logging in."
)


def export_session(id: str, format: str, parts: str, language: str) -> bytes:
    """A session as a file, with these parts, named with commas, in the language of the page."""
    office = get_backend()
    wording, names = document_wording(language), name_shipped_sites(office.settings.data)
    return office.sessions.call(lambda to: to.export(id, format, parts, wording, sites=names))


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
        st.caption(f"**{say(kind)}**")
        parts = _choose_parts(session.id) if kind == "Document" else ""
        if kind == "References" and not _cites(report):
            st.caption(say("No page is cited."))
            continue
        if explained:
            for format, offer in formats.items():
                with st.container(
                    horizontal=True, vertical_alignment="center", key=f"export-{format}"
                ):
                    _export_button(session, report, format, offer, parts, width=160)
                    st.caption(say(offer.what))
            continue
        with st.container(horizontal=True, gap="small", key=f"export-{kind.lower()}"):
            for format, offer in formats.items():
                _export_button(session, report, format, offer, parts)
    _share_link(session.id)
    share_form("session", session.id)


def _choose_parts(id: str) -> str:
    """The parts that are chosen, with commas; empty for none, which gives the usual ones."""
    chosen = st.pills(
        say("Parts of the document"),
        PARTS,
        format_func=lambda part: say(PART_LABELS[part]),
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
    what = "" if width != "content" else say(offer.what)
    if hindered := format == "pdf" and not has_browser(get_backend().settings):
        what = say(NO_BROWSER)
    st.download_button(
        say(offer.label),
        data=partial(export_session, session.id, format, parts, page_language()),
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
    visitors = get_backend().visitors
    if not (visitors.asks_password or visitors.needs_provider):
        return
    st.caption(f"**{say('Link to read')}**")
    token = get_backend().sessions.call(lambda to: to.listing.share_token(id))
    if token:
        page = urlsplit(st.context.url or "")
        link = f"{page.scheme}://{page.netloc}{shared_path(token, get_backend().account)}"
        st.code(link, language=None, wrap_lines=True)
        st.caption(say(LINK_OPENS))
    label, icon, help = (
        (say("End the link"), ":material/link_off:", None)
        if token
        else (say("Share a link"), ":material/link:", say(LINK_OPENS))
    )
    if st.button(label, icon=icon, help=help, key=f"share-{bool(token)}-{id}"):
        try:
            get_backend().sessions.call(lambda to: _turn_link(to, id, on=not token))
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        else:
            st.rerun(scope="fragment")


async def _turn_link(sessions: Sessions, id: str, *, on: bool) -> None:
    if on:
        await sessions.listing.share(id)
    else:
        await sessions.listing.end_share(id)
