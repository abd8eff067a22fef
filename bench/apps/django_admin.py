"""Django's admin site of a small library."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.apps.app import App
from bench.apps.content_digest import digest_tables
from bench.apps.server_process import run_server


@contextmanager
def serve_django_admin(folder: Path) -> Iterator[App]:
    """Serve books, authors and users at /admin/, with the login of `library_server`."""
    content = partial(
        digest_tables, folder / "library.db", without=("django_session",), blind=("last_login",)
    )
    command = (sys.executable, "-m", "bench.apps.library.library_server", folder)
    with run_server(command, folder) as root:
        yield App(root, content, login_url=f"{root}/admin/", login_mark="logout-form")
