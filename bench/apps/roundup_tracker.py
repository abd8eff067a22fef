"""Roundup's classic issue tracker."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.apps.app import App
from bench.apps.content_digest import tables
from bench.apps.server_process import started


@contextmanager
def roundup_tracker(folder: Path) -> Iterator[App]:
    """Twelve issues and one user; the log-in is that of bench.apps.roundup_server."""
    content = partial(tables, folder / "tracker" / "db" / "db")
    command = (sys.executable, "-m", "bench.apps.roundup_server", folder)
    with started(command, folder) as root:
        yield App(root, content, who=f"{root}/", mark="@action=logout")
