"""Django's admin over a small library."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.apps.app import App
from bench.apps.content_digest import tables
from bench.apps.server_process import started


@contextmanager
def django_admin(folder: Path) -> Iterator[App]:
    """Serve books, authors and users at /admin/, with the login of `library_server`."""
    content = partial(
        tables, folder / "library.db", without=("django_session",), blind=("last_login",)
    )
    command = (sys.executable, "-m", "bench.apps.library.library_server", folder)
    with started(command, folder) as root:
        yield App(root, content, who=f"{root}/admin/", mark="logout-form")
