"""Fields for settings: those that the environment says are shown, and cannot be changed here."""

from typing import Final

import streamlit as st
from pydantic import SecretStr

from forager.errors import ForagerError
from forager.kept_settings import keep
from forager.settings import origin, read, variable
from ui.parts.plain import escaped
from ui.server.office import here

FIXED: Final = frozenset({"environment", ".env"})
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
    st.toast("Saved. Runs that begin from now on use it.", icon=":material/check:")
