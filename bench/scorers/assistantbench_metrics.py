"""AssistantBench's accuracy and answer rate (arXiv 2407.15711; its evaluator, as in BrowserGym).

Quirks of the original are kept: a comma in a number is a decimal point; `$`, `%` and `sqft` are
ignored; extra items cost as much as missing ones; keys of objects must match exactly; a list with
anything but strings scores 0 against strings; several items score 0 against a number.

It differs only where the original fails with an error or its gold does not score 1 against itself:
text of several lines is a list if the gold is one; gold lines are objects only if all of them are;
a list of one number is that number; numbers of opposite signs score 0, of the same sign at most 1;
NaN and infinity are text; true, false and null are words.
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
    """The accuracy of an answer, from 0 to 1, and whether there is an answer at all."""

    accuracy: float = 0.0
    answered: bool = False


def score_answer(prediction: JsonValue, gold: str) -> Score:
    """Score a prediction (text or parsed JSON) against the gold text of the file."""
    loaded, wanted = _load_json(prediction), parse_gold(gold)
    predicted = _fit_to_gold(loaded, wanted)
    accuracy = 0.0 if _is_empty(predicted) else _answer_accuracy(predicted, wanted)
    return Score(accuracy=min(1.0, accuracy), answered=not _says_nothing(loaded))


def parse_gold(text: str) -> Gold:
    """Parse gold: a number, a string, or a list of strings or of objects (one per line)."""
    lines = _split_lines(text)
    objects = [_parse_json(line) or _parse_json(_double_quotes(line)) for line in lines]
    if objects and all(isinstance(one, dict) for one in objects):
        return tuple(one for one in objects if isinstance(one, dict))
    if len(lines) != 1:
        return tuple(lines)
    value = _parse_quantity(lines[0])
    return value if isinstance(value, float) else lines[0]


def parse_number(value: JsonValue) -> JsonValue:
    """Return a float for a number or a numeric text, else the value itself."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    plain = UNITS.sub(" ", value).strip().replace(",", ".") if isinstance(value, str) else value
    try:
        found = float(plain)
    except (ValueError, OverflowError):
        return value
    return found if math.isfinite(found) else value


def log_closeness(predicted: float, gold: float) -> float:
    """Return 1 minus the distance of the logarithms, but at least 0."""
    one, other = predicted or NEAR_ZERO, gold or NEAR_ZERO
    if not (math.isfinite(one) and math.isfinite(other)) or (one < 0) != (other < 0):
        return 0.0
    return max(0.0, 1 - abs(math.log(abs(one)) - math.log(abs(other))))


def _load_json(prediction: JsonValue) -> JsonValue:
    """Parse a JSON text; None becomes an empty text, true and false become words."""
    if prediction is None:
        return ""
    if isinstance(prediction, bool):
        return str(prediction)
    value = _parse_json(prediction) if isinstance(prediction, str) else prediction
    return prediction if value is None or isinstance(value, bool) else value


def _fit_to_gold(predicted: JsonValue, gold: Gold) -> JsonValue:
    """Convert the prediction to the form of the gold where possible."""
    if isinstance(predicted, list) and len(predicted) == 1:
        [item] = predicted
        numeric = item.isnumeric() if isinstance(item, str) else isinstance(item, int)
        predicted = item if numeric or isinstance(gold, float) else predicted
    if isinstance(predicted, list):
        return predicted
    value = _parse_quantity(predicted)
    if not isinstance(gold, tuple):
        return value
    lines = _split_lines(value) if isinstance(value, str) else []
    if any(isinstance(one, dict) for one in gold):
        objects = [_parse_json(line) for line in lines]
        return [value] if None in objects or not objects else objects
    return list(lines) if len(lines) > 1 else value


def _answer_accuracy(predicted: JsonValue, gold: Gold) -> float:
    if isinstance(gold, float):
        return log_closeness(predicted, gold) if isinstance(predicted, float) else 0.0
    if isinstance(gold, str):
        return _strings_score(predicted, gold)
    objects = [one for one in gold if isinstance(one, dict)]
    return _objects_score(predicted, objects) if objects else _strings_score(predicted, list(gold))


def _strings_score(predicted: Any, gold: Any) -> float:
    spans = [value if isinstance(value, list) else [str(value)] for value in (predicted, gold)]
    if not all(spans) or not all(isinstance(span, str) for of in spans for span in of):
        return 0.0
    return span_f1(*spans)


def _objects_score(predicted: JsonValue, gold: Sequence[Object]) -> float:
    if not isinstance(predicted, list) or not predicted or not isinstance(predicted[0], dict):
        return 0.0
    scores = [[_object_f1(one, other) for one in predicted] for other in gold]
    return best_total(scores) / max(len(predicted), len(gold))


def _object_f1(predicted: JsonValue, gold: Object) -> float:
    """Return the harmonic mean of the shares of each object's values found in the other."""
    if not isinstance(predicted, dict) or not predicted or not gold:
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
    if isinstance(one, str | bool | list):
        return _strings_score(one, other) if one != other else 1.0
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


def _split_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _is_empty(value: JsonValue) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _says_nothing(value: JsonValue) -> bool:
    """Return whether a value is empty, NaN, or a list of only such values."""
    if isinstance(value, str):
        return not value or value.strip().lower() == "nan"
    of = value if isinstance(value, list) else [value]
    return all(_is_empty(one) or (isinstance(one, float) and math.isnan(one)) for one in of)


def _double_quotes(text: str) -> str:
    """Turn single quotes around keys and values into double ones, as the original does."""
    for single, double in REQUOTED:
        text = text.replace(single, double)
    return text
