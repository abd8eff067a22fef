"""JSON merge patches (RFC 7396): the changes of a view, and nothing else."""

from collections.abc import Mapping

from pydantic import JsonValue

Document = dict[str, JsonValue]


def make_patch(before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> Document:
    """What turns `before` into `after`; members that are gone are null.

    A null member cannot be told from one that is gone, so documents have none.
    """
    changed: Document = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        old = before.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            if inner := make_patch(old, value):
                changed[name] = inner
        elif old != value or type(old) is not type(value):
            changed[name] = value
    return changed


def apply_patch(document: Mapping[str, JsonValue], change: Mapping[str, JsonValue]) -> Document:
    """The document with a patch applied to it."""
    result = dict(document)
    for name, value in change.items():
        old = result.get(name)
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            result[name] = apply_patch(old if isinstance(old, dict) else {}, value)
        else:
            result[name] = value
    return result
