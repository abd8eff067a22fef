"""How a field of a node takes its value from a parameter of the graph."""

from contextlib import suppress
from typing import Final

import streamlit as st

from forager.domain.parameters import Parameter as GraphParameter
from graphs.check.parameter_faults import EMPTY
from graphs.spec.edit import number_name, with_reference
from graphs.spec.spec import END, START
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import change_graph
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.forms.node_parameter import Parameter, field_key, on_field_change
from ui.web.tab_state import widget_value
from ui.web.words import later, say

OWN_VALUE: Final = later("a value of its own")
NEW: Final = later("a new parameter with this value")


def reference_menu(param: Parameter) -> None:
    """Beside a field: the parameters of the graph that fit, and a new one."""
    key = f"bind-{param.place}"

    def bind() -> None:
        chosen = str(widget_value(key) or "")
        if chosen == NEW:
            _bind_new(param)
        elif chosen in param.fitting:
            change_graph(lambda spec: with_reference(spec, param.node, param.name, chosen))

    st.menu_button(
        say("{name} from a parameter of the method", name=param.label),
        [*param.fitting, NEW],
        format_func=lambda name: say(NEW) if name == NEW else _describe(param, name),
        icon=":material/link:",
        type="tertiary",
        key=key,
        on_click=bind,
    )


def _bind_new(param: Parameter) -> None:
    """A parameter with the name, the value and the meaning of that of the node."""
    name = number_name(param.name, {*param.given, START, END})
    new = _new_parameter(param)
    change_graph(lambda spec: with_reference(spec, param.node, param.name, name, new))


def _new_parameter(param: Parameter) -> GraphParameter:
    type = param.types[0]
    about = str(param.schema.get("description", ""))
    new = GraphParameter(type=type, default=EMPTY[type], help=about)
    with suppress(ValueError):  # what is written there does not fit
        new = new.model_copy(update={"default": new.read_value(param.value)})
    return new


def refused_value(param: Parameter) -> None:
    """Why what was typed is not taken, and ways on: a new parameter, or the value as it was.

    Escape in the field does the latter, too (`frontend/src/editor/field_escape.ts`).
    """
    refused = editor_state().refused.get(param.place)
    if not refused:
        return
    with st.container(key=f"refused-{param.place}"):
        st.markdown(escape_markdown(refused.why))
        with st.container(horizontal=True):
            if name := refused.parameter:
                new = _new_parameter(param)

                def make() -> None:
                    change_graph(
                        lambda spec: with_reference(spec, param.node, param.name, name, new)
                    )

                st.button(
                    say(
                        "Make it a parameter of this method, default {value}",
                        value=escape_markdown(str(new.default)),
                    ),
                    key=f"make-{param.place}",
                    on_click=make,
                )
            st.button(
                say("Back to {value}", value=escape_markdown(str(param.value))),
                key=f"back-{param.place}",
                type="tertiary",
                on_click=param.leave_refused,
            )


def reference_field(param: Parameter) -> None:
    """The parameter of the graph whose value it has; others, or a value of its own."""
    value = str(param.value)
    own = param.schema.get("default")
    if parameter := param.given.get(value[1:]):
        own = parameter.default
    key = field_key(f"{param.place}-refers", value)

    def set_choice(chosen: str) -> None:
        param.set_value(own if chosen == OWN_VALUE else chosen)

    others = (f"${name}" for name in param.fitting)
    st.selectbox(
        param.label,
        list(dict.fromkeys([value, *others, OWN_VALUE])),
        format_func=lambda each: say(each) if each == OWN_VALUE else _describe(param, each[1:]),
        key=key,
        help=param.help or None,
        on_change=on_field_change(key, set_choice),
    )


def _describe(param: Parameter, name: str) -> str:
    """A parameter of the graph with its value, as far as there is one."""
    parameter = param.given.get(name)
    return f"${name} = {parameter.default}" if parameter else f"${name}"
