"""Keeps settings that were typed in the web UI in a file of the data folder."""

import os
import re
from pathlib import Path

from pydantic import ValidationError

from forager.errors import StoreError, UsageError
from forager.settings import KEPT_FILE, environment_name, read_kept_values, settings_from
from forager.util.files import atomic_write, locked

UNFIT_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]|\$\{")
FILE_HEADER = "# Written by Forager's web UI. Only you may read it: it holds keys.\n"


def save_values(folder: Path, changes: dict[str, str]) -> None:
    """Set kept variables by their environment names; an empty value removes one.

    The file is readable only by its owner, and written atomically. Raises UsageError for a value
    that cannot be written, and StoreError.
    """
    for name, value in changes.items():
        if UNFIT_CHARACTERS.search(value):
            raise UsageError(f"{name} has characters that no setting has.", "Paste it once more.")
    path = folder / KEPT_FILE
    try:
        with locked(path), atomic_write(path) as fresh:
            values = {**read_kept_values(folder), **changes}
            lines = [
                f"{name}={_quote_value(value)}\n" for name, value in sorted(values.items()) if value
            ]
            with fresh.open("w", encoding="utf-8") as file:
                file.write(FILE_HEADER + "".join(lines))
                file.flush()
                os.fsync(file.fileno())
            _check_values(fresh)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error


def _check_values(file: Path) -> None:
    """Check a new file of kept values; an unreadable one would keep the program from starting."""
    try:
        settings_from(file)
    except ValidationError as error:
        fault = error.errors()[0]
        name = environment_name(str(fault["loc"][0]))
        raise UsageError(f"{name} is not valid: {fault['msg']}.", "Correct it.") from error


def _quote_value(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
