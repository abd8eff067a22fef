"""The page Users, for admins: every account with its role, its limits and what it has spent."""

from collections.abc import Callable

import streamlit as st

from forager.accounts import ROLES, Account, Role
from forager.errors import ForagerError
from graphs.system.accounts.accounts import Accounts
from ui.server.access.password_hash import hash_password
from ui.server.backend import require_role
from ui.server.people.account_bodies import AccountChange
from ui.server.people.account_routes import apply_change, remove_with_space, whoever_asks
from ui.web.components.confirmation import confirm_loss
from ui.web.components.dialog import dialog
from ui.web.markdown import escape_markdown
from ui.web.words import later, local_dollars, local_time, say, say_told

ROLE_LABELS: dict[Role, str] = {
    "viewer": later("viewer: reads what is shared"),
    "asker": later("asker: asks questions"),
    "editor": later("editor: also changes methods"),
    "admin": later("admin: also manages accounts"),
}

WHAT_ENDS = later("A disabled account has no logins and no tokens; what it has stored stays.")


def page() -> None:
    """What was spent, each account with a form, and a form for a new one."""
    require_role("admin")
    accounts, asker = whoever_asks()
    everyone, spent = accounts.list(), accounts.spent_this_month()
    st.title(say("Users"), anchor=False)
    total = local_dollars(sum(spent.values()))
    st.caption(
        escape_markdown(say("Spent this month by all together: {total} (UTC).", total=total))
    )
    rows = [
        {
            say("name"): each.name,
            say("role"): each.role,
            say("spent this month"): local_dollars(spent.get(each.id, 0.0)),
            say("limit"): _describe_limit(each),
            say("state"): say("disabled") if each.disabled else say("active"),
            say("e-mail"): each.email,
            say("since"): local_time(each.created),
        }
        for each in everyone
    ]
    st.dataframe(rows, hide_index=True)
    with st.expander(say("Add an account"), icon=":material/person_add:"):
        _adding_form(accounts)
    names = [each.name for each in everyone]
    chosen = st.selectbox(say("Change an account"), names, key="account-chosen")
    account = next((each for each in everyone if each.name == chosen), None)
    if account is not None:
        _changing_form(accounts, account, own=account.id == asker.account.id)


def _adding_form(accounts: Accounts) -> None:
    with st.form("add-account", border=False):
        name = st.text_input(say("Name"), key="new-name", autocomplete="off")
        role = st.selectbox(
            say("Role"), ROLES, index=1, format_func=_role_label, key="new-account-role"
        )
        email = st.text_input(
            say("E-mail"),
            key="new-email",
            help=say("The address that a login provider vouches for."),
        )
        password = st.text_input(
            say("Password"), type="password", key="new-password", autocomplete="new-password"
        )
        if st.form_submit_button(say("Add"), type="primary"):

            def add() -> None:
                line = hash_password(password) if password or not email else ""
                added = accounts.add(name, role, email=email, password=line)
                st.session_state["account-chosen"] = added.name

            _carry_out(add)


def _changing_form(accounts: Accounts, account: Account, *, own: bool) -> None:
    key = f"{account.id}-{account.stamp}"
    with st.form(f"change-{key}"):
        role = st.selectbox(
            say("Role"),
            ROLES,
            index=ROLES.index(account.role),
            format_func=_role_label,
            key=f"role-{key}",
        )
        usd = st.number_input(
            say("Most US dollars in a month"),
            min_value=0.0,
            value=account.usd_per_month,
            placeholder=say("no limit"),
            key=f"usd-{key}",
        )
        many = st.number_input(
            say("Most sessions at once"),
            min_value=1,
            value=account.sessions_at_once,
            placeholder=say("no limit"),
            key=f"many-{key}",
        )
        password = st.text_input(
            say("New password"),
            type="password",
            key=f"password-{key}",
            autocomplete="new-password",
            help=say("It ends all logins of the account."),
        )
        if st.form_submit_button(say("Save"), type="primary"):
            given = {"role": role, "usd_per_month": usd, "sessions_at_once": many}
            change = AccountChange.model_validate(
                given | ({"password": password} if password else {})
            )
            _carry_out(lambda: apply_change(accounts, account.name, change))
    with st.container(horizontal=True):
        turn = say("Enable") if account.disabled else say("Disable")
        kept = say("Nobody does this to their own account.") if own else ""
        if st.button(turn, key=f"turn-{key}", disabled=bool(kept), help=kept or say(WHAT_ENDS)):
            change = AccountChange(disabled=not account.disabled)
            _carry_out(lambda: apply_change(accounts, account.name, change))
        if account.home:
            kept = say("The space of the first account is the installation's own.")
        if st.button(say("Remove…"), key=f"remove-{key}", disabled=bool(kept), help=kept or None):
            _removal_dialog(accounts, account)


@dialog(later("Remove this account?"))
def _removal_dialog(accounts: Accounts, account: Account) -> None:
    st.text(say("All sessions, memory and methods of {name} are deleted.", name=account.name))
    if confirm_loss(say("Remove for good")):
        _carry_out(lambda: remove_with_space(accounts, account.name))


def _carry_out(work: Callable[[], object]) -> None:
    """Do it and draw the page anew, or say why it cannot be done.

    A dialog is drawn without its page, so the role is asked for here.
    """
    try:
        require_role("admin")
        work()
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    st.rerun()


def _role_label(role: Role) -> str:
    return say(ROLE_LABELS[role])


def _describe_limit(account: Account) -> str:
    limits = []
    if account.usd_per_month is not None:
        limits.append(say("{usd} a month", usd=local_dollars(account.usd_per_month)))
    if account.sessions_at_once is not None:
        limits.append(say("{n} at once", n=account.sessions_at_once))
    return ", ".join(limits)
