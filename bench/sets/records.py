"""Reads and validates question files; errors name the faulty record and how to correct it."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from forager.errors import UsageError

Model = TypeVar("Model", bound=BaseModel)


class RawRecord(BaseModel):
    """A record of a file; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class FileForm(NamedTuple):
    """A file format: the set's name, what its records are called, and what they look like."""

    set: str
    noun: str
    looks: str

    @property
    def hint(self) -> str:
        """How to correct a file in another format."""
        return f"give a file in the format of {self.set}: {self.looks}."


def read_text(path: Path, form: FileForm) -> str:
    """Read a UTF-8 text file without its byte order mark. Raises UsageError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", f"Instead, {form.hint}") from error


def json_records(path: Path, form: FileForm) -> list[JsonValue]:
    """Read the members of a non-empty JSON list. Raises UsageError."""
    try:
        found = json.loads(read_text(path, form))
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{path} is not valid JSON: {error}.", f"Download it again, or {form.hint}"
        ) from error
    if not isinstance(found, list) or not found:
        raise UsageError(f"{path} is not a JSON list of {form.noun}s.", f"Instead, {form.hint}")
    return found


def check_record(model: type[Model], data: object, where: str, form: FileForm) -> Model:
    """Validate a record. Raises UsageError with its place `where` and the first error."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        why = f"{place}: {fault['msg']}".lstrip(": ")
        raise UsageError(
            f"{where} is not a valid {form.noun} of {form.set}: {why}.",
            f"Correct it, or {form.hint}",
        ) from error


def check_records(model: type[Model], path: Path, form: FileForm) -> Sequence[Model]:
    """Read and validate the records of a JSON list. Raises UsageError."""
    return [
        check_record(model, data, f"{path}, record {number}", form)
        for number, data in enumerate(json_records(path, form), 1)
    ]


def check_unique(ids: Iterable[str], path: Path) -> None:
    """Raise UsageError for a repeated id."""
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise UsageError(f"The id {id!r} occurs twice in {path}.", "Rename or delete one.")
        seen.add(id)
