"""Dialogs, with their titles in the language of the page and the focus in their first field."""

from collections.abc import Callable
from functools import wraps
from typing import Literal, ParamSpec

import streamlit as st

from ui.web.components.component import mount_part
from ui.web.words import say

Parameters = ParamSpec("Parameters")
FIELD = '[data-testid="stDialog"] :is(input[type="text"], input[type="password"], textarea)'


def dialog(
    title: str, *, width: Literal["small", "large"] = "small"
) -> Callable[[Callable[Parameters, None]], Callable[Parameters, None]]:
    """Draw a function as a dialog. Its first text field, if any, has the focus once it opens."""

    def as_dialog(draw: Callable[Parameters, None]) -> Callable[Parameters, None]:
        @wraps(draw)
        def draw_with_focus(*args: Parameters.args, **more: Parameters.kwargs) -> None:
            draw(*args, **more)
            with st.container(key="dialog-focus"):
                mount_part("first_focus", "dialog-field", selector=FIELD)

        @wraps(draw)
        def open_dialog(*args: Parameters.args, **more: Parameters.kwargs) -> None:
            st.dialog(say(title), width=width)(draw_with_focus)(*args, **more)

        return open_dialog

    return as_dialog
