"""Shows the login, and who is logged in; see docs/web-ui.md."""

import streamlit as st

from ui.server.access.visitors import is_unverified
from ui.server.backend import find_asker, get_installation
from ui.web.components.component import mount_part
from ui.web.words import say

OWNER = "owner"


def show_login() -> bool:
    """Show the login if it is needed; returns whether the page must not be shown."""
    visitors = get_installation().visitors
    claims = _read_claims() if visitors.needs_provider else {}
    if visitors.admit(claims, st.context.cookies):
        return False
    st.title("Forager", anchor=False)
    if claims:
        st.text(_explain_refusal(claims))
        st.button(say("Log out"), on_click=st.logout)
    elif visitors.needs_provider:
        st.button(say("Log in"), type="primary", on_click=st.login)
    if visitors.asks_password and visitors.needs_provider:
        st.link_button(say("Log in with name and password"), "/login")
    elif visitors.asks_password:
        st.text(say("You are logged out. Log in to go on."))
        st.link_button(say("Log in"), "/login", type="primary")
    return True


def forget_other_account() -> None:
    """Drop what a page holds of an account after which another one logged in in its browser."""
    own = asker.account.id if (asker := find_asker()) else ""
    if st.session_state.setdefault(OWNER, own) != own:
        st.session_state.clear()
        st.session_state[OWNER] = own


def is_logged_in() -> bool:
    """Did this person log in, so that they can log out?"""
    return bool(_login_email()) or get_installation().visitors.asks_password


def login_settings() -> None:
    """Who is logged in, and a button to log out."""
    if _login_email():
        st.text(say("You are logged in as {address}.", address=_login_email()))
        st.button(say("Log out"), on_click=st.logout)
        return
    if find_asker() is None:
        st.text(say("You logged in with the password of this server."))
    mount_part("logout", "leave")


def _login_email() -> str:
    """The address of a login through a provider, else empty."""
    provided = get_installation().visitors.needs_provider
    return str(_read_claims().get("email") or "") if provided else ""


def _read_claims() -> dict[str, object]:
    return dict(st.user.to_dict()) if st.user.is_logged_in else {}


def _explain_refusal(claims: dict[str, object]) -> str:
    address = str(claims.get("email") or "")
    if not address:
        return say(
            "Your provider did not say which e-mail address is yours. Ask the person who "
            "runs this server to request the scope “email”."
        )
    if is_unverified(claims):
        return say(
            "Your provider has not verified that {address} is yours. Verify it there, "
            "then log out and in again.",
            address=address,
        )
    return say(
        "{address} may not log in here. Log out and in again with another account, or ask "
        "the person who runs this server to add the address to FORAGER_UI_USERS.",
        address=address,
    )
