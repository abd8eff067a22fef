"""`forager ui` as a process, and calls of its API."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

WORDS = "from ui.cli import app; app(prog_name='forager')"
PATIENCE = 120.0


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    pid: int
    url: str
    client: httpx2.Client

    def post(self, path: str, **body: object) -> Any:
        """The answer to a call."""
        return self.client.post(path, json=body).raise_for_status().json()

    def get(self, path: str) -> Any:
        """The answer to a call."""
        return self.client.get(path).raise_for_status().json()

    def lines(self, id: str) -> Iterator[tuple[int, Any]]:
        """The changes of a session's view with their sizes in bytes, until it stands still."""
        with self.client.stream("GET", f"/api/sessions/{id}/live") as reply:
            for line in reply.iter_lines():
                change = json.loads(line or "{}")
                yield len(line.encode()) + 1, change
                status = change.get("session", {}).get("status", "running")
                if status not in {"running", "interrupted"}:
                    return

    def resident(self) -> float:
        """Memory that the process holds, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


@contextmanager
def served(data: Path) -> Iterator[Server]:
    """The web UI on a data folder."""
    words = ["ui", "--no-browser", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", WORDS, *words, "--allow-private", "127.0.0.1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = process.stdout.readline() if process.stdout else ""
        url = next(word for word in said.split() if word.startswith("http"))
        token = (data / "ui-token").read_text(encoding="ascii").strip()
        headers = {"authorization": f"Bearer {token}"}
        with httpx2.Client(base_url=url, headers=headers, timeout=PATIENCE) as client:
            yield Server(process.pid, url, client)
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()
