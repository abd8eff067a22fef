"""Programs of tests that do not ask how a program starts: forked by a process that is warm.

Each has its own environment, standard streams and signals, as after a start of Python, which takes
seconds of a processor more. What asks how a program starts begins a new Python.
"""

import os
import signal
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from subprocess import TimeoutExpired
from types import TracebackType
from typing import IO, Self

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.warm_imports"])
Pipe = Connection
"""One end of it; what goes through are bytes of text."""


def run_forager(*words: str) -> None:
    """The command line."""
    from ui.cli import app  # noqa: PLC0415  # what only the fork needs

    app(words, prog_name="forager")


class Program:
    """A function that runs in a process of its own; it has what tests use of `subprocess.Popen`."""

    def __init__(self, main: Callable[..., None], *words: str, **env: str) -> None:
        (read_in, write_in), (read_out, write_out), (read_error, write_error) = (
            CONTEXT.Pipe(duplex=False) for _ in range(3)
        )
        ends = read_in, write_out, write_error
        self._process = CONTEXT.Process(target=_begin, args=(main, words, env, ends))
        self._process.start()
        for end in ends:
            end.close()
        self.stdin = _opened(write_in, "w")
        self.stdout = _opened(read_out, "r")
        self.stderr = _opened(read_error, "r")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind:
            self.kill()
        self.close()

    @property
    def returncode(self) -> int | None:
        """How it ended, as of `subprocess.Popen`; None if it has not."""
        return self._process.exitcode

    def send_signal(self, sign: signal.Signals) -> None:
        """Unless it has ended."""
        if self._process.pid is not None and self.returncode is None:
            os.kill(self._process.pid, sign)

    def kill(self) -> None:
        """As `kill -9` does."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """How it ended. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise TimeoutExpired(str(self._process), timeout or 0)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What else it writes to its output and its errors, until it ends.

        Raises TimeoutExpired, and kills it.
        """
        self.stdin.close()
        with ThreadPoolExecutor(2) as pool:
            rest = [pool.submit(stream.read) for stream in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except TimeoutExpired:
                self.kill()
                raise
            out, errors = (each.result() for each in rest)
        self.close()
        return out, errors

    def close(self) -> None:
        """End its streams, and wait for its end."""
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self._process.join()


def _opened(end: Pipe, mode: str) -> IO[str]:
    stream = os.fdopen(os.dup(end.fileno()), mode, encoding="utf-8")
    end.close()
    return stream


def _begin(
    main: Callable[..., None],
    words: tuple[str, ...],
    env: Mapping[str, str],
    ends: tuple[Pipe, Pipe, Pipe],
) -> None:
    """In the fork."""
    for number, end in enumerate(ends):
        os.dup2(end.fileno(), number)
        end.close()
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(env)
    main(*words)
