"""A recording: one JSON line per call, with its reply."""

import json
import threading
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import JsonValue, SecretStr

from forager.errors import StoreError, UsageError

MASK = "•••"
SHORTEST_SECRET = 8
"""Shorter keys, such as "none" for local endpoints, are not masked: any text may contain them."""
ENCODING = "utf-8", "surrogatepass"


class Tape:
    """Appends entries to a file, with secrets masked."""

    def __init__(self, path: Path, secrets: Sequence[SecretStr | None] = ()) -> None:
        self._path = path
        self._lock = threading.Lock()
        values = {secret.get_secret_value() for secret in secrets if secret}
        self._secrets = [value for value in values if len(value) >= SHORTEST_SECRET]
        self._begun = False

    def add_entry(self, key: str, asked: JsonValue, reply: JsonValue) -> None:
        """Append an entry. Raises StoreError."""
        entry = {"key": key, "asked": self._mask_secrets(asked), "reply": self._mask_secrets(reply)}
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        try:
            with self._lock:
                # In one write, because several tapes may share a file.
                self._append_line((self._line_start() + line).encode(*ENCODING))
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be written: {error.strerror}.",
                "Free some space on its disk, or record to another folder.",
            ) from error

    def _line_start(self) -> str:
        """A line break, if the previous recording was cut off within a line."""
        if self._begun:
            return ""
        self._begun = True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            end = file.tell()
            file.seek(max(0, end - 1))
            return "\n" if file.read(1) not in (b"", b"\n") else ""

    def _append_line(self, line: bytes) -> None:
        with self._path.open("ab", buffering=0) as file:
            file.write(line)

    def _mask_secrets(self, value: JsonValue) -> JsonValue:
        if isinstance(value, dict):
            return {key: self._mask_secrets(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._mask_secrets(inner) for inner in value]
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, MASK)
        return value


class PlayedTape:
    """The entries of a recording by key. After the last reply to a key, that one is repeated."""

    def __init__(self, path: Path) -> None:
        """Raises UsageError if there is no recording at `path`."""
        self.path = path
        self.asked: dict[str, Any] = {}
        self.replies: defaultdict[str, deque[Any]] = defaultdict(deque)
        for entry in _read_entries(path):
            self.asked[entry["key"]] = entry["asked"]
            self.replies[entry["key"]].append(entry["reply"])
        if not self.asked:
            raise UsageError(f"{path} has no entries.", "Record the run again.")

    def next_reply(self, key: str) -> Any:
        """The next reply to a key, or None if the call was not recorded."""
        replies = self.replies.get(key)
        if not replies:
            return None
        return replies.popleft() if len(replies) > 1 else replies[0]


def _read_entries(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_bytes().decode(*ENCODING).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"There is no recording in {path.parent}: {error}.", "Create one with --record."
        ) from error
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue  # a recording was cut off here
        if not isinstance(entry, dict) or not {"key", "asked", "reply"} <= entry.keys():
            raise UsageError(f"{path}: line {number} is not an entry.", "Record the run again.")
        yield entry
