"""Fields for settings. A setting from the environment is shown, but cannot be changed here."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal

import streamlit as st
from pydantic import SecretStr

from forager.errors import ForagerError
from forager.settings import Settings, environment_name, setting_origin
from ui.server.backend import get_backend, get_installation, may_set
from ui.server.web_server import apply_theme
from ui.web.markdown import escape_markdown
from ui.web.words import later, say, say_told

FIXED: Final = frozenset({"environment", ".env"})
SECRETS: Final = frozenset(
    name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)
)
SAVED: Final = "saved"
OF_PAGES: Final = frozenset({"language", "theme"})
"""Settings that change pages at once, and no run."""
SOURCES: Final = {
    "environment": later("the environment"),
    ".env": later("the file .env"),
    "kept": later("keys.env"),
}


def text_setting(field: str, label: str, help: str = "", placeholder: str = "") -> str | None:
    """A field for a setting in one line; what was typed, or None if that is nothing new."""
    value = getattr(get_backend().settings, field)
    shown = _show_value(value)
    typed = _text_field(field, label, shown, help, placeholder)
    return None if typed in (None, shown) else typed


def _show_value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value if value is not None else "")


def hours_setting(field: str, label: str) -> str | None:
    """A field in hours for a setting in seconds; the new number of seconds, or None."""
    shown = f"{getattr(get_backend().settings, field) / 3600:g}"
    typed = _text_field(field, label, shown)
    if typed in (None, shown):
        return None
    try:
        return f"{float(typed or '') * 3600:g}"
    except ValueError:
        return typed  # refused when it is saved


def choice_setting(field: str, label: str, names: Mapping[str, str]) -> str | None:
    """A choice among the values of a setting; the new value, or None."""
    value = str(getattr(get_backend().settings, field))
    fixed = is_fixed(field)
    chosen = st.segmented_control(
        label,
        list(names),
        format_func=lambda name: say(names[name]),
        default=value,
        required=True,
        key=f"set-{field}",
        disabled=fixed,
        help=fixed_note(field) if fixed else None,
    )
    return None if fixed or chosen in (None, value) else chosen


def is_fixed(field: str) -> bool:
    """Has the environment, or an admin, the last word on a setting?"""
    return not may_set(field) or _origin_of(field) in FIXED


def fixed_note(field: str) -> str:
    """Where a setting that cannot be changed here is set."""
    where = _origin_of(field)
    if where not in FIXED:
        return say("Set by an admin, for all accounts.")
    name = environment_name(field)
    return say("Set by {source} as {name}.", source=say(SOURCES[where]), name=name)


def _origin_of(field: str) -> Literal["environment", ".env", "kept", "default"]:
    return setting_origin(field, get_installation().folder_of(field, get_backend()))


def _text_field(
    field: str, label: str, shown: str, help: str = "", placeholder: str = ""
) -> str | None:
    """What was typed; None where the environment has the last word."""
    fixed = is_fixed(field)
    note = fixed_note(field) if fixed else help
    typed = st.text_input(
        label,
        shown,
        key=f"set-{field}",
        disabled=fixed,
        help=note or None,
        placeholder=placeholder or None,
    )
    if fixed:
        st.caption(note)
        return None
    return typed.strip()


def secret_setting(field: str, label: str) -> str | None:
    """A field for a key, which is never shown, with a button that removes it."""
    where = _origin_of(field)
    kept: SecretStr | None = getattr(get_backend().settings, field)
    fixed = is_fixed(field)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(
            label,
            key=f"set-{field}",
            type="password",
            disabled=fixed,
            placeholder=say("Type a new one to replace it") if kept else say("Paste a key"),
            autocomplete="off",
        )
        disabled = fixed or not kept
        if st.form_submit_button(say("Remove"), key=f"remove-{field}", disabled=disabled):
            save_settings({}, frozenset({field}))
    st.caption(
        say("Set, in {source}.", source=say(SOURCES.get(where, later("the program"))))
        if kept
        else say("Not set.")
    )
    return None if fixed else typed.strip()


def settings_form(
    name: str,
    texts: Mapping[str, tuple[str, str]],
    keys: Mapping[str, str] = MappingProxyType({}),
    hours: Mapping[str, str] = MappingProxyType({}),
    choices: Mapping[str, tuple[str, Mapping[str, str]]] = MappingProxyType({}),
) -> None:
    """A form of settings: texts with label and help, keys with label, and durations in hours.

    `choices` have a label, and the values to choose from with their names.

    Enter would press its first button, which may remove a key.
    """
    with st.form(name, border=False, enter_to_submit=not keys):
        given = {field: text_setting(field, *map(say, labels)) for field, labels in texts.items()}
        given |= {field: hours_setting(field, say(label)) for field, label in hours.items()}
        given |= {
            field: choice_setting(field, say(label), names)
            for field, (label, names) in choices.items()
        }
        secrets = {field: secret_setting(field, say(label)) for field, label in keys.items()}
        if st.form_submit_button(say("Save"), type="primary"):
            changes = {field: value for field, value in given.items() if value is not None}
            changes |= {field: value for field, value in secrets.items() if value}
            save_settings(changes)


def save_settings(
    changes: dict[str, str],
    removed: frozenset[str] = frozenset(),
    *,
    confirm: bool = True,
    told: str = "",
) -> None:
    """Keep what was typed, and use it from now on; the `removed` settings are forgotten.

    The settings page will `confirm` it, with what is `told` if anything.
    """
    named = {**changes, **dict.fromkeys(removed, "")}
    try:
        fresh = get_installation().keep_settings(get_backend(), named)
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        return
    if "theme" in named:
        apply_theme(fresh.theme)
    if confirm:
        st.session_state[SAVED] = named, told
    st.rerun()


def allow_private_hosts(names: Iterable[str], *, confirm: bool = True) -> None:
    """Let these private hosts be read, and no others; see `save_settings`."""
    hosts = ",".join(name for name in names if name.isascii())
    save_settings({"allow_private": hosts}, confirm=confirm)


def confirm_save() -> None:
    """After a save, before any field is drawn: confirm it, and clear the keys that were typed."""
    if SAVED not in st.session_state:
        return
    named, warning = st.session_state.pop(SAVED)
    saved = frozenset[str](named)
    for field in saved & SECRETS:
        st.session_state[f"set-{field}"] = ""
    if warning:
        st.toast(say(warning), icon=":material/warning:")
        return
    if named and not any(named.values()):
        told = say("Removed. New runs do without it.")
    else:
        told = say("Saved.") if saved <= OF_PAGES else say("Saved. New runs use it.")
    st.toast(told, icon=":material/check:")
