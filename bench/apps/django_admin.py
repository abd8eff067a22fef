"""Django's admin over a small library."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.apps.app import App
from bench.apps.program import started
from bench.apps.state import tables


@contextmanager
def django_admin(folder: Path) -> Iterator[App]:
    """Books, authors and users at /admin/; the log-in is that of bench.apps.library.serve."""
    content = partial(
        tables, folder / "library.db", without=("django_session",), blind=("last_login",)
    )
    command = (sys.executable, "-m", "bench.apps.library.serve", folder)
    with started(command, folder) as root:
        yield App(root, content, who=f"{root}/admin/", mark="logout-form")
