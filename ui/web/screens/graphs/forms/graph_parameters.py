"""The parameters of the graph: a form that adds, changes and removes them."""

from typing import Final

import streamlit as st

from forager.domain.parameters import (
    PARAMETER_TYPES,
    Parameter,
    ParameterType,
    ParameterValue,
    reference_name,
)
from graphs.check.parameter_faults import EMPTY, fitting_places
from graphs.spec.edit import rename_parameter, with_node, with_parameter
from graphs.spec.resolved_graph import resolve_types
from graphs.spec.spec import END, NAME, START, GraphSpec
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import change_graph, change_whole
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.forms.node_parameter import field_key, on_field_change
from ui.web.screens.graphs.open_graph import OpenGraph, find_open_graph
from ui.web.tab_state import widget_value
from ui.web.words import later, say

NEW_NAME: Final = "new-graph-parameter-name"
NEW_TYPE: Final = "new-graph-parameter-type"
TYPE_NAMES: Final[dict[ParameterType, str]] = {
    "integer": later("whole number"),
    "number": later("number"),
    "text": later("text"),
    "boolean": later("yes or no"),
}


def graph_parameters(now: OpenGraph) -> None:
    """A row for each parameter, and fields for a new one."""
    with st.container(key="graph-parameters"):
        st.header(say("Parameters of the method"), anchor=False)
        st.caption(say("Set when asking. A node's parameter has the value where it is $name."))
        for name, parameter in now.spec.parameters.items():
            title = f"`${name}` {escape_markdown(str(parameter.default))}"
            with st.expander(title, key=f"graph-parameter-{name}"):
                _parameter_form(now, name, parameter)
        with st.popover(say("Add a parameter"), icon=":material/add:"):
            st.text_input(say("Name"), key=NEW_NAME)
            st.selectbox(say("Type"), PARAMETER_TYPES, key=NEW_TYPE, format_func=_say_type)
            st.button(say("Add"), key="add-graph-parameter", type="primary", on_click=_add)


def _parameter_form(now: OpenGraph, name: str, parameter: Parameter) -> None:
    _name_field(name)
    _default_field(name, parameter)
    key = field_key(f"parameter-help-{name}", parameter.help)

    def set_help(text: str) -> None:
        _replace(name, parameter.model_copy(update={"help": text.strip()}))

    st.text_input(say("Help"), parameter.help, key=key, on_change=on_field_change(key, set_help))
    key = field_key(f"parameter-type-{name}", parameter.type)

    def set_type(type: ParameterType) -> None:
        fresh = parameter.model_copy(update={"type": type})
        try:
            default = fresh.read_value(parameter.default)
        except ValueError:
            default = EMPTY[type]
        _replace(name, fresh.model_copy(update={"default": default}))

    st.selectbox(
        say("Type"),
        PARAMETER_TYPES,
        PARAMETER_TYPES.index(parameter.type),
        format_func=_say_type,
        key=key,
        on_change=on_field_change(key, set_type),
    )
    _places_field(now, name, parameter)
    st.button(
        say("Remove"),
        key=f"remove-graph-parameter-{name}",
        icon=":material/delete:",
        on_click=_remove,
        args=(name,),
    )


def _name_field(name: str) -> None:
    """Its name; what refers to it follows."""
    key = field_key(f"parameter-name-{name}", name)

    def rename(typed: str) -> None:
        new = typed.strip()
        if _may_be_named(new):
            change_whole(lambda spec, path: rename_parameter(spec, path, name, new))

    st.text_input(say("Name"), name, key=key, on_change=on_field_change(key, rename))


def _default_field(name: str, parameter: Parameter) -> None:
    """The default, in a field of its type; one of another type as text."""
    value: ParameterValue = parameter.default
    key = field_key(f"parameter-default-{name}", value)

    def set_default(new: ParameterValue) -> None:
        _replace(name, parameter.model_copy(update={"default": parameter.read_value(new)}))

    changed, label = on_field_change(key, set_default), say("Default")
    match parameter.type if parameter.fits else "text":
        case "boolean":
            st.checkbox(label, bool(value), key=key, on_change=changed)
        case "integer":
            st.number_input(label, value=int(value), step=1, key=key, on_change=changed)
        case "number":
            st.number_input(label, value=float(value), format="%g", key=key, on_change=changed)
        case _:
            st.text_input(label, str(value), key=key, on_change=changed)


def _places_field(now: OpenGraph, name: str, parameter: Parameter) -> None:
    """The nodes' parameters that have its value."""
    nodes = now.spec.nodes
    fitting = fitting_places(resolve_types(now.spec, now.types), parameter.type)
    places = {f"{node}.{param}": (node, param) for node, param in fitting}
    present = [
        place
        for place, (node, param) in places.items()
        if reference_name(nodes[node].params.get(param)) == name
    ]
    key = field_key(f"parameter-places-{name}", present)

    def set_places(chosen: list[str]) -> None:
        def change(spec: GraphSpec) -> GraphSpec:
            for place, (node, param) in places.items():
                if (place in chosen) == (place in present) or node not in spec.nodes:
                    continue
                own = spec.nodes[node]
                value = f"${name}" if place in chosen else parameter.default
                params = {**own.params, param: value}
                spec = with_node(spec, node, own.model_copy(update={"params": params}))
            return spec

        change_graph(change)

    st.multiselect(
        say("Used for"),
        tuple(places),
        present,
        key=key,
        placeholder=say("Choose parameters of nodes"),
        on_change=on_field_change(key, lambda chosen: set_places(list(chosen))),
    )


def _say_type(type: ParameterType) -> str:
    return say(TYPE_NAMES[type])


def _replace(name: str, parameter: Parameter) -> None:
    change_graph(lambda spec: with_parameter(spec, name, parameter))


def _remove(name: str) -> None:
    """Remove it; where nodes have its value, that stays."""

    def change(spec: GraphSpec) -> GraphSpec:
        value = spec.parameters[name].default
        for node, own in spec.nodes.items():
            params = {
                param: value if reference_name(given) == name else given
                for param, given in own.params.items()
            }
            if params != own.params:
                spec = with_node(spec, node, own.model_copy(update={"params": params}))
        return with_parameter(spec, name, None)

    change_graph(change)


def _add() -> None:
    name, type = str(widget_value(NEW_NAME, "")).strip(), widget_value(NEW_TYPE, "integer")
    if _may_be_named(name):
        _replace(name, Parameter(type=type, default=EMPTY[type]))


def _may_be_named(name: str) -> bool:
    """Whether a parameter can have this name; else why not stands on the page."""
    now = find_open_graph()
    if not NAME.fullmatch(name) or name in (START, END):
        editor_state().fault = (
            say("{name} cannot be the name of a parameter.", name=repr(name))
            + " "
            + say("Use lower-case letters, digits and _, beginning with a letter.")
        )
        return False
    if now and name in now.spec.parameters:
        editor_state().fault = say("There is already a parameter {name}.", name=repr(name))
        return False
    return True
