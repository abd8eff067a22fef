"""One's own account in the settings: name and role, password, tokens, and logging out."""

import streamlit as st

from forager.accounts import SCOPES, Account, AccountToken, Scope, level_of
from forager.errors import ForagerError
from graphs.system.accounts.accounts import Accounts
from ui.server.people.account_routes import find_people, whoever_asks
from ui.web.login_page import login_settings
from ui.web.markdown import escape_markdown
from ui.web.words import later, local_dollars, local_time, say, say_told

SCOPE_LABELS: dict[Scope, str] = {
    "read": later("read: reads what I have"),
    "ask": later("ask: also asks questions"),
    "edit": later("edit: also changes methods"),
    "admin": later("admin: also manages accounts"),
}


def account_settings() -> None:
    """Who is logged in, what is left to spend, and the forms."""
    accounts, asker = whoever_asks()
    account = asker.account
    st.markdown(escape_markdown(say("{name}, {role}", name=account.name, role=account.role)))
    spent = local_dollars(accounts.spent_this_month().get(account.id, 0.0))
    if account.usd_per_month is None:
        st.caption(escape_markdown(say("Spent this month: {usd}.", usd=spent)))
    else:
        most = local_dollars(account.usd_per_month)
        st.caption(escape_markdown(say("Spent this month: {usd} of {most}.", usd=spent, most=most)))
    login_settings()
    st.subheader(say("Tokens"), anchor=False)
    st.caption(say("Programs use a token in your name: the API and chat clients."))
    _new_token(accounts, account)
    for token in accounts.list_tokens(account.id):
        _token_line(accounts, account, token)
    if accounts.password_of(account.id):
        _password_form(account)


def _new_token(accounts: Accounts, account: Account) -> None:
    if made := st.session_state.pop("made-token", ""):
        st.success(say("Copy the token now: it is not shown again."))
        st.code(made, language=None)
    with st.form("new-token"):
        name = st.text_input(say("What it is for"), key="token-name")
        scope = st.selectbox(
            say("What it may do"),
            SCOPES[: level_of(account.role) + 1],
            format_func=lambda each: say(SCOPE_LABELS[each]),
            key="token-scope",
        )
        days = st.number_input(
            say("Days until it expires"),
            min_value=1,
            value=None,
            placeholder=say("never"),
            key="token-days",
        )
        if st.form_submit_button(say("Create a token"), type="primary"):
            try:
                _, value = accounts.create_token(account.id, name, scope, days)
            except ForagerError as error:
                st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
                return
            st.session_state["made-token"] = value
            st.rerun()


def _token_line(accounts: Accounts, account: Account, token: AccountToken) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"token-{token.id}"):
        used = (
            say("last used {time}", time=local_time(token.used))
            if token.used is not None
            else say("never used")
        )
        ends = (
            say("never expires")
            if token.expires is None
            else say("expires {time}", time=local_time(token.expires))
        )
        st.text(" · ".join((token.name, token.scope, used, ends)))
        if st.button(say("Revoke"), key=f"revoke-{token.id}"):
            try:
                accounts.revoke_token(account.id, token.id)
            except ForagerError as error:
                st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
                return
            st.rerun()


def _password_form(account: Account) -> None:
    st.subheader(say("Password"), anchor=False)
    with st.form("own-password", clear_on_submit=True):
        old = st.text_input(
            say("Present password"),
            type="password",
            key="old-password",
            autocomplete="current-password",
        )
        new = st.text_input(
            say("New password"),
            type="password",
            key="own-new-password",
            autocomplete="new-password",
            help=say("It ends all logins of the account."),
        )
        if st.form_submit_button(say("Change the password")):
            try:
                find_people().login.change_password(account, old, new)
            except ForagerError as error:
                st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
                return
            st.rerun()
