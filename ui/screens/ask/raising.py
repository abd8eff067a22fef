"""More budget for a run that spent what it had."""

import streamlit as st

from forager.domain.spend import Budget
from forager.errors import ForagerError
from graphs.sessions.service import Session, Steer
from ui.parts.plain import escaped
from ui.screens.ask.budgets import NAMES
from ui.server.backend import get_backend as here

MORE = 2
"""A raised limit begins at so many times the one before."""
REFUSED = "unraised"
"""Why the budget could not be raised, said where it was asked for."""
LIMITS = ("pages", "seconds", "rounds", "calls", "tokens", "usd")


def raising(session: Session, *, ended: bool) -> None:
    """The limits that the session has, each to be raised, and the way on where it has ended."""
    budget = session.question.budget
    granted = "-".join(str(getattr(budget, name)) for name in LIMITS)
    popover = st.popover(
        "More budget",
        icon=":material/add_circle:",
        type="tertiary",
        key=f"raising-{session.id}-{granted}",  # another one, shut, once the budget is raised
    )
    with popover, st.form("more", border=False):
        limits: dict[str, float] = {}
        for name in LIMITS:
            old = getattr(budget, name)
            if old is not None:
                limits[name] = st.number_input(
                    NAMES[name],
                    min_value=type(old)(0) if name == "rounds" else old,
                    value=old * MORE,
                    format="%g" if isinstance(old, float) else None,
                    key=f"more-{name}-{old}-{session.id}",
                )
        if st.form_submit_button("Raise it and go on" if ended else "Raise it", type="primary"):
            _raise(session.id, Steer(budget=Budget.model_validate(limits)), ended=ended)
        if refused := st.session_state.pop(REFUSED, ""):
            st.error(escaped(refused))


def _raise(id: str, change: Steer, *, ended: bool) -> None:
    """A run under way takes it up; one that ended goes back to where it turned to its end."""
    try:
        if ended:
            here().desk.call(lambda to: to.go_on(id, None, change))
            here().run(id)
        else:
            here().desk.call(lambda to: to.steer(id, change))
    except ForagerError as error:
        st.session_state[REFUSED] = str(error)
    st.rerun()
