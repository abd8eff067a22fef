"""Who is logged in through a provider, and who may be; see docs/web-ui.md."""

import streamlit as st

from ui.server.office import here


def shut() -> bool:
    """Is the page kept from whoever looks at it? Then it shows how to log in."""
    who = here().who
    if who.knows({}):
        return False
    claims = st.user.to_dict() if st.user.is_logged_in else {}
    if who.knows(claims):
        return False
    st.title("Forager", anchor=False)
    if claims:
        st.text(f"{claims.get('email', 'This account')} is not among those who may come in.")
        st.button("Log out", on_click=st.logout)
    else:
        st.button("Log in", type="primary", on_click=st.login)
    return True
