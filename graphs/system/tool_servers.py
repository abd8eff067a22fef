"""Tool servers: list, add and remove them, and ask what tools they have."""

import re
from collections.abc import Mapping, Sequence
from contextlib import aclosing

from pydantic import SecretStr, ValidationError

from forager.adapters.tools.server_connection import ServerConnection
from forager.adapters.tools.tool_servers import (
    NAME,
    ToolServer,
    put_server,
    read_servers,
    servers_file,
)
from forager.domain.actions import ToolDescription
from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.settings import Settings

__all__ = [
    "ServerEntry",
    "add_server",
    "find_tools",
    "list_servers",
    "remove_server",
    "servers_file",
]


class ServerEntry(Frozen):
    """A server: its command line or address, and the names of what it is given in secret."""

    name: str
    place: str
    by_address: bool
    secrets: tuple[str, ...] = ()


def list_servers(settings: Settings) -> tuple[ServerEntry, ...]:
    """The servers, in the order of the file. Raises UsageError."""
    return tuple(
        ServerEntry(
            name=name,
            place=server.place,
            by_address=bool(server.url),
            secrets=(*server.env, *server.headers),
        )
        for name, server in read_servers(settings).items()
    )


def add_server(
    settings: Settings,
    name: str,
    command: Sequence[str] = (),
    url: str = "",
    secrets: Mapping[str, str] | None = None,
) -> None:
    """Add or replace a server. `secrets` are variables of a program, or headers.

    Raises UsageError and StoreError.
    """
    if not re.fullmatch(NAME, name):
        raise UsageError(
            f"{name!r} cannot be the name of a tool server.",
            "Use letters, digits, - and _, at most 40, beginning with a letter or digit.",
        )
    if bool(command) == bool(url):
        raise UsageError(
            "A tool server is a program or an address.",
            "Name a command with its arguments, or an address with --url.",
        )
    hidden = {key: SecretStr(value) for key, value in (secrets or {}).items()}
    given = {"headers" if url else "env": hidden} if hidden else {}
    try:
        server = (
            ToolServer.model_validate({"url": url, **given})
            if url
            else ToolServer.model_validate({"command": command[0], "args": command[1:], **given})
        )
    except ValidationError:
        raise UsageError(f"{url!r} is not an address.", "Write it as https://host/mcp.") from None
    put_server(settings, name, server)


def remove_server(settings: Settings, name: str) -> None:
    """Remove a server. Raises UsageError and StoreError."""
    put_server(settings, name, None)


async def find_tools(settings: Settings, name: str) -> tuple[ToolDescription, ...]:
    """The tools of a server, asked for now. Raises ToolError and UsageError."""
    servers = read_servers(settings)
    if name not in servers:
        raise UsageError(f"There is no tool server {name!r}.", "forager tools list shows them.")
    async with aclosing(ServerConnection(name, servers[name], settings)) as connection:
        return tuple((await connection.tools()).values())
