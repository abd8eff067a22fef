"""A parameter of a node, as its field shows it, and what all fields of a form need."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel, JsonValue, ValidationError

from forager.domain.parameters import Parameter as GraphParameter
from forager.domain.parameters import ParameterType, reference_name
from forager.util.suggest import did_you_mean, nearest_name
from graphs.check.parameter_faults import fitting_types
from graphs.spec.edit import with_param
from ui.web.screens.graphs.editor_actions import change_graph
from ui.web.screens.graphs.editor_state import Refused, editor_state
from ui.web.tab_state import widget_value
from ui.web.words import later, say, say_told

Schema = Mapping[str, Any]
TENTH: Final = 0.1
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
    "eager": later("Read pages at once"),
    "elsewhere": later("Share left to unread pages"),
    "embedded": later("Embedded"),
    "entries": later("Entries"),
    "episodes": later("Episodes"),
    "facets": later("Facets"),
    "finds": later("Finds"),
    "fits": later("Fits"),
    "frontier": later("Actions kept waiting"),
    "gate": later("Judge twice"),
    "headers": later("Headers"),
    "joint": later("Read and judge at once"),
    "judges": later("Says what is covered"),
    "kappa": later("Weight of the ranking"),
    "least": later("Lowest score"),
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


def label_parameter(name: str) -> str:
    """The name of a parameter in words of the page's language."""
    return say(LABELS[name]) if name in LABELS else name.replace("_", " ").capitalize()


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
    given: Mapping[str, GraphParameter] = field(default_factory=dict)
    """The parameters of the graph."""

    @property
    def place(self) -> str:
        """Where its field is."""
        return f"param-{self.node}-{self.name}"

    @property
    def label(self) -> str:
        """Its name in words of the page's language."""
        return label_parameter(self.name)

    @property
    def help(self) -> str:
        """What it means, its range, and its name in YAML where the label is another word."""
        about = say_told(str(self.schema.get("description", "")))
        if span := self.span:
            about = f"{about} ({span})".strip()
        if self.label.lower().replace(" ", "_") == self.name:
            return about
        return f"{about} · `{self.name}`"

    @property
    def span(self) -> str:
        """Its bounds in words, or empty."""
        least, most = self.schema.get("minimum"), self.schema.get("maximum")
        if most is not None:
            return say("{least} to {most}", least=str(least or 0), most=str(most))
        return "" if least is None else say("{least} or more", least=str(least))

    @property
    def is_valid(self) -> bool:
        """Can a field of its type show the value?"""
        return self.takes(self.value)

    def takes(self, value: JsonValue) -> bool:
        """Does its model take the value?"""
        try:
            self.model.model_validate_json(json.dumps({self.name: value}), strict=True)
        except ValidationError as error:
            return not any(fault["loc"][:1] == (self.name,) for fault in error.errors())
        return True

    def stepped(self, sign: int) -> float | None:
        """The number one step further; None if it would be too small or too large."""
        step = 1 if self.schema.get("type") == "integer" else TENTH
        value = round(float(str(self.value)) + sign * step, 6)
        new = int(value) if value.is_integer() else value
        return new if self.takes(new) else None

    @property
    def types(self) -> tuple[ParameterType, ...]:
        """The types of parameters of the graph that it can refer to."""
        return fitting_types(self.schema, self.model.model_json_schema())

    @property
    def fitting(self) -> tuple[str, ...]:
        """The parameters of the graph that it can refer to."""
        return tuple(name for name, each in self.given.items() if each.type in self.types)

    def set_value(self, value: JsonValue) -> None:
        """Change the graph."""
        change_graph(lambda spec: with_param(spec, self.node, self.name, value, self.model))

    def set_typed(self, typed: str) -> None:
        """Take what was typed where a number or a choice belongs, or a parameter as $name.

        What does not fit is not taken, and why stands at the field.
        """
        text = typed.strip()
        if name := reference_name(text):
            why = "" if name in self.fitting else self._say_unfit(name)
            value: JsonValue = text
        else:
            value = self._read(text)
            why = "" if self.takes(value) else self._say_needed(typed)
        new = name if name not in self.given and self.types else ""
        if why:
            editor_state().refused = {self.place: Refused(typed, why, new)}
        else:
            self.leave_refused()
            self.set_value(value)

    def set_text(self, typed: str) -> None:
        """Take a text as it was typed, or a parameter as $name."""
        if reference_name(typed.strip()):
            self.set_typed(typed)
        else:
            self.leave_refused()
            self.set_value(typed)

    def shown(self, text: str) -> str:
        """What its field shows: what was typed and refused, else the value as text."""
        refused = editor_state().refused.get(self.place)
        return refused.typed if refused else text

    def leave_refused(self) -> None:
        """Show the value again instead of what was refused."""
        editor_state().refused.pop(self.place, None)

    def _read(self, text: str) -> JsonValue:
        kind = self.schema.get("type")
        if kind not in ("integer", "number"):
            return text
        try:
            return GraphParameter(type=kind, default=0).read_value(text)
        except ValueError:
            return text

    def _say_unfit(self, name: str) -> str:
        if name in self.given:
            return say("${name} is of another type.", name=name)
        unknown = say("The method has no parameter {name}.", name=repr(name))
        near = nearest_name(name, self.given)
        return f"{unknown} {say_told(did_you_mean(name, self.given))}" if near else unknown

    def _say_needed(self, typed: str) -> str:
        kinds = {
            "integer": say("It has to be a whole number"),
            "number": say("It has to be a number"),
        }
        choices = self.schema.get("enum", ())
        what = kinds.get(str(self.schema.get("type"))) or say(
            "It has to be one of {choices}", choices=", ".join(map(str, choices))
        )
        if self.span and not choices:
            what = f"{what} ({self.span})"
        return say("{name} cannot be {value}.", name=self.label, value=repr(typed)) + f" {what}."
