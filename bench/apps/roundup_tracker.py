"""Roundup's classic issue tracker."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.apps.app import App
from bench.apps.content_digest import digest_tables
from bench.apps.server_process import run_server


@contextmanager
def serve_roundup(folder: Path) -> Iterator[App]:
    """Serve a tracker of twelve issues, with the login of `roundup_server`."""
    content = partial(digest_tables, folder / "tracker" / "db" / "db")
    command = (sys.executable, "-m", "bench.apps.roundup_server", folder)
    with run_server(command, folder) as root:
        yield App(root, content, login_url=f"{root}/", login_mark="@action=logout")
