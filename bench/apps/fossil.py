"""Fossil, a repository with a wiki, tickets and a forum, on its own server."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from bench.apps.app import App
from bench.apps.content_digest import tables
from bench.apps.server_process import started

USER: Final = "keeper"
PASSWORD: Final = "lantern-and-log"  # noqa: S105  of a server that lives as long as a bench
VISITS: Final = ("cookie", "ipaddr", "cexpire", "mtime")


def missing() -> str:
    """Why it cannot be started here, or empty."""
    return "" if shutil.which("fossil") else "Fossil (apt-get install fossil) is missing."


@contextmanager
def fossil(folder: Path) -> Iterator[App]:
    """An empty repository, and one user who may do anything."""
    repository = folder / "harbour.fossil"
    _fossil("init", "-A", USER, repository, folder=folder)
    _fossil("user", "password", USER, PASSWORD, "-R", repository, folder=folder)
    command = ("fossil", "server", "--localhost", "-P", "18100-18300", repository)
    with started(command, folder) as root:
        content = partial(tables, repository, without=("accesslog",), blind=VISITS)
        yield App(root, content, who=f"{root}/home", mark="/logout")


def _fossil(*words: str | Path, folder: Path) -> None:
    command = ["fossil", *map(str, words)]
    home = {"HOME": str(folder), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    subprocess.run(command, check=True, capture_output=True, cwd=folder, env=home)  # noqa: S603
