"""Fields for the parameters of the chosen graph, if it has any."""

import streamlit as st

from forager.domain.parameters import Parameter, ParameterValue, has_type
from forager.errors import ForagerError
from graphs.sessions.service import Session
from graphs.spec.library import open_library
from graphs.spec.spec import graph_of
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.words import say

ABREAST = 3


def value_fields(graph: str) -> dict[str, ParameterValue]:
    """A field for each parameter; the values that differ from the defaults."""
    parameters = _find_parameters(graph)
    if not parameters:
        return {}
    found: dict[str, ParameterValue] = {}
    with st.container(key="graph-values"):
        st.caption(say("Parameters of {graph}", graph=escape_markdown(graph)))
        names = list(parameters)
        for first in range(0, len(names), ABREAST):
            row = names[first : first + ABREAST]
            columns = st.columns(ABREAST, vertical_alignment="bottom")
            for name, column in zip(row, columns, strict=False):
                with column:
                    found[name] = _value_field(graph, name, parameters[name])
    return {name: value for name, value in found.items() if value != parameters[name].default}


def fill_values(session: Session) -> None:
    """Let the fields have the values of a session that is asked again, as far as they fit today."""
    pinned = graph_of(session).parameters
    for name, parameter in _find_parameters(session.graph).items():
        if name in pinned and has_type(value := pinned[name].default, parameter.type):
            st.session_state[_field_key(session.graph, name, parameter)] = _as_shown(
                parameter, value
            )


def _find_parameters(graph: str) -> dict[str, Parameter]:
    """The parameters of a graph whose defaults are as they should be; none if it cannot be read."""
    try:
        spec = open_library(get_backend().settings).resolve_named(graph)
    except ForagerError:
        return {}
    return {name: own for name, own in spec.parameters.items() if own.fits}


def _field_key(graph: str, name: str, parameter: Parameter) -> str:
    """Another one for another default, so that a changed graph is asked as it is now."""
    return f"value-{graph}-{name}-{parameter.type}-{parameter.default!r}"


def _as_shown(parameter: Parameter, value: ParameterValue) -> ParameterValue:
    return float(value) if parameter.type == "number" else value


def _value_field(graph: str, name: str, parameter: Parameter) -> ParameterValue:
    key = _field_key(graph, name, parameter)
    st.session_state.setdefault(key, _as_shown(parameter, parameter.default))
    label = escape_markdown(name.replace("_", " ").capitalize())
    help = escape_markdown(parameter.help) or None
    match parameter.type:
        case "boolean":
            return st.checkbox(label, key=key, help=help, persist_state="session")
        case "text":
            return st.text_input(label, key=key, help=help, persist_state="session")
        case "integer":
            return int(st.number_input(label, step=1, key=key, help=help, persist_state="session"))
        case "number":
            return float(
                st.number_input(label, format="%g", key=key, help=help, persist_state="session")
            )
