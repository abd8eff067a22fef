"""Temporary folders of browsers; those that a killed process left behind are swept."""

import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "forager-browser-"
NAME = re.compile(rf"{PREFIX}(\d+)-")
LEFT_SECONDS = 24 * 3600.0
"""The age from which a folder that names no process counts as left behind."""


def make_folder() -> Path:
    """A new temporary folder that names this process. Raises OSError."""
    sweep_folders()
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def sweep_folders() -> None:
    """Delete the folders of processes that have ended, as far as this user may."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    found = folder.lstat()
    if found.st_uid != os.getuid() or folder.is_symlink():
        return False
    named = NAME.match(folder.name)
    if named is None:
        return time.time() - found.st_mtime > LEFT_SECONDS
    return not _is_alive(int(named[1]))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
