"""Tool servers of a data folder, for tests."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forager.settings import Settings

PROGRAM = str(Path(__file__).parents[3] / "tool_server.py")


def program(*args: str, **more: Any) -> dict[str, Any]:
    """The entry of the server about lighthouses, as a program."""
    return {"command": sys.executable, "args": [PROGRAM, *args], **more}


def settings_with(folder: Path, servers: Mapping[str, Any], **more: Any) -> Settings:
    """Settings of a data folder whose file names these servers."""
    (folder / "tools.json").write_text(json.dumps({"mcpServers": servers}))
    return Settings(data=folder, **more)
