"""Fields for settings: those that the environment says are shown, and cannot be changed here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import streamlit as st
from pydantic import SecretStr

from forager.errors import ForagerError
from forager.settings import Settings, keep, origin, read, variable
from ui.parts.plain import escaped
from ui.server.backend import get_backend as here

FIXED: Final = frozenset({"environment", ".env"})
SECRETS: Final = frozenset(
    name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)
)
SAVED: Final = "saved"
TAKE: Final = "take-"
SAYS: Final = {"environment": "the environment", ".env": "the file .env", "kept": "keys.env"}


def text(field: str, label: str, help: str = "") -> str | None:
    """A field for a setting in one line; what was typed, or None where that is nothing new."""
    where = origin(field, here().settings.data)
    value = getattr(here().settings, field)
    shown = (
        ", ".join(value) if isinstance(value, tuple) else str(value if value is not None else "")
    )
    fixed = where in FIXED
    told = f"Set by {SAYS[where]} as {variable(field)}." if fixed else help
    said = st.text_input(label, shown, key=f"set-{field}", disabled=fixed, help=told or None)
    if fixed:
        st.caption(told)
        return None
    return None if said.strip() == shown else said.strip()


def secret(field: str, label: str) -> str | None:
    """A field for a key: whether one is set is told, and never what it is."""
    where = origin(field, here().settings.data)
    kept: SecretStr | None = getattr(here().settings, field)
    fixed = where in FIXED
    state = f"Set, in {SAYS.get(where, 'the program')}." if kept else "Not set."
    said = st.text_input(
        label,
        key=f"set-{field}",
        type="password",
        disabled=fixed,
        placeholder="Type a new one to replace it" if kept else "Paste a key",
        autocomplete="off",
    )
    st.caption(state)
    return None if fixed else said.strip()


def form(
    name: str, plain: Mapping[str, tuple[str, str]], keys: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Settings in one line, each with its label and help, and keys with theirs; saved at once."""
    with st.form(name, border=False):
        said = {field: text(field, label, help) for field, (label, help) in plain.items()}
        typed = {field: secret(field, label) for field, label in keys.items()}
        let_go: list[str] = []
        if keys:
            let_go = st.multiselect(
                "Take away",
                list(keys),
                format_func=lambda field: keys[field],
                placeholder="No key",
                key=f"{TAKE}{name}",
            )
        if st.form_submit_button("Save", type="primary"):
            changes = {field: value for field, value in said.items() if value is not None}
            changes |= {field: value for field, value in typed.items() if value}
            save(changes, frozenset(let_go))


def save(changes: dict[str, str], taken: frozenset[str] = frozenset()) -> None:
    """Keep what was typed, and begin to use it; the settings `taken` are let go."""
    office = here()
    folder = office.settings.data
    before = {variable(field): "" for field in taken}
    try:
        keep(folder, {variable(field): value for field, value in changes.items()} | before)
        fresh = read(folder)
    except ForagerError as error:
        st.error(escaped(str(error)), icon=":material/cancel:")
        return
    named = {field: getattr(fresh, field) for field in (*changes, *taken)}
    office.renew(office.settings.model_copy(update=named))
    st.session_state[SAVED] = [field for field in changes if field in SECRETS]
    st.rerun()


def saved() -> None:
    """After a save, before any field is drawn: it is said, and no key that was typed stays."""
    if SAVED not in st.session_state:
        return
    for field in st.session_state.pop(SAVED):
        st.session_state[f"set-{field}"] = ""
    for key in [key for key in st.session_state if str(key).startswith(TAKE)]:
        st.session_state[key] = []
    st.toast("Saved. Runs that begin from now on use it.", icon=":material/check:")
