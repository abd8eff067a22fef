"""`forager ui` in a process of its own."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Timer
from typing import Any

from tests.programs import Program, run_forager

PATIENCE = 60
WORDS = "from ui.cli import app; app(prog_name='forager')"


@dataclass(frozen=True)
class Served:
    """A running server: its process, its first line, and where it is."""

    process: Program | subprocess.Popen[str]
    said: str
    url: str
    data: Path

    @property
    def port(self) -> int:
        """The port it took."""
        return int(self.url.rstrip("/").rpartition(":")[2])

    @property
    def token(self) -> str:
        """The token that it wrote down for programs of the same user."""
        return (self.data / "ui-token").read_text().strip()

    def ask(
        self,
        path: str,
        body: object = None,
        method: str = "",
        token: str | None = None,
        **more: str,
    ) -> tuple[int, Any]:
        """The status and the JSON of a call, with the token unless another is given."""
        headers = {"authorization": f"Bearer {self.token if token is None else token}", **more}
        status, _, answer = self.fetch(path, body, method, headers)
        return status, json.loads(answer)

    def fetch(
        self, path: str, body: object, method: str, headers: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """The status, the headers by small name, and the body."""
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request(method or ("GET" if sent is None else "POST"), path, sent, dict(headers))
            reply: HTTPResponse = line.getresponse()
            found = {name.lower(): value for name, value in reply.getheaders()}
            return reply.status, found, reply.read()
        finally:
            line.close()

    def end(self, sign: signal.Signals = signal.SIGINT) -> tuple[str, str]:
        """Send a signal; all further output, and the errors."""
        self.process.send_signal(sign)
        return self.process.communicate(timeout=PATIENCE)


@contextmanager
def serving(data: Path, *words: str, **env: str) -> Iterator[Served]:
    """The server on a port of its own, until it is ended or the body is left."""
    yield from _served(Program(run_forager, *_command(data, words), **_environment(env)), data)


@contextmanager
def serving_in_new_python(data: Path, *words: str, **env: str) -> Iterator[Served]:
    """The same, started as a person does."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORDS, *_command(data, words)],
        env=_environment(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield from _served(process, data)


def _command(data: Path, words: tuple[str, ...]) -> list[str]:
    return ["ui", "--no-browser", "--data", str(data), *words]


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path), **more}


def _served(process: Program | subprocess.Popen[str], data: Path) -> Iterator[Served]:
    with process:
        late = Timer(PATIENCE, process.kill)
        late.start()
        try:
            assert process.stdout
            said = process.stdout.readline()
            late.cancel()
            url = next((word for word in said.split() if word.startswith("http")), "")
            if not url:
                raise AssertionError(process.communicate(timeout=PATIENCE))
            yield Served(process, said, url, data)
        finally:
            late.cancel()
            process.kill()
