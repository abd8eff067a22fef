"""Fossil on its built-in server: a repository with a wiki, tickets and a forum."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from bench.apps.app import App
from bench.apps.content_digest import digest_tables
from bench.apps.server_process import run_server

USER: Final = "keeper"
PASSWORD: Final = "lantern-and-log"  # noqa: S105  of a server that runs only during a benchmark
VISITS: Final = ("cookie", "ipaddr", "cexpire", "mtime")


def describe_missing() -> str:
    """Say which packages are missing; empty if none is."""
    return "" if shutil.which("fossil") else "Fossil (apt-get install fossil) is missing."


@contextmanager
def serve_fossil(folder: Path) -> Iterator[App]:
    """Serve an empty repository with one administrator."""
    repository = folder / "harbour.fossil"
    _run_fossil("init", "-A", USER, repository, folder=folder)
    _run_fossil("user", "password", USER, PASSWORD, "-R", repository, folder=folder)
    command = ("fossil", "server", "--localhost", "-P", "18100-18300", repository)
    with run_server(command, folder) as root:
        content = partial(digest_tables, repository, without=("accesslog",), blind=VISITS)
        yield App(root, content, login_url=f"{root}/home", login_mark="/logout")


def _run_fossil(*words: str | Path, folder: Path) -> None:
    command = ["fossil", *map(str, words)]
    home = {"HOME": str(folder), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    subprocess.run(command, check=True, capture_output=True, cwd=folder, env=home)  # noqa: S603
