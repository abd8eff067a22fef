"""AssistantBench's accuracy and answer rate (arXiv 2407.15711; its evaluator, as in BrowserGym).

Item by item as the original scores, with all its quirks: a comma in a number is a decimal point;
`$`, `%` and `sqft` are ignored; extra items cost as much as missing ones; keys of objects must
match exactly; several items score 0 against a number. An answer of several lines is one text, even
where the gold is a list; only JSON is a list. Gold of several numbers is taken for objects, which
no number matches. A negative number that is closer to zero than the gold scores above 1.

Where the original stops with an error, so that no score is published: a list of one number is that
number; true, false and null are words; values of objects that are objects or null match if equal;
what is not an object matches no object.
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
Gold = float | str | tuple[str, ...] | list[JsonValue]
"""A number, a text, several texts, or parsed JSON, one value per line."""


class Score(Frozen):
    """The accuracy of an answer, from 0 to 1, and whether there is an answer at all."""

    accuracy: float = 0.0
    answered: bool = False


def score_answer(prediction: JsonValue, gold: str) -> Score:
    """Score a prediction (text or parsed JSON) against the gold text of the file."""
    wanted = parse_gold(gold)
    predicted = _fit_to_gold(_load_json(prediction), wanted)
    accuracy = 0.0 if _is_empty(predicted) else _answer_accuracy(predicted, wanted)
    return Score(accuracy=accuracy, answered=not _says_nothing(predicted))


def parse_gold(text: str) -> Gold:
    """Parse gold: a number, a text, several texts, or a JSON value per line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) == 1 and isinstance(number := _parse_quantity(lines[0]), float):
        return number
    try:
        return [json.loads(_double_quotes(line)) for line in lines]
    except (ValueError, RecursionError):
        return lines[0] if len(lines) == 1 else tuple(lines)


def parse_number(value: JsonValue) -> JsonValue:
    """Return a float for a number or a numeric text, else the value itself."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    plain = UNITS.sub(" ", value).strip().replace(",", ".") if isinstance(value, str) else value
    try:
        return float(plain)
    except (ValueError, OverflowError):
        return value


def log_closeness(predicted: float, gold: float) -> float:
    """Return 1 minus the logarithm of the larger number over the smaller, but at least 0."""
    if predicted == gold == 0:
        return 1.0
    one, other = predicted or NEAR_ZERO, gold or NEAR_ZERO
    if not (math.isfinite(one) and math.isfinite(other)) or (one < 0) != (other < 0):
        return 0.0
    quotient = one / other if one > other else other / one
    return max(0.0, 1 - math.log(quotient)) if quotient > 0 else 0.0


def _load_json(prediction: JsonValue) -> JsonValue:
    """Parse a JSON text; None becomes an empty text, true and false become words."""
    if prediction is None:
        return ""
    if isinstance(prediction, bool):
        return str(prediction)
    value = _parse_json(prediction) if isinstance(prediction, str) else prediction
    return prediction if value is None or isinstance(value, bool) else value


def _fit_to_gold(predicted: JsonValue, gold: Gold) -> JsonValue:
    """Convert the prediction to the form of the gold where the original does."""
    if isinstance(predicted, list) and len(predicted) == 1:
        [item] = predicted
        if isinstance(gold, float):
            predicted = item
        elif _is_whole_number(item):
            number = _parse_quantity(item)
            pair = str((number, isinstance(number, float)))
            return [pair] if isinstance(gold, list) else pair
    if isinstance(predicted, list):
        return predicted
    value = _parse_quantity(predicted)
    if not isinstance(gold, list):
        return value
    lines = value.split("\n") if isinstance(value, str) else []
    try:
        return [json.loads(line) for line in lines] or [value]
    except (ValueError, RecursionError):
        return [value]


def _is_whole_number(item: JsonValue) -> bool:
    """Return whether the original makes a pair of this only item: its number, and a flag."""
    return item.isnumeric() if isinstance(item, str) else type(item) is int


def _answer_accuracy(predicted: JsonValue, gold: Gold) -> float:
    if isinstance(gold, float):
        return log_closeness(predicted, gold) if isinstance(predicted, float) else 0.0
    if isinstance(gold, list):
        return _objects_score(predicted, gold)
    return _strings_score(predicted, list(gold) if isinstance(gold, tuple) else gold)


def _strings_score(predicted: Any, gold: Any) -> float:
    spans = [value if isinstance(value, list) else [str(value)] for value in (predicted, gold)]
    if not all(spans) or not all(isinstance(span, str) for of in spans for span in of):
        return 0.0
    return span_f1(*spans)


def _objects_score(predicted: JsonValue, gold: Sequence[JsonValue]) -> float:
    if not isinstance(predicted, list) or not predicted or not isinstance(predicted[0], dict):
        return 0.0
    scores = [[_object_f1(one, other) for one in predicted] for other in gold]
    return best_total(scores) / max(len(predicted), len(gold))


def _object_f1(predicted: JsonValue, gold: JsonValue) -> float:
    """Return the harmonic mean of the shares of each object's values found in the other."""
    if not isinstance(predicted, dict) or not isinstance(gold, dict) or not predicted or not gold:
        return float(predicted == gold)
    recall, precision = _share_alike(predicted, gold), _share_alike(gold, predicted)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _share_alike(predicted: Object, wanted: Object) -> float:
    alike = [_value_likeness(predicted[key], wanted[key]) for key in wanted if key in predicted]
    return sum(alike) / len(wanted)


def _value_likeness(predicted: JsonValue, wanted: JsonValue) -> float:
    one, other = parse_number(predicted), parse_number(wanted)
    if type(one) is not type(other):
        return 0.0
    if isinstance(one, float) and isinstance(other, float):
        return log_closeness(one, other)
    if isinstance(one, str | bool | list) and (one or other):
        return _strings_score(one, other)
    return float(one == other)


def _parse_quantity(value: JsonValue) -> JsonValue:
    """Return a number, with or without square kilometers, or the value itself."""
    found = parse_number(value.replace(AREA, "") if isinstance(value, str) else value)
    return found if isinstance(found, float) else value


def _parse_json(text: str) -> JsonValue:
    """Parse a JSON text; None if it is not valid."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _is_empty(value: JsonValue) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _says_nothing(value: JsonValue) -> bool:
    """Return whether a value is empty, NaN, or a list of only such values."""
    of = value if isinstance(value, list) else [value]
    return all(_is_empty(one) or (isinstance(one, float) and math.isnan(one)) for one in of)


def _double_quotes(text: str) -> str:
    """Turn single quotes around keys and values into double ones, as the original does."""
    for single, double in REQUOTED:
        text = text.replace(single, double)
    return text
