"""The title and the icon of a run's browser tab: other tabs show by them that it waits or ended."""

from pathlib import Path
from typing import Final

import streamlit as st

from graphs.sessions.service import Report, Session
from ui.server.live.session_status import ACTIVE, RESUMABLE, display_status
from ui.web.screens.sessions.session_rows import FILTERS

ICONS: Final = Path(__file__).parents[2] / "static"


def title_run(session: Session, report: Report) -> None:
    """Set both for the status of the run."""
    words = FILTERS[display_status(report.status, report.answer)]
    st.set_page_config(page_title=f"{words} · {session.question.text}", page_icon=_icon(report))


def _icon(report: Report) -> str:
    if report.status == "waiting":
        return str(ICONS / "logo-waiting.svg")
    plain = report.status in ACTIVE | RESUMABLE
    return str(ICONS / ("logo.svg" if plain else "logo-ended.svg"))
