"""The pages of the package, served on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path

from bench.browser.loopback import serving
from forager.errors import UsageError


def folder() -> Path:
    """Where the package keeps its HTML; it is not imported. Raises UsageError."""
    spec = find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError("The package miniwob is missing.", "Run it by ./run bench.")
    return Path(spec.submodule_search_locations[0]) / "html"


def names(where: Path) -> tuple[str, ...]:
    """The tasks, in alphabetical order."""
    return tuple(sorted(page.stem for page in (where / "miniwob").glob("*.html")))


@contextmanager
def served(where: Path) -> Iterator[str]:
    """The address under which the tasks are served."""
    handler = partial(_Quiet, directory=str(where))
    with serving(handler) as root:
        yield f"{root}/miniwob/"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
