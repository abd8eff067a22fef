"""AssistantBench's accuracy and answer rate (arXiv 2407.15711; its evaluator, as in BrowserGym).

Quirks of the original are kept: a comma in a number is a decimal point, `$`, `%` and `sqft` are no
part of it, extra items cost as much as missing ones, keys of objects are compared as they are, a
list with anything but strings scores 0 beside strings, several items score 0 beside a number.

It differs only where the original stops with an error or its gold does not score 1 against itself:
text of several lines is a list where the gold is one; gold lines are objects only if all of them
are; a list of one number is that number; numbers of two signs score 0, of one sign never above 1;
what is no number at all (NaN, infinity) is text; true, false and null are words.
"""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from bench.scorers.alignment import best_total, span_f1
from forager.domain.base import Frozen

UNITS = re.compile(r"\$|%|sqft")
AREA = " square kilometers"
REQUOTED = (("{'", '{"'), ("', '", '", "'), ("': '", '": "'), ("'}", '"}'), ("': ", '": '))
NEAR_ZERO = 1e-4

Object = dict[str, Any]
Gold = float | str | tuple[str, ...] | tuple[Object, ...]


class Score(Frozen):
    """How right an answer is, from 0 to 1, and whether there is one at all."""

    accuracy: float = 0.0
    answered: bool = False


def score(prediction: JsonValue, gold: str) -> Score:
    """Score a prediction, text or parsed JSON, beside the gold as its file has it."""
    loaded, wanted = _loaded(prediction), parse_gold(gold)
    said = _fitted(loaded, wanted)
    accuracy = 0.0 if _empty(said) else _accuracy(said, wanted)
    return Score(accuracy=min(1.0, accuracy), answered=not _nothing(loaded))


def parse_gold(text: str) -> Gold:
    """A number, a string, a list of strings (one a line) or of objects (one a line)."""
    lines = _lines(text)
    objects = [_json(line) or _json(_requoted(line)) for line in lines]
    if objects and all(isinstance(one, dict) for one in objects):
        return tuple(one for one in objects if isinstance(one, dict))
    if len(lines) != 1:
        return tuple(lines)
    value = _quantity(lines[0])
    return value if isinstance(value, float) else lines[0]


def number(value: JsonValue) -> JsonValue:
    """A float for a number or a text that is one, else the value itself."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    plain = UNITS.sub(" ", value).strip().replace(",", ".") if isinstance(value, str) else value
    try:
        found = float(plain)
    except (ValueError, OverflowError):
        return value
    return found if math.isfinite(found) else value


def closeness(predicted: float, gold: float) -> float:
    """1 less the distance of the logarithms, at least 0."""
    one, other = predicted or NEAR_ZERO, gold or NEAR_ZERO
    if not (math.isfinite(one) and math.isfinite(other)) or (one < 0) != (other < 0):
        return 0.0
    return max(0.0, 1 - abs(math.log(abs(one)) - math.log(abs(other))))


def _loaded(prediction: JsonValue) -> JsonValue:
    """JSON as its value; none, true and false as words."""
    if prediction is None:
        return ""
    if isinstance(prediction, bool):
        return str(prediction)
    value = _json(prediction) if isinstance(prediction, str) else prediction
    return prediction if value is None or isinstance(value, bool) else value


def _fitted(said: JsonValue, gold: Gold) -> JsonValue:
    """The prediction in the form of the gold, as far as it has it."""
    if isinstance(said, list) and len(said) == 1:
        [item] = said
        numeric = item.isnumeric() if isinstance(item, str) else isinstance(item, int)
        said = item if numeric or isinstance(gold, float) else said
    if isinstance(said, list):
        return said
    value = _quantity(said)
    if not isinstance(gold, tuple):
        return value
    lines = _lines(value) if isinstance(value, str) else []
    if any(isinstance(one, dict) for one in gold):
        objects = [_json(line) for line in lines]
        return [value] if None in objects or not objects else objects
    return list(lines) if len(lines) > 1 else value


def _accuracy(said: JsonValue, gold: Gold) -> float:
    if isinstance(gold, float):
        return closeness(said, gold) if isinstance(said, float) else 0.0
    if isinstance(gold, str):
        return _strings(said, gold)
    objects = [one for one in gold if isinstance(one, dict)]
    return _objects(said, objects) if objects else _strings(said, list(gold))


def _strings(said: Any, gold: Any) -> float:
    spans = [value if isinstance(value, list) else [str(value)] for value in (said, gold)]
    if not all(spans) or not all(isinstance(span, str) for of in spans for span in of):
        return 0.0
    return span_f1(*spans)


def _objects(said: JsonValue, gold: Sequence[Object]) -> float:
    if not isinstance(said, list) or not said or not isinstance(said[0], dict):
        return 0.0
    scores = [[_pair(one, other) for one in said] for other in gold]
    return best_total(scores) / max(len(said), len(gold))


def _pair(said: JsonValue, gold: Object) -> float:
    """The harmonic mean of how well either object's values stand in the other's."""
    if not isinstance(said, dict) or not said or not gold:
        return float(said == gold)
    recall, precision = _share(said, gold), _share(gold, said)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _share(said: Object, wanted: Object) -> float:
    alike = [_alike(said[key], wanted[key]) for key in wanted if key in said]
    return sum(alike) / len(wanted)


def _alike(said: JsonValue, wanted: JsonValue) -> float:
    one, other = number(said), number(wanted)
    if type(one) is not type(other):
        return 0.0
    if isinstance(one, float) and isinstance(other, float):
        return closeness(one, other)
    if isinstance(one, str | bool | list):
        return _strings(one, other) if one != other else 1.0
    return float(one == other)


def _quantity(value: JsonValue) -> JsonValue:
    """A number, also of square kilometers, or the value itself."""
    found = number(value.replace(AREA, "") if isinstance(value, str) else value)
    return found if isinstance(found, float) else value


def _json(text: str) -> JsonValue:
    """The value of a JSON text, or None for another text."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _empty(value: JsonValue) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _nothing(value: JsonValue) -> bool:
    """Nothing said: empty, NaN, or a list of such alone."""
    if isinstance(value, str):
        return not value or value.strip().lower() == "nan"
    of = value if isinstance(value, list) else [value]
    return all(_empty(one) or (isinstance(one, float) and math.isnan(one)) for one in of)


def _requoted(text: str) -> str:
    """Single quotes around keys and values made double, as the original repairs its gold."""
    for single, double in REQUOTED:
        text = text.replace(single, double)
    return text
