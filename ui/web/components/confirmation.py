"""The buttons at the foot of a dialog that asks before something is lost."""

import streamlit as st

from ui.web.components.component import mount_part
from ui.web.words import say


def confirm_loss(label: str, *, disabled: bool = False) -> bool:
    """Whether the button that goes ahead was pressed; Cancel, which has the focus, closes."""
    with st.container(key="confirmation", horizontal=True, horizontal_alignment="right"):
        if st.button(say("Cancel"), key="cancel-loss"):
            st.rerun()
        pressed = st.button(label, type="primary", key="confirm-loss", disabled=disabled)
        mount_part("first_focus", "first-focus", selector=".st-key-cancel-loss button")
    return pressed
