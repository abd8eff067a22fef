"""A field for each parameter of a node, made from its model's JSON schema."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st
from pydantic import BaseModel, JsonValue, ValidationError

from graphs.spec.edit import placed
from graphs.spec.spec import NodeSpec
from ui.screens.graphs.opened import change
from ui.screens.graphs.shown import changed, keyed

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
    def place(self) -> str:
        """Where its field is."""
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
    if not param.fits:
        _as_json(param)
        return
    value, schema = param.value, param.schema
    if schema.get("type") == "number":
        value = float(cast(float, value))
    key, label, help = keyed(param.place, value), param.label, param.help or None
    told = changed(key, param.put)

    match schema:
        case {"enum": [*choices]}:
            at = choices.index(value)
            st.selectbox(label, choices, at, key=key, help=help, on_change=told)
        case {"type": "boolean"}:
            st.checkbox(label, bool(value), key=key, help=help, on_change=told)
        case {"type": "integer" | "number"}:
            _number(param, cast(float, value), key, told)
        case {"type": "string"}:
            st.text_input(label, str(value), key=key, help=help, on_change=told)
        case _:
            _as_json(param)


def _number(param: Param, value: float, key: str, told: Callable[[], None]) -> None:
    """An integer is counted up by one, another number by a twentieth."""
    kind = type(value)
    least, most = (param.schema.get(bound) for bound in ("minimum", "maximum"))
    st.number_input(
        param.label,
        None if least is None else kind(least),
        None if most is None else kind(most),
        value,
        1 if kind is int else 0.05,
        "%d" if kind is int else "%g",
        key=key,
        help=param.help or None,
        on_change=told,
    )


def _as_json(param: Param) -> None:
    """A value that no other field can show, as it would be written."""
    value = json.dumps(param.value)
    key = keyed(f"{param.place}-json", value)

    def put(text: str) -> None:
        try:
            param.put(json.loads(text))
        except ValueError:
            param.put(text)

    help = f"{param.help} As JSON.".strip()
    st.text_input(param.label, value, key=key, help=help, on_change=changed(key, put))
