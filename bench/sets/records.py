"""Reads question files; raises UsageError with the record of a fault and how to mend it."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from forager.errors import UsageError

Model = TypeVar("Model", bound=BaseModel)


class Raw(BaseModel):
    """A record as its file has it; what we do not use of it is skipped."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Form(NamedTuple):
    """What a set's file is: its name, what its records are called, and what they look like."""

    set: str
    noun: str
    looks: str

    @property
    def hint(self) -> str:
        """How to mend a file that is none of these."""
        return f"name a file of {self.set}: {self.looks}."


def text_of(path: Path, form: Form) -> str:
    """The text of a file; a byte order mark is no part of it. Raises UsageError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", f"Instead, {form.hint}") from error


def json_records(path: Path, form: Form) -> list[JsonValue]:
    """The members of a JSON list. Raises UsageError."""
    try:
        found = json.loads(text_of(path, form))
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path} is torn or no JSON: {error}.", f"Fetch it anew, or {form.hint}"
        ) from error
    if not isinstance(found, list) or not found:
        raise UsageError(f"{path} is no JSON list of {form.noun}s.", f"Instead, {form.hint}")
    return found


def checked(model: type[Model], data: object, where: str, form: Form) -> Model:
    """A record of this type. Raises UsageError that names where it stands and what is amiss."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        why = f"{place}: {fault['msg']}".lstrip(": ")
        raise UsageError(
            f"{where} is no {form.noun} of {form.set}: {why}.", f"Correct it, or {form.hint}"
        ) from error


def checked_list(model: type[Model], path: Path, form: Form) -> Sequence[Model]:
    """The records of a JSON list, all of this type. Raises UsageError."""
    return [
        checked(model, data, f"{path}, record {number}", form)
        for number, data in enumerate(json_records(path, form), 1)
    ]


def unique(ids: Iterable[str], path: Path) -> None:
    """Raises UsageError for an id that stands twice."""
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise UsageError(f"The id {id!r} stands twice in {path}.", "Rename or delete one.")
        seen.add(id)
