"""The buttons at the foot of a dialog that asks before something is lost, and notices after it."""

import streamlit as st

from ui.server.pending_deletions import PendingDeletions, PendingForgets
from ui.web.components.component import mount_part
from ui.web.tab_state import widget_value
from ui.web.words import say

HOLD = "undo-hold"


def confirm_loss(label: str, *, disabled: bool = False) -> bool:
    """Whether the button that goes ahead was pressed; Cancel, which has the focus, closes."""
    with st.container(key="confirmation", horizontal=True, horizontal_alignment="right"):
        if st.button(say("Cancel"), key="cancel-loss"):
            st.rerun()
        pressed = st.button(label, type="primary", key="confirm-loss", disabled=disabled)
        mount_part("first_focus", "first-focus", selector=".st-key-cancel-loss button")
    return pressed


def hold_while_read(pending: PendingDeletions | PendingForgets) -> None:
    """Let what is pending wait while its notices, in the container `deletions`, are looked at."""
    if pending.waiting():

        def hold() -> None:
            told = widget_value(HOLD)  # None once the last notice is gone
            pending.hold(held=told is not None and told["hold"] == "held")

        mount_part("undo_hold", HOLD, selector=".st-key-deletions", on_hold_change=hold)
