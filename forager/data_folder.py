"""The version of a data folder, and who may read it.

A folder written by a newer Forager is neither read nor changed.
"""

import re
import stat
from contextlib import suppress
from pathlib import Path

from forager.errors import StoreError
from forager.util.files import atomic_write, locked, take_from_others

FILE = "VERSION"
VERSION = "0.2"
"""The first release that used the present format of the folder."""
UNVERSIONED = "0.1"
"""The version of a folder without a version file."""

DOWNLOADS = "downloads"
"""The folder of what browsers downloaded, by session."""
SITE_HOST = "127.0.0.1"
SITE_PORTS = ("handbook-port", "example-*-port")
"""The files with the ports at which the sites that ship with Forager were served, newest last."""
OWN_ENTRIES = (
    *("*.sqlite", "*.sqlite-wal", "*.sqlite-shm", "VERSION", ".lock", "ui-*", "keys.env"),
    "endpoints.json",
    *(
        *SITE_PORTS,
        "memory",
        "leases",
        "cookies",
        DOWNLOADS,
        "logs",
        "index",
        "bench",
        "batches",
        "nodes",
        "users",
    ),
)
"""What Forager writes into its data folder."""


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
        if not stat.S_ISREG((folder / FILE).stat().st_mode):
            raise _unreadable(folder)  # a pipe is not waited for
        text = (folder / FILE).read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return UNVERSIONED
    except PermissionError as error:
        raise StoreError(
            f"The data folder {folder} cannot be read: permission denied.",
            "If it belongs to somebody else, set FORAGER_DATA to a folder of your own.",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(folder) from error
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise _unreadable(folder)
    return text


def claim_folder(folder: Path) -> None:
    """Refuse a newer folder, and write this version into a new or older one. Raises StoreError.

    What others may read of it is taken from them.
    """
    refuse_newer(folder)
    _close_to_others(folder)
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


def shipped_sites(folder: Path) -> tuple[str, ...]:
    """Where the sites that ship with Forager are or were served, as HOST:PORT."""
    notes = (note for pattern in SITE_PORTS for note in folder.glob(pattern))
    return tuple(f"{SITE_HOST}:{port}" for note in notes for port in read_ports(note))


def read_ports(note: Path) -> tuple[int, ...]:
    """The ports in a file, newest last; none if it cannot be read."""
    try:
        return tuple(map(int, note.read_text(encoding="utf-8").split()))
    except (OSError, ValueError):
        return ()


def _close_to_others(folder: Path) -> None:
    """Leave the folder, and what Forager wrote there, to its owner.

    A folder that is meant for more than Forager's data, such as the home folder or a temporary one
    for everybody, is left open; the files in it are not.
    """
    try:
        mode = folder.stat().st_mode
    except OSError:
        return
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return
    if not (mode & stat.S_ISVTX or folder.resolve() == Path.home().resolve()):
        with suppress(OSError):  # it is somebody else's
            folder.chmod(stat.S_IMODE(mode) & stat.S_IRWXU)
    for pattern in OWN_ENTRIES:
        for entry in folder.glob(pattern):
            take_from_others(entry)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _unreadable(folder: Path) -> StoreError:
    return StoreError(
        f"{folder / FILE} does not contain a version.",
        f"If this Forager wrote the folder, write {VERSION} into that file; else put back a copy of"
        " the folder, or set FORAGER_DATA to another one.",
    )
