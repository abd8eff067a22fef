"""The result files of the data folder, and their rows."""

import time
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from graphs.experiments.result_rows import Row
from ui.server.backend import get_backend as here

MEGA = 1_000_000
MOST_BYTES = 50 * MEGA


class File(NamedTuple):
    """A file that may hold results; `changed` in seconds since the epoch."""

    path: Path
    changed: float
    size: int

    def pick(self) -> dict[str, str]:
        """The file as one to choose."""
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.changed))
        return {"id": self.path.name, "title": self.path.name, "text": day}


class Results(NamedTuple):
    """The rows of a file, and how many lines were none."""

    name: str
    rows: list[Row]
    skipped: int


def found() -> dict[str, File]:
    """The files in the folder of the benches by their names, the newest first."""
    folder = here().settings.data / "bench"
    there = [(path, path.stat()) for path in folder.glob("*.jsonl") if path.is_file()]
    files = [File(path, stat.st_mtime, stat.st_size) for path, stat in there]
    newest = sorted(files, key=lambda file: -file.changed)
    return {file.path.name: file for file in newest if file.size <= MOST_BYTES}


def read(name: str, body: bytes) -> Results:
    """What of a file can be read."""
    rows: list[Row] = []
    lines = [line for line in body.decode("utf-8", "replace").splitlines() if line.strip()]
    for line in lines:
        try:
            rows.append(Row.model_validate_json(line))
        except ValidationError:
            continue
    return Results(name, rows, len(lines) - len(rows))
