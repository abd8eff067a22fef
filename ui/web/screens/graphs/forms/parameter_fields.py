"""Fields that show a value of the graph, and a field for each parameter of a node."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import streamlit as st
from pydantic import BaseModel, JsonValue, ValidationError

from forager.domain.parameters import reference_name
from graphs.spec.edit import with_param
from graphs.spec.spec import NodeSpec
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.editor_actions import change_graph
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.tab_state import widget_value
from ui.web.words import later, say, say_told

Schema = Mapping[str, Any]
OWN_VALUE = later("a value of its own")
LABELS: Final[Mapping[str, str]] = {
    "arguments": later("Arguments"),
    "ask_for": later("Ask for"),
    "asked": later("Asked"),
    "body": later("Body"),
    "browser": later("Browser"),
    "cases": later("Cases"),
    "citations": later("Citations"),
    "contexts": later("Contexts"),
    "dry": later("Dry rounds"),
    "eager": later("Eager"),
    "elsewhere": later("Elsewhere"),
    "embedded": later("Embedded"),
    "entries": later("Entries"),
    "episodes": later("Episodes"),
    "facets": later("Facets"),
    "finds": later("Finds"),
    "fits": later("Fits"),
    "frontier": later("Frontier"),
    "gate": later("Gate"),
    "headers": later("Headers"),
    "joint": later("Joint"),
    "judges": later("Judges"),
    "kappa": later("Kappa"),
    "least": later("Least"),
    "lessons": later("Lessons"),
    "light": later("Light crawl"),
    "lists": later("Lists"),
    "max_links": later("Max links"),
    "method": later("Method"),
    "mode": later("Mode"),
    "offline_rounds": later("Offline rounds"),
    "otherwise": later("Otherwise"),
    "pages": later("Pages"),
    "parallel": later("Parallel"),
    "passages": later("Passages"),
    "ranking": later("Ranking"),
    "results": later("Results"),
    "rewards": later("Rewards"),
    "rounds": later("Rounds"),
    "rows": later("Rows"),
    "search": later("Search results"),
    "server": later("Server"),
    "sites": later("Sites"),
    "snippets": later("Snippets"),
    "spread": later("Spread"),
    "steps": later("Steps"),
    "strategy": later("Strategy"),
    "tool": later("Tool"),
    "top": later("Top"),
    "tree": later("Tree"),
    "url": later("Address"),
    "waves": later("Waves"),
}
"""The labels of the fields by the names of parameters; others are their names in words."""


def field_key(place: str, value: object) -> str:
    """The key of the field at a place, which shows this value of the graph.

    It is another key if the field shows something else: a browser would send a value that is set
    from here as if a person had typed it, and undo what is newer.
    """
    fields = editor_state().fields
    number = fields.get(place, 0)
    if widget_value(f"{place}-{number}", value) != value:
        number += 1
    key = f"{place}-{number}"
    fields.update({place: number, key: value})
    return key


def on_field_change(key: str, take: Callable[[Any], object]) -> Callable[[], None]:
    """A callback that takes a new value of the field.

    Streamlit also calls it with the value as it was drawn, after a run of the script was cut off.
    """

    def take_new_value() -> None:
        value = widget_value(key)
        if value != editor_state().fields[key]:
            take(value)

    return take_new_value


@dataclass(frozen=True)
class Parameter:
    """A parameter of a node: its value in the graph, and what its model says about it."""

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
        """Its name in words of the page's language."""
        if self.name in LABELS:
            return say(LABELS[self.name])
        return self.name.replace("_", " ").capitalize()

    @property
    def help(self) -> str:
        """What it means, its range, and its name in YAML where the label is another word."""
        about = say_told(str(self.schema.get("description", "")))
        least, most = self.schema.get("minimum"), self.schema.get("maximum")
        if least is not None or most is not None:
            span = (
                say("{least} or more", least=str(least))
                if most is None
                else say("{least} to {most}", least=str(least), most=str(most))
            )
            about = f"{about} ({span})".strip()
        if self.label.lower().replace(" ", "_") == self.name:
            return about
        return f"{about} · `{self.name}`"

    @property
    def is_valid(self) -> bool:
        """Can a field of its type show the value?"""
        try:
            self.model.model_validate_json(json.dumps({self.name: self.value}), strict=True)
        except ValidationError as error:
            return not any(fault["loc"][:1] == (self.name,) for fault in error.errors())
        return True

    def set_value(self, value: JsonValue) -> None:
        """Change the graph."""
        change_graph(lambda spec: with_param(spec, self.node, self.name, value, self.model))


def parameter_fields(node: str, spec: NodeSpec, model: type[BaseModel]) -> None:
    """A field for each parameter; a new value changes the graph."""
    schemas: dict[str, Schema] = model.model_json_schema().get("properties", {})
    for name, schema in schemas.items():
        value = spec.params.get(name, schema.get("default"))
        draw_field(Parameter(node, name, value, model, schema))


def draw_field(param: Parameter) -> None:
    """The field of a parameter: a reference to one of the graph, or a value of its own."""
    draw = _reference_field if reference_name(param.value) else _typed_field
    draw(param)


def _typed_field(param: Parameter) -> None:
    if not param.is_valid:
        _json_field(param)
        return
    value, schema = param.value, param.schema
    if schema.get("type") == "number":
        value = float(cast(float, value))
    key, label, help = field_key(param.place, value), param.label, param.help or None
    changed = on_field_change(key, param.set_value)

    match schema:
        case {"enum": [*choices]}:
            at = choices.index(value)
            st.selectbox(label, choices, at, key=key, help=help, on_change=changed)
        case {"type": "boolean"}:
            st.checkbox(label, bool(value), key=key, help=help, on_change=changed)
        case {"type": "integer" | "number"}:
            _number_field(param, cast(float, value), key, changed)
        case {"type": "string"}:
            st.text_input(label, str(value), key=key, help=help, on_change=changed)
        case {"type": "array", "items": {"type": "string"}}:
            _lines_field(param)
        case _:
            _json_field(param)


def _number_field(param: Parameter, value: float, key: str, changed: Callable[[], None]) -> None:
    """Steps are of one for an integer, else of a twentieth."""
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
        on_change=changed,
    )


def _reference_field(param: Parameter) -> None:
    """The parameter of the graph whose value it has, or a value of its own."""
    value = str(param.value)
    own = param.schema.get("default")
    key = field_key(f"{param.place}-refers", value)

    def set_choice(chosen: str) -> None:
        if chosen != value:
            param.set_value(own)

    st.selectbox(
        param.label,
        (value, OWN_VALUE),
        format_func=lambda each: say(each) if each == OWN_VALUE else each,
        key=key,
        help=param.help or None,
        on_change=on_field_change(key, set_choice),
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
