"""The support bundle: what a bug report needs, without a question, a page or a secret."""

import platform
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

from pydantic import BaseModel, SecretStr

from forager.errors import UsageError
from forager.settings import Settings, environment_name, known_secrets, setting_origin
from forager.util import log_file
from forager.util.distribution import installed_version
from forager.util.files import atomic_write
from graphs.system.doctor import Check

LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|WARNING|ERROR|CRITICAL) ")
"""How a line of the log begins that names no question and no page: of any level but DEBUG."""
ADDRESS = re.compile(r"https?://[^\s,)'\"]+")
NAMES_OF_PERSONS = frozenset({"user", "ui_users"})
HIDDEN = "***"
MANY_FILES = 20
"""Folders with more files than this are listed in one line."""


def write_bundle(settings: Settings, checks: Sequence[Check], file: Path) -> None:
    """Write the bundle, readable to its owner alone. Raises UsageError where that is impossible."""
    if file.suffix.lower() != ".zip":
        raise UsageError(f"{file} is not a zip file.", "Name one: --bundle forager.zip")
    if file.is_dir() or not file.parent.is_dir():
        raise UsageError(f"{file} cannot be written.", "Name a file in an existing folder.")
    try:
        with atomic_write(file) as fresh, ZipFile(fresh, "w", ZIP_DEFLATED) as archive:
            for name, text in bundle_texts(settings, checks).items():
                archive.writestr(name, text)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}.", "Name another file for --bundle."
        ) from error


def bundle_texts(settings: Settings, checks: Sequence[Check]) -> Mapping[str, str]:
    """The bundle's files by name, redacted."""
    log = settings.data / log_file.PATH
    texts = {
        "versions.txt": _list_versions(),
        "doctor.txt": (f"{each.state}: {each.name}: {each.found} {each.mend}" for each in checks),
        "settings.txt": _list_settings(settings),
        "files.txt": _list_files(settings.data),
        "forager.log": [*_read_log(log.with_name(f"{log.name}.1")), *_read_log(log)],
    }
    secrets = known_secrets(settings)
    return {name: redact("\n".join([*lines, ""]), secrets) for name, lines in texts.items()}


def redact(text: str, secrets: Iterable[str]) -> str:
    """The text without these secrets, credentials in addresses, and the home folder's name."""
    text = ADDRESS.sub(lambda found: _strip_url(found[0]), text)
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text.replace(str(Path.home()), "~")


def _list_versions() -> Iterator[str]:
    yield f"written: {time.strftime('%Y-%m-%d %H:%M:%S%z')}"
    yield f"forager: {installed_version()}"
    yield f"python: {platform.python_implementation()} {platform.python_version()}"
    yield f"system: {platform.system()} {platform.release()} {platform.machine()}"
    yield f"sqlite: {sqlite3.sqlite_version}"
    yield ""
    yield from sorted({f"{each.name}=={each.version}" for each in distributions()}, key=str.lower)


def _list_settings(settings: Settings) -> Iterator[str]:
    """Each setting, its value unless that is a secret, and where it comes from."""
    for field in Settings.model_fields:
        source = setting_origin(field, settings.data)
        shown = _show_value(field, getattr(settings, field))
        yield f"{environment_name(field)} = {shown}  ({source})"


def _show_value(field: str, value: object) -> str:
    if value in (None, "", ()):
        return "not set"
    if isinstance(value, SecretStr) or field in NAMES_OF_PERSONS:
        return "set, not shown"
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _strip_url(address: str) -> str:
    """The address without a name, a password and a query."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _list_files(folder: Path) -> Iterator[str]:
    """The files of the data folder with their sizes; a folder of many in one line."""
    for each in sorted([folder, *(path for path in folder.rglob("*") if path.is_dir())]):
        sizes = {path.name: path.stat().st_size for path in each.iterdir() if path.is_file()}
        place = each.relative_to(folder)
        if len(sizes) > MANY_FILES:
            yield f"{sum(sizes.values()):>14,}  {place}/ ({len(sizes):,} files)"
            continue
        for name, size in sorted(sizes.items()):
            yield f"{size:>14,}  {place / name}"


def _read_log(path: Path) -> Iterator[str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return iter(())
    return (line for line in lines if LOGGED.match(line))
