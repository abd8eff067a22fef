"""The handbook as a site of the office: where it was served last time, so that its runs go on."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from forager.settings import Settings
from ui.demo import pages
from ui.serve import served

FILE = "handbook-port"


class Leaves(Mapping[str, bytes]):
    """The pages, rendered when the first of them is asked for."""

    def __getitem__(self, path: str) -> bytes:
        return _rendered()[path]

    def __iter__(self) -> Iterator[str]:
        return iter(_rendered())

    def __len__(self) -> int:
        return len(_rendered())


@cache
def _rendered() -> Mapping[str, bytes]:
    return pages()


@contextmanager
def kept(data: Path) -> Iterator[str]:
    """The root address of the handbook, the same as last time unless its port is taken."""
    note = data / FILE
    with ExitStack() as stack:
        try:
            root = stack.enter_context(served(Leaves(), _last(note)))
        except OSError:
            root = stack.enter_context(served(Leaves()))
        data.mkdir(parents=True, exist_ok=True)
        note.write_text(str(urlsplit(root).port), encoding="utf-8")
        yield root


def permitted(settings: Settings, site: str) -> Settings:
    """The settings, with which this one site of the machine may be read."""
    return settings.model_copy(
        update={"allow_private": (*settings.allow_private, urlsplit(site).netloc)}
    )


def _last(note: Path) -> int:
    """The port of last time, or any."""
    try:
        return int(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0
