"""Files that are there whole or not at all, whoever else writes them at the same time."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def placed(path: Path) -> Iterator[Path]:
    """A file to write during the body, readable to its owner alone; it then stands at `path`.

    Where the body fails, `path` is as it was. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(number)
    fresh = Path(name)
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
