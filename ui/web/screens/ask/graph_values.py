"""Fields for the parameters of the chosen graph, if it has any."""

from collections.abc import Mapping

import streamlit as st
from pydantic import ValidationError

from forager.domain.parameters import Parameter, ParameterValue, has_type
from forager.errors import ForagerError
from graphs.sessions.service import Session
from graphs.spec.edit import with_values
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry
from graphs.spec.resolved_graph import most_offline_rounds, most_read_whole, most_rounds
from graphs.spec.spec import GraphSpec, graph_of
from ui.server.backend import get_backend
from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.budget_form import RoundLimits
from ui.web.tab_state import widget_value
from ui.web.words import say

ABREAST = 3


def value_fields(graph: str) -> dict[str, ParameterValue]:
    """A field for each parameter; the values that differ from the defaults."""
    parameters = find_parameters(graph)
    draw_values(graph, parameters, ABREAST)
    return read_values(graph, parameters)


def draw_values(
    graph: str, parameters: Mapping[str, Parameter], abreast: int = 1, *, place: str = ""
) -> None:
    """A field for each parameter, so many in a row.

    With a `place` the fields are others than those of the same graph elsewhere on the page.
    """
    if not parameters:
        return
    with st.container(key=f"{place}graph-values"):
        st.caption(say("Parameters of {graph}", graph=escape_markdown(name_graph(graph))))
        names = list(parameters)
        for first in range(0, len(names), abreast):
            columns = st.columns(abreast, vertical_alignment="bottom")
            for name, column in zip(names[first : first + abreast], columns, strict=False):
                with column:
                    _value_field(f"{place}{graph}", name, parameters[name])


def read_values(
    graph: str, parameters: Mapping[str, Parameter], *, place: str = ""
) -> dict[str, ParameterValue]:
    """The values in the fields that differ from the defaults; in a callback those of now."""
    found: dict[str, ParameterValue] = {}
    for name, parameter in parameters.items():
        key = _field_key(f"{place}{graph}", name, parameter)
        value = widget_value(key, parameter.default)
        if value != _as_shown(parameter, parameter.default):
            found[name] = int(value) if parameter.type == "integer" else value
    return found


def fill_values(session: Session) -> None:
    """Let the fields have the values of a session that is asked again, as far as they fit today."""
    pinned = graph_of(session).parameters
    for name, parameter in find_parameters(session.graph).items():
        if name in pinned and has_type(value := pinned[name].default, parameter.type):
            st.session_state[_field_key(session.graph, name, parameter)] = _as_shown(
                parameter, value
            )


def find_parameters(graph: str) -> dict[str, Parameter]:
    """The parameters of a graph whose defaults are as they should be; none if it cannot be read."""
    try:
        return settable(open_library(get_backend().settings).resolve_named(graph))
    except ForagerError:
        return {}


def find_round_limits(graph: str, values: Mapping[str, ParameterValue]) -> RoundLimits:
    """The most rounds that a graph takes with these values."""
    settings = get_backend().settings
    try:
        spec = with_values(open_library(settings).resolve_named(graph), values)
        registry = load_registry(settings)
        return RoundLimits(
            most_rounds(spec, registry),
            most_offline_rounds(spec, registry),
            most_read_whole(spec, registry),
        )
    except (ForagerError, ValidationError):
        return RoundLimits()


def settable(spec: GraphSpec) -> dict[str, Parameter]:
    """The parameters of a graph whose defaults are as they should be."""
    return {name: own for name, own in spec.parameters.items() if own.fits}


def _field_key(graph: str, name: str, parameter: Parameter) -> str:
    """Another one for another default, so that a changed graph is asked as it is now."""
    return f"value-{graph}-{name}-{parameter.type}-{parameter.default!r}"


def _as_shown(parameter: Parameter, value: ParameterValue) -> ParameterValue:
    return float(value) if parameter.type == "number" else value


def _value_field(graph: str, name: str, parameter: Parameter) -> None:
    key = _field_key(graph, name, parameter)
    st.session_state.setdefault(key, _as_shown(parameter, parameter.default))
    label = escape_markdown(name.replace("_", " ").capitalize())
    help = escape_markdown(parameter.help) or None
    match parameter.type:
        case "boolean":
            st.checkbox(label, key=key, help=help, persist_state="session")
        case "text":
            st.text_input(label, key=key, help=help, persist_state="session")
        case "integer":
            st.number_input(label, step=1, key=key, help=help, persist_state="session")
        case "number":
            st.number_input(label, format="%g", key=key, help=help, persist_state="session")
