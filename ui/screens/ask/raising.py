"""More budget for a run that spent what it had."""

import streamlit as st

from forager.errors import ForagerError
from forager.spend import Budget
from graphs.sessions import Session, Steer
from ui.screens.ask.budgets import NAMES
from ui.server.office import here

MORE = 2
"""A raised limit begins at so many times the one before."""
LIMITS = ("pages", "seconds", "rounds", "calls", "tokens", "usd")


def raising(session: Session) -> None:
    """The limits that the session has, each to be raised, and the way on."""
    budget = session.question.budget
    with st.popover("More budget", icon=":material/add_circle:"), st.form("more", border=False):
        limits: dict[str, float] = {}
        for name in LIMITS:
            old = getattr(budget, name)
            if old is not None:
                limits[name] = st.number_input(
                    NAMES[name],
                    min_value=type(old)(0) if name == "rounds" else old,
                    value=old * MORE,
                    key=f"more-{name}",
                )
        if st.form_submit_button("Raise it and go on", type="primary"):
            _go_on(session.id, Budget.model_validate(limits))


def _go_on(id: str, budget: Budget) -> None:
    try:
        here().desk.call(lambda to: to.go_on(id, None, Steer(budget=budget)))
    except ForagerError as error:
        st.session_state["refused"] = str(error)
    else:
        here().run(id)
    st.rerun()
