"""An MCP server with tools about lighthouses, run as a program: over stdio, or HTTP with a port."""

import os
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

SERVER = MCPServer("lighthouses")
READS = ToolAnnotations(read_only_hint=True, title="Look up a lighthouse")
GIVEN = dict(os.environ)  # noqa: TID251  what a program is given
NOTES = Path(GIVEN.get("NOTES", "notes.txt"))
LIGHTS: list[dict[str, str | int]] = [
    {"name": "Skellig Rock", "height": "38 m", "built": 1826},
    {"name": "Fastnet", "height": "54 m", "built": 1904},
]


@SERVER.tool(annotations=READS)
def look_up(name: str) -> str:
    """What the register says of a lighthouse."""
    found = [light for light in LIGHTS if str(light["name"]) in name]
    if not found:
        raise ValueError(f"No lighthouse is called {name}.")
    light = found[0]
    return f"# {light['name']}\n\nThe lighthouse of {light['name']} is {light['height']} high."


@SERVER.tool(annotations=ToolAnnotations(read_only_hint=True))
def list_all() -> list[dict[str, str | int]]:
    """All lighthouses."""
    return LIGHTS


@SERVER.tool()
def note(text: str) -> str:
    """Write a note, which changes something."""
    with NOTES.open("a") as file:
        file.write(f"{text}\n")
    return "Noted."


@SERVER.tool(annotations=ToolAnnotations(read_only_hint=True))
def key() -> str:
    """The key that it was given."""
    return f"The key is {GIVEN.get('KEY', 'missing')}, of {len(GIVEN)} variables."


if __name__ == "__main__":
    if sys.argv[1:] == ["broken"]:
        sys.exit("The register is on fire.")
    SERVER.run()
