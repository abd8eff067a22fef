"""Parameters of a graph: named values that its nodes refer to as `$name`."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, get_args

from pydantic import JsonValue

from forager.domain.base import Frozen

ParameterValue = bool | int | float | str
ParameterType = Literal["integer", "number", "text", "boolean"]
PARAMETER_TYPES: Final[tuple[ParameterType, ...]] = get_args(ParameterType)
WORDS: Final = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
EXAMPLES: Final[dict[ParameterType, str]] = {
    "integer": "a whole number, such as 3",
    "number": "a number, such as 0.5",
    "text": "a text",
    "boolean": "true or false",
}
REFERENCE: Final = re.compile(r"\$([a-z][a-z0-9_]*)")
ESCAPED: Final = re.compile(r"\$(\$.*)", re.DOTALL)
"""A text that begins with a dollar sign of its own is written with two."""
MAX_TEXT = 2000


class Parameter(Frozen):
    """A parameter: what values it takes, the one it has unless another is set, and its meaning."""

    type: ParameterType
    default: ParameterValue
    help: str = ""

    @property
    def fits(self) -> bool:
        """Is the default of the type?"""
        return has_type(self.default, self.type)

    def read_value(self, value: JsonValue) -> ParameterValue:
        """A value as it was typed or sent, as one of this type. Raises ValueError."""
        if isinstance(value, str) and self.type != "text":
            value = _read_text(value.strip(), self.type)
        if isinstance(value, float) and self.type == "integer" and value.is_integer():
            value = int(value)
        if not isinstance(value, ParameterValue) or not has_type(value, self.type):
            raise ValueError(value)
        return value


def describe_parameter(named: tuple[str, Parameter]) -> str:
    """A parameter by its name, as help: depth=3 (integer): actions in one round."""
    name, parameter = named
    about = f": {parameter.help}" if parameter.help else ""
    return f"{name}={json.dumps(parameter.default, ensure_ascii=False)} ({parameter.type}){about}"


def has_type(value: ParameterValue, type: ParameterType) -> bool:
    """Is a value of the type? A whole number is a number, too."""
    match type:
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "text":
            return isinstance(value, str) and len(value) <= MAX_TEXT


def reference_name(value: JsonValue) -> str:
    """The parameter that a value of a node refers to; empty if it refers to none."""
    found = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return found[1] if found else ""


def find_references(value: JsonValue) -> Iterator[str]:
    """The parameters that a value refers to, also inside lists and mappings."""
    if name := reference_name(value):
        yield name
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inside:
        yield from find_references(each)


def fill_value(value: JsonValue, values: Mapping[str, ParameterValue]) -> JsonValue:
    """The value with those of parameters in place of references; unknown ones stay."""
    if isinstance(value, dict):
        return {key: fill_value(each, values) for key, each in value.items()}
    if isinstance(value, list):
        return [fill_value(each, values) for each in value]
    if name := reference_name(value):
        return values.get(name, value)
    found = ESCAPED.fullmatch(value) if isinstance(value, str) else None
    return found[1] if found else value


def _read_text(text: str, type: ParameterType) -> JsonValue:
    if type == "boolean":
        return WORDS.get(text.lower())
    number = float(text) if type == "number" else int(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
