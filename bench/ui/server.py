"""`forager ui` in its own process, with a client of its API."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx2

WORDS = "from ui.cli import app; app(prog_name='forager')"
PATIENCE = 120.0


@dataclass(frozen=True)
class UiServer:
    """A running server with an HTTP client."""

    pid: int
    url: str
    client: httpx2.Client

    def post(self, path: str, **body: object) -> Any:
        """POST a JSON body; return the reply. Raises httpx2.HTTPError."""
        return self.client.post(path, json=body).raise_for_status().json()

    def get(self, path: str) -> Any:
        """GET a path; return the reply. Raises httpx2.HTTPError."""
        return self.client.get(path).raise_for_status().json()

    def live_changes(self, id: str) -> Iterator[tuple[int, Any]]:
        """Yield the live changes of a session with their sizes in bytes, until its run ends."""
        with self.client.stream("GET", f"/api/sessions/{id}/live") as reply:
            for line in reply.iter_lines():
                change = json.loads(line or "{}")
                yield len(line.encode()) + 1, change
                status = change.get("session", {}).get("status", "running")
                if status not in {"running", "interrupted"}:
                    return

    def resident_megabytes(self) -> float:
        """Return the resident memory of the process in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


@contextmanager
def serve_ui(data: Path, variables: Mapping[str, str] = MappingProxyType({})) -> Iterator[UiServer]:
    """Start the web UI on a data folder and yield it; `variables` are added to the environment."""
    words = ["ui", "--no-browser", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(  # noqa: S603
        [*begin_with(variables), "-c", WORDS, *words, "--allow-private", "127.0.0.1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        url = next(word for word in line.split() if word.startswith("http"))
        token = (data / "ui-token").read_text(encoding="ascii").strip()
        headers = {"authorization": f"Bearer {token}"}
        with httpx2.Client(base_url=url, headers=headers, timeout=PATIENCE) as client:
            yield UiServer(process.pid, url, client)
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()


def begin_with(variables: Mapping[str, str]) -> list[str]:
    """The words that start Python in this environment, to which variables are added."""
    return ["env", *(f"{name}={value}" for name, value in variables.items()), sys.executable]
