"""What doctor finds: the browser, the embedder, disk, packages."""

import streamlit as st

from graphs.system.doctor import Check, examine
from ui.server.backend import get_backend as here


def machine() -> None:
    """Looked at when asked: it starts the browser to see whether it works."""
    if st.button(
        "Look again" if "checks" in st.session_state else "Look", icon=":material/search:"
    ):
        with st.spinner("Looking at packages, disk, browser and models"):
            st.session_state["checks"] = examine(here().settings)
    checks: list[Check] = st.session_state.get("checks", [])
    if not checks:
        st.caption("It takes a few seconds: the browser is started to see whether it works.")
    for check in checks:
        with st.container(horizontal=True, vertical_alignment="center"):
            _sign(check)
            st.text(f"{check.name}: {check.found}")
        if check.mend:
            st.caption(check.mend)


def _sign(check: Check) -> None:
    if check.state == "ok":
        st.badge("ok", icon=":material/check_circle:", color="green")
    elif check.state == "missing":
        st.badge("missing", icon=":material/cancel:", color="red")
    else:
        st.badge("off", icon=":material/circle:", color="gray")
