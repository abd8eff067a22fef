"""A field for each parameter of a node."""

import json
from collections.abc import Mapping
from typing import cast

import streamlit as st
from pydantic import BaseModel

from forager.domain.parameters import Parameter as GraphParameter
from forager.domain.parameters import reference_name
from graphs.spec.spec import NodeSpec
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.forms.node_parameter import (
    Parameter,
    Schema,
    field_key,
    on_field_change,
)
from ui.web.screens.graphs.forms.reference_fields import (
    reference_field,
    reference_menu,
    refused_value,
)
from ui.web.words import later, say, say_told


def parameter_fields(
    node: str, spec: NodeSpec, model: type[BaseModel], given: Mapping[str, GraphParameter]
) -> None:
    """A field for each parameter; a new value changes the graph, which has parameters `given`."""
    schemas: dict[str, Schema] = model.model_json_schema().get("properties", {})
    for name, schema in schemas.items():
        value = spec.params.get(name, schema.get("default"))
        draw_field(Parameter(node, name, value, model, schema, given))


def draw_field(param: Parameter) -> None:
    """The field of a parameter: a reference to one of the graph, or a value of its own."""
    if reference_name(param.value):
        reference_field(param)
    elif param.types:
        with st.container(key=f"field-{param.place}"):
            with st.container(key=f"bound-{param.place}", horizontal=True):
                _typed_field(param)
                reference_menu(param)
            refused_value(param)
    else:
        _typed_field(param)


def _typed_field(param: Parameter) -> None:
    if not param.is_valid:
        _json_field(param)
        return
    match param.schema:
        case {"enum": [*choices]}:
            _choice_field(param, choices)
        case {"type": "integer" | "number"}:
            _number_field(param, cast(float, param.value))
        case {"type": "boolean" | "string"}:
            _plain_field(param)
        case {"type": "array", "items": {"type": "string"}}:
            _lines_field(param)
        case _:
            _json_field(param)


def _plain_field(param: Parameter) -> None:
    value, label, help = param.value, param.label, param.help or None
    if isinstance(value, bool):
        key = field_key(param.place, value)
        changed = on_field_change(key, param.set_value)
        st.checkbox(label, value, key=key, help=help, on_change=changed)
        return
    shown = param.shown(str(value))
    key = field_key(param.place, shown)
    changed = on_field_change(key, param.set_text)
    st.text_input(label, shown, key=key, help=help, on_change=changed)


def _number_field(param: Parameter, value: float) -> None:
    """A number is typed as text, so that $name can be typed, and what does not fit is told."""
    shown = param.shown(str(int(value) if float(value).is_integer() else value))
    key = field_key(param.place, shown)
    changed = on_field_change(key, param.set_typed)
    st.text_input(param.label, shown, key=key, help=param.help or None, on_change=changed)
    for sign, label in ((-1, later("Lower {name}")), (1, later("Raise {name}"))):
        stepped = param.stepped(sign)
        st.button(
            say(label, name=param.label),
            icon=":material/add:" if sign > 0 else ":material/remove:",
            type="tertiary",
            key=f"step{'-up' if sign > 0 else '-down'}-{param.place}",
            disabled=stepped is None,
            on_click=param.set_value,
            args=(stepped,),
        )


def _choice_field(param: Parameter, choices: list[str]) -> None:
    """One of some; another text can be typed too, such as $name."""
    shown = param.shown(cast(str, param.value))
    choices = [*choices, shown] if shown not in choices else choices
    key = field_key(param.place, shown)
    st.selectbox(
        param.label,
        choices,
        choices.index(shown),
        key=key,
        help=param.help or None,
        accept_new_options=True,
        on_change=on_field_change(key, lambda typed: param.set_typed(str(typed or ""))),
    )


def _lines_field(param: Parameter) -> None:
    """A list of texts, one on each line, with the names that may stand in them."""
    value = "\n".join(cast(list[str], param.value))
    key = field_key(param.place, value)

    def set_lines(text: str) -> None:
        param.set_value([line.strip() for line in text.splitlines() if line.strip()])

    help = f"{param.help} {say('One on each line.')}".strip()
    changed = on_field_change(key, set_lines)
    st.text_area(param.label, value, key=key, help=help, on_change=changed)
    names_to_use(param.schema.get("names", {}))


def names_to_use(names: Mapping[str, str]) -> None:
    """The names that may stand in a text, with what each stands for."""
    if names:
        with st.popover(say("Names to use"), icon=":material/list:"):
            for name, about in names.items():
                st.markdown(f"`{name}` {escape_markdown(say_told(about))}")


def _json_field(param: Parameter) -> None:
    """A value that no other field can show, as JSON."""
    value = json.dumps(param.value)
    key = field_key(f"{param.place}-json", value)

    def set_json(text: str) -> None:
        try:
            param.set_value(json.loads(text))
        except ValueError:
            param.set_value(text)

    help = f"{param.help} {say('As JSON.')}".strip()
    st.text_input(param.label, value, key=key, help=help, on_change=on_field_change(key, set_json))
    names_to_use(param.schema.get("names", {}))
