"""Runs a server in its own process; the server prints its address when it starts."""

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
def run_server(command: Sequence[str | Path], folder: Path) -> Iterator[str]:
    """Run a server in `folder` and yield its root URL (`http://127.0.0.1:PORT`).

    Raises UsageError with the server's last output if it exits without printing an address.
    """
    with subprocess.Popen(  # noqa: S603  the benchmarks' own servers
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
            root = _read_root_url(process.stdout, command)
            reader = threading.Thread(target=_drain_output, args=(process.stdout,), daemon=True)
            reader.start()
            yield root
        finally:
            process.kill()
            if reader:
                reader.join()


def _read_root_url(lines: IO[str], command: Sequence[str | Path]) -> str:
    output: list[str] = []
    for line in lines:
        output.append(line)
        if found := ADDRESS.search(line):
            return f"http://127.0.0.1:{found['port']}"
    last = "".join(output[-LAST_LINES:]).strip()
    what = f"{command[0]} exited before it printed an address. Its last output:\n{last}"
    raise UsageError(what, "Fix what it reports.")


def _drain_output(lines: IO[str]) -> None:
    """Keep reading, so that the server never blocks on a full pipe."""
    for _ in lines:
        pass
