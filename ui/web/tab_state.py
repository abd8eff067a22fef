"""What a browser tab remembers, in plain objects that a callback can use without being cut off.

Once a newer run of the script is asked for, Streamlit ends the present one at its next use of
`st.session_state`, `st.query_params` or an element, in a callback too; what that run was told is
lost then. So a callback reads widgets with `widget_value`, changes nothing but plain objects from
`tab_object`, and leaves the rest to the script, which carries it out when it runs next.
"""

from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

Kind = TypeVar("Kind")


def tab_object(kind: type[Kind]) -> Kind:
    """The one object of a class that belongs to this tab; made on the first call."""
    key = f"tab-{kind.__module__}.{kind.__qualname__}"
    found = st.session_state.to_dict().get(key)
    if not isinstance(found, kind):
        found = kind()
        st.session_state[key] = found
    return found


def widget_value(key: str, default: Any = None) -> Any:
    """The value of the widget with this key."""
    return st.session_state.to_dict().get(key, default)


@dataclass
class _Pending:
    address: dict[str, str] | None = None


def go_to(**parameters: str) -> None:
    """Let the address have these parameters, and no others, when the script runs next."""
    tab_object(_Pending).address = parameters


def follow_address() -> None:
    """Change the address as `go_to` asked; a page does so first."""
    pending = tab_object(_Pending)
    if pending.address is not None:
        st.query_params.from_dict(pending.address)
        pending.address = None
