"""Serves the task pages of the package `miniwob` on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path

from bench.browser.loopback import serve_handler
from forager.errors import UsageError


def find_pages_folder() -> Path:
    """Find the HTML folder of the package without importing it. Raises UsageError."""
    spec = find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(
            "The package miniwob is not installed.", "Start the command with ./run bench."
        )
    return Path(spec.submodule_search_locations[0]) / "html"


def list_tasks(where: Path) -> tuple[str, ...]:
    """Return the names of all tasks in alphabetical order."""
    return tuple(sorted(page.stem for page in (where / "miniwob").glob("*.html")))


@contextmanager
def serve_tasks(where: Path) -> Iterator[str]:
    """Serve the tasks and yield their base URL."""
    handler = partial(_QuietHandler, directory=str(where))
    with serve_handler(handler) as root:
        yield f"{root}/miniwob/"


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""
