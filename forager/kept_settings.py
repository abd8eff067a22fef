"""Settings that are kept in the data folder: what a person set in the web UI, keys among it."""

import os
import re
from pathlib import Path

from pydantic import ValidationError
from pydantic_settings import SettingsError

from forager.errors import StoreError, UsageError
from forager.settings import KEPT, Settings, kept_in, variable
from forager.util.files import alone, placed

UNFIT = re.compile(r"[\x00-\x1f\x7f]|\$\{")
HEAD = "# Written by Forager's web UI. Only you may read it: it holds keys.\n"


def keep(folder: Path, changes: dict[str, str]) -> None:
    """Set variables, by their names in the environment; an empty value takes one away.

    The file is there for its owner alone, and is never there in part. Raises UsageError for a value
    that cannot be written, and StoreError.
    """
    for name, value in changes.items():
        if UNFIT.search(value):
            raise UsageError(f"{name} has characters that no setting has.", "Paste it once more.")
    path = folder / KEPT
    try:
        with alone(path), placed(path) as fresh:
            values = {**kept_in(folder), **changes}
            lines = [
                f"{name}={_quoted(value)}\n" for name, value in sorted(values.items()) if value
            ]
            with fresh.open("w", encoding="utf-8") as file:
                file.write(HEAD + "".join(lines))
                file.flush()
                os.fsync(file.fileno())
            _refuse_unfit(fresh)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error


def _refuse_unfit(file: Path) -> None:
    """A file that cannot be read would keep the program from starting."""
    try:
        Settings(_env_file=file)
    except SettingsError as error:
        raise UsageError(f"{error}.", "Write a JSON list.") from error
    except ValidationError as error:
        fault = error.errors()[0]
        name = variable(str(fault["loc"][0]))
        raise UsageError(f"{name} does not fit: {fault['msg']}.", "Correct it.") from error


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
