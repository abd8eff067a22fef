"""Who is logged in, and who may be; see docs/web-ui.md."""

import streamlit as st

from ui.parts.component import alone
from ui.server.access.visitors import PasswordVisitors, is_unverified
from ui.server.backend import get_backend as here


def shut() -> bool:
    """Is the page kept from whoever looks at it? Then it shows how to log in."""
    visitors = here().visitors
    claims = _claims() if visitors.needs_provider else {}
    if visitors.admit(claims, st.context.cookies):
        return False
    st.title("Forager", anchor=False)
    if claims:
        st.text(_refusal(claims))
        st.button("Log out", on_click=st.logout)
    else:
        st.button("Log in", type="primary", on_click=st.login)
    return True


def email() -> str:
    """The address that somebody is logged in with through a provider; else empty."""
    return str(_claims().get("email") or "") if here().visitors.needs_provider else ""


def inside() -> bool:
    """Did whoever looks at the page log in, and can log out?"""
    return bool(email()) or isinstance(here().visitors, PasswordVisitors)


def login() -> None:
    """Who is logged in, and the way out."""
    if not email():
        st.text("You came in with the password of this server.")
        alone("leave", "leave")
        return
    st.text(f"You are logged in as {email()}.")
    st.button("Log out", on_click=st.logout)


def _claims() -> dict[str, object]:
    return dict(st.user.to_dict()) if st.user.is_logged_in else {}


def _refusal(claims: dict[str, object]) -> str:
    address = str(claims.get("email") or "")
    if not address:
        return (
            "Your provider did not say which e-mail address is yours. "
            "Whoever runs this server can ask it for the scope “email”."
        )
    if is_unverified(claims):
        return (
            f"Your provider has not verified that {address} is yours. "
            "Verify it there, then log out and in again."
        )
    return (
        f"{address} is not among those who may come in. Log out and in again with another "
        "account, or ask whoever runs this server to add the address to FORAGER_UI_USERS."
    )
