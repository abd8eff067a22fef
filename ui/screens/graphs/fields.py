"""A field for each parameter of a node, made from its model's JSON schema."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from pydantic import BaseModel, JsonValue, ValidationError

from graphs.changing import placed
from graphs.spec import NodeSpec
from ui.screens.graphs.opened import change

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Param:
    """A parameter of a node: its value in the graph, and what its model says of it."""

    node: str
    name: str
    value: JsonValue
    model: type[BaseModel]
    schema: Schema

    @property
    def key(self) -> str:
        """The field's, by which it keeps its place on the page."""
        return f"param-{self.node}-{self.name}"

    @property
    def label(self) -> str:
        """In words."""
        return self.name.replace("_", " ").capitalize()

    @property
    def help(self) -> str:
        """What it means, and what it may be."""
        about = str(self.schema.get("description", ""))
        least, most = self.schema.get("minimum"), self.schema.get("maximum")
        if least is None and most is None:
            return about
        return f"{about} ({least} {f'to {most}' if most is not None else 'or more'})".strip()

    @property
    def fits(self) -> bool:
        """Can a field of its kind show the value?"""
        try:
            self.model.model_validate({self.name: self.value}, strict=True)
        except ValidationError as error:
            return not any(fault["loc"][:1] == (self.name,) for fault in error.errors())
        return True

    def put(self, value: JsonValue) -> None:
        """Change the graph."""
        change(lambda spec: placed(spec, self.node, self.name, value, self.model))


def fields(node: str, spec: NodeSpec, model: type[BaseModel]) -> None:
    """Each shows the graph's value; what is chosen in it changes the graph."""
    schemas: dict[str, Schema] = model.model_json_schema().get("properties", {})
    for name, schema in schemas.items():
        value = spec.params.get(name, schema.get("default"))
        _field(Param(node, name, value, model, schema))


def _field(param: Param) -> None:
    key, label, help = param.key, param.label, param.help or None

    def changed() -> None:
        param.put(st.session_state[key])

    if not param.fits:
        _as_json(param)
        return
    st.session_state[key] = param.value
    match param.schema:
        case {"enum": [*choices]}:
            st.selectbox(label, choices, key=key, help=help, on_change=changed)
        case {"type": "boolean"}:
            st.checkbox(label, key=key, help=help, on_change=changed)
        case {"type": "integer"}:
            _whole(param, changed)
        case {"type": "number"}:
            _number(param, changed)
        case {"type": "string"}:
            st.text_input(label, key=key, help=help, on_change=changed)
        case _:
            _as_json(param)


def _whole(param: Param, changed: Callable[[], None]) -> None:
    st.number_input(
        param.label,
        param.schema.get("minimum"),
        param.schema.get("maximum"),
        step=1,
        key=param.key,
        help=param.help or None,
        on_change=changed,
    )


def _number(param: Param, changed: Callable[[], None]) -> None:
    least, most = (param.schema.get(bound) for bound in ("minimum", "maximum"))
    st.session_state[param.key] = float(st.session_state[param.key])
    st.number_input(
        param.label,
        None if least is None else float(least),
        None if most is None else float(most),
        step=0.05,
        format="%g",
        key=param.key,
        help=param.help or None,
        on_change=changed,
    )


def _as_json(param: Param) -> None:
    """A value that no other field can show, as it would be written."""
    key = f"{param.key}-json"

    def changed() -> None:
        text = str(st.session_state[key])
        try:
            param.put(json.loads(text))
        except ValueError:
            param.put(text)

    st.session_state[key] = json.dumps(param.value)
    st.text_input(param.label, key=key, help=f"{param.help} As JSON.".strip(), on_change=changed)
