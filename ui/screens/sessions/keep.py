"""What is asked before a session is let go."""

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions import Session
from ui.screens.memory.items import with_memory
from ui.server.office import here


@st.dialog("Delete this session?")
def delete(session: Session) -> None:
    """Ask first; what it taught can go with it."""
    st.text(session.question.text)
    st.caption("Its steps, events and answers go. The pages that it read stay in the cache.")
    forget = st.checkbox("Forget what it taught, too", value=True)
    if st.button("Delete", type="primary"):
        try:
            here().desk.call(lambda sessions: sessions.delete(session.id))
            if forget:
                with_memory(lambda known: known.forget(session=session.id))
        except ForagerError as error:
            st.text(f"{error.what} {error.mend}")
            return
        st.query_params.clear()
        st.rerun()
