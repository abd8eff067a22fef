"""The form of a node that calls a tool: the server, its tool, and a field for each argument."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st
from pydantic import BaseModel, JsonValue

from forager.domain.actions import ToolDescription
from forager.domain.parameters import Parameter as GraphParameter
from forager.domain.parameters import reference_name
from forager.errors import ForagerError
from graphs.spec.spec import NodeSpec
from graphs.system.tool_servers import find_tools, list_servers
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.forms.node_parameter import Parameter, field_key, on_field_change
from ui.web.screens.graphs.forms.parameter_fields import draw_field, names_to_use
from ui.web.words import later, say, say_told

NOT_GIVEN = later("not given")
CHOOSE = later("Choose one")


def tool_fields(
    node: str, spec: NodeSpec, model: type[BaseModel], given: Mapping[str, GraphParameter]
) -> None:
    """Draw them; arguments have fields of their own once the tools of the server were fetched."""
    params = {
        name: Parameter(
            node, name, spec.params.get(name, schema.get("default")), model, schema, given
        )
        for name, schema in model.model_json_schema()["properties"].items()
    }
    if any(reference_name(params[name].value) for name in ("server", "tool", "arguments")):
        for param in params.values():
            draw_field(param)
        return
    server = str(params["server"].value)
    _server_field(params["server"])
    tools = _fetched_tools(server)
    _name_field(params["tool"], [tool.name for tool in tools])
    tool = next((each for each in tools if each.name == params["tool"].value), None)
    if tool is None:
        draw_field(params["arguments"])
    else:
        _describe(tool)
        _argument_fields(params["arguments"], tool)
    draw_field(params["ask_for"])


def _server_field(param: Parameter) -> None:
    try:
        names = [each.name for each in list_servers(get_backend().settings)]
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
        names = []
    _name_field(param, names)
    if not names:
        st.caption(say("There are no tool servers yet. Add one in *Settings*, *Tools*."))


def _name_field(param: Parameter, names: Sequence[str]) -> None:
    """A choice of names; one that is not among them stays, and another may be typed."""
    value = str(param.value)
    choices = list(dict.fromkeys([*names, *filter(None, [value])]))
    key = field_key(param.place, value or None)
    st.selectbox(
        param.label,
        choices,
        choices.index(value) if value else None,
        placeholder=say(CHOOSE),
        accept_new_options=True,
        key=key,
        help=param.help or None,
        on_change=on_field_change(key, lambda name: param.set_value(name or "")),
    )


def _fetched_tools(server: str) -> tuple[ToolDescription, ...]:
    """The tools of a server, as they were when this tab asked for them."""
    key = f"tools-of-{server}"
    known: tuple[ToolDescription, ...] = st.session_state.get(key, ())
    if not server:
        return ()
    label = say("Fetch its tools again") if known else say("Fetch its tools")
    if st.button(label, icon=":material/refresh:", key=f"fetch-{server}"):
        with st.spinner(say("Connecting")):
            try:
                known = asyncio.run(find_tools(get_backend().settings, server))
            except ForagerError as error:
                st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
                return known
        st.session_state[key] = known
    return known


def _describe(tool: ToolDescription) -> None:
    if tool.description:
        st.caption(escape_markdown(tool.description))
    if not tool.read_only:
        text = say("Each call needs an approval: the server does not say that it only reads.")
        st.caption(f":material/front_hand: {text}")


@dataclass(frozen=True)
class Argument:
    """An argument of a tool, by the schema of the server."""

    of: Parameter
    name: str
    schema: Mapping[str, Any]
    needed: bool

    @property
    def given(self) -> dict[str, JsonValue]:
        """All arguments of the call."""
        return dict(cast(dict[str, JsonValue], self.of.value or {}))

    @property
    def label(self) -> str:
        """Its name; one that may be left out in brackets."""
        return self.name if self.needed else f"[{self.name}]"

    @property
    def help(self) -> str | None:
        """What the server says of it."""
        told = str(self.schema.get("description") or self.schema.get("title") or "")
        return escape_markdown(told) or None

    def set_value(self, value: JsonValue) -> None:
        """Change the graph; None leaves the argument out."""
        given = {name: each for name, each in self.given.items() if name != self.name}
        self.of.set_value(given if value is None else {**given, self.name: value})


def _argument_fields(param: Parameter, tool: ToolDescription) -> None:
    needed = tool.arguments.get("required")
    schemas = tool.arguments.get("properties")
    for name, schema in (schemas if isinstance(schemas, dict) else {}).items():
        known = schema if isinstance(schema, dict) else {}
        is_needed = isinstance(needed, list) and name in needed
        _argument_field(Argument(param, name, known, is_needed))
    if isinstance(schemas, dict) and schemas:
        names_to_use(param.schema.get("names", {}))


def _argument_field(argument: Argument) -> None:
    value = argument.given.get(argument.name)
    place = f"{argument.of.place}-{argument.name}"
    choices = argument.schema.get("enum")
    if argument.schema.get("type") == "boolean":
        choices = [True, False]
    if isinstance(choices, list) and (value is None or value in choices):
        key = field_key(place, value)
        st.selectbox(
            argument.label,
            choices,
            None if value is None else choices.index(value),
            format_func=lambda each: json.dumps(each) if isinstance(each, bool) else str(each),
            placeholder=say(NOT_GIVEN),
            key=key,
            help=argument.help,
            on_change=on_field_change(key, argument.set_value),
        )
        return
    as_text = argument.schema.get("type") == "string" and isinstance(value, str | None)
    shown = (value or "") if as_text else "" if value is None else json.dumps(value)
    key = field_key(f"{place}-text", shown)

    def set_text(text: str) -> None:
        argument.set_value((text or None) if as_text else _read_value(text))

    st.text_input(
        argument.label,
        cast(str, shown),
        placeholder=say(NOT_GIVEN),
        key=key,
        help=argument.help,
        on_change=on_field_change(key, set_text),
    )


def _read_value(text: str) -> JsonValue:
    """A value typed as JSON, else as it is typed, such as {part}; nothing leaves it out."""
    try:
        value: JsonValue = json.loads(text) if text.strip() else None
    except ValueError:
        return text
    return value
