"""A server in a process of its own that says at its start where it listens."""

import re
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from forager.errors import UsageError

ADDRESS = re.compile(r"(?:http://127\.0\.0\.1:|TCP port )(?P<port>\d+)")
LAST_LINES = 12


@contextmanager
def started(command: Sequence[str | Path], folder: Path) -> Iterator[str]:
    """The root (`http://127.0.0.1:PORT`) of a server that runs in `folder` while entered.

    Raises UsageError, with what it wrote last, when it ends without naming an address.
    """
    with subprocess.Popen(  # noqa: S603  the benches' own servers
        [str(part) for part in command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None  # noqa: S101  it is a pipe
        reader = None
        try:
            root = _root(process.stdout, command)
            reader = threading.Thread(target=_drain, args=(process.stdout,), daemon=True)
            reader.start()
            yield root
        finally:
            process.kill()
            if reader:
                reader.join()


def _root(lines: IO[str], command: Sequence[str | Path]) -> str:
    said: list[str] = []
    for line in lines:
        said.append(line)
        if found := ADDRESS.search(line):
            return f"http://127.0.0.1:{found['port']}"
    last = "".join(said[-LAST_LINES:]).strip()
    what = f"{command[0]} ended before it served anything. It said:\n{last}"
    raise UsageError(what, "Mend what it complains of.")


def _drain(lines: IO[str]) -> None:
    """Read on, so that the server never waits for its pipe."""
    for _ in lines:
        pass
