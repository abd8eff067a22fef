"""What the commands of tool servers do."""

import asyncio
from collections.abc import Sequence

import typer
from rich.console import Console

from forager.domain.actions import ToolDescription
from forager.errors import UsageError
from forager.settings import Settings
from graphs.system.tool_servers import (
    add_server,
    find_tools,
    list_servers,
    remove_server,
    servers_file,
)
from ui.cli.printing.session_lists import print_rows
from ui.cli.printing.terminal_text import one_line

HEADINGS = ("server", "where", "secrets")
TOOL_HEADINGS = ("tool", "arguments", "only reads", "what it does")
NONE = "No tool servers yet. Add one: forager tools add NAME -- COMMAND, or with --url."
ABOUT_LENGTH = 80


def list_all(settings: Settings) -> None:
    """Print the servers and the path of their file."""
    rows = [
        (each.name, one_line(each.place, ABOUT_LENGTH), ", ".join(each.secrets))
        for each in list_servers(settings)
    ]
    print_rows(Console(highlight=False), HEADINGS, rows, NONE)
    typer.echo(str(servers_file(settings)), err=True)


def show_tools(settings: Settings, name: str) -> None:
    """Print the tools of a server."""
    rows = [_make_row(tool) for tool in asyncio.run(find_tools(settings, name))]
    print_rows(Console(highlight=False), TOOL_HEADINGS, rows, f"{name} has no tools.")


def add(
    settings: Settings, name: str, command: Sequence[str], url: str, secrets: Sequence[str]
) -> None:
    """Add a server; secrets are written as NAME=VALUE."""
    split = [secret.partition("=") for secret in secrets]
    if any(not key or not mark for key, mark, _ in split):
        raise UsageError("A secret is not written as NAME=VALUE.", "Write --secret API_KEY=….")
    add_server(settings, name, command, url, {key: value for key, _, value in split})
    typer.echo(f"Added {name}. Its tools: forager tools show {name}")


def remove(settings: Settings, name: str) -> None:
    """Remove a server."""
    remove_server(settings, name)
    typer.echo(f"Removed {name}.")


def _make_row(tool: ToolDescription) -> tuple[str, ...]:
    fields = tool.arguments.get("properties")
    needed = tool.arguments.get("required")
    names = [
        name if isinstance(needed, list) and name in needed else f"[{name}]"
        for name in (fields if isinstance(fields, dict) else {})
    ]
    return (
        one_line(tool.name),
        one_line(", ".join(names)),
        "yes" if tool.read_only else "no",
        one_line(tool.description, ABOUT_LENGTH),
    )
