"""Writes fitted weights with what they are and their hash."""

import hashlib
import json
from pathlib import Path
from typing import Any


def write_weights(path: Path, **body: Any) -> None:
    """Write `about`, `made_by`, `questions` and the weights, then the SHA-256 of all of it."""
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    path.write_text(f"{json.dumps(body | {'sha256': digest}, indent=1)}\n", encoding="utf-8")
