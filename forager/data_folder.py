"""The version of a data folder; a folder written by a newer Forager is neither read nor changed."""

import re
from pathlib import Path

from forager.errors import StoreError
from forager.util.files import atomic_write, locked

FILE = "VERSION"
VERSION = "0.2"
"""The first release that used the present format of the folder."""
UNVERSIONED = "0.1"
"""The version of a folder without a version file."""


def refuse_newer(folder: Path) -> None:
    """Raise StoreError if a newer Forager wrote the folder, or if its version is unreadable."""
    version = read_version(folder)
    if _parts(version) > _parts(VERSION):
        raise StoreError(
            f"The data folder {folder} was written by Forager {version}, which is newer than this "
            f"Forager ({VERSION}).",
            f"Install Forager {version} or newer, or set FORAGER_DATA to another folder.",
        )


def read_version(folder: Path) -> str:
    """The version that wrote the folder. Raises StoreError if it is unreadable."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return UNVERSIONED
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(folder) from error
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise _unreadable(folder)
    return text


def claim_folder(folder: Path) -> None:
    """Refuse a newer folder, and write this version into a new or older one. Raises StoreError."""
    refuse_newer(folder)
    if read_version(folder) == VERSION:
        return
    try:
        with locked(folder / FILE), atomic_write(folder / FILE) as temporary:
            refuse_newer(folder)
            temporary.write_text(f"{VERSION}\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"The data folder {folder} cannot be used: {error}.",
            "Free some space, or set FORAGER_DATA to a folder that can be read and written.",
        ) from error


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _unreadable(folder: Path) -> StoreError:
    return StoreError(
        f"{folder / FILE} does not contain a version.",
        "Put back a copy of the data folder, or set FORAGER_DATA to another one.",
    )
