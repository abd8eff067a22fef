"""A file of variables: read if it is a small text, wherever it comes from, and written."""

import os
import stat
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from dotenv import dotenv_values

MAX_BYTES = 16_000
NO_TEXT = "it is not text in UTF-8"
NO_FILE = "it is not a regular file"


class EnvFile(NamedTuple):
    """The variables of a file, none of which stands for another, or why it is not read."""

    values: Mapping[str, str | None] = {}
    fault: str = ""


def read_env_file(path: str | Path) -> EnvFile:
    """The file; empty if there is none, or a folder of that name."""
    try:
        return EnvFile(parse_variables(_read_small(Path(path))))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return EnvFile()
    except OSError as error:
        return EnvFile(fault=error.strerror or str(error))
    except ValueError as error:
        return EnvFile(fault=str(error))


def parse_variables(body: bytes, *, interpolate: bool = False) -> dict[str, str | None]:
    """The variables of a file's content. Raises ValueError for what is not text."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise ValueError(NO_TEXT) from error
    if "\0" in text:
        raise ValueError(NO_TEXT)
    return dotenv_values(stream=StringIO(text), interpolate=interpolate)


def write_variables(values: Mapping[str, str]) -> str:
    """The lines of a file with these variables; without those that are empty."""
    return "".join(
        f"{name}={_quote_value(value)}\n" for name, value in sorted(values.items()) if value
    )


def _quote_value(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _read_small(path: Path) -> bytes:
    """The content of a file that is none but a small one; a pipe is not waited for."""
    if stat.S_ISDIR(path.stat().st_mode):
        raise IsADirectoryError
    if not path.is_file():
        raise ValueError(NO_FILE)
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise ValueError(NO_FILE)
        body = os.read(file, MAX_BYTES + 1)
    finally:
        os.close(file)
    if len(body) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    return body
