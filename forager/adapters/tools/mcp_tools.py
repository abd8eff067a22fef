"""The Tools port on MCP servers."""

import asyncio
import time
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from forager.adapters.tools.server_connection import ServerConnection
from forager.adapters.tools.tool_results import read_result, result_words
from forager.adapters.tools.tool_servers import read_servers
from forager.domain.actions import ToolDescription
from forager.domain.documents import OpenedPage
from forager.errors import ContentError, ToolError, UsageError
from forager.ports import Blobs
from forager.settings import Settings
from forager.util import telemetry
from forager.util.suggest import did_you_mean

ADD_ONE: Final = "Add one: forager tools add NAME -- COMMAND, or with --url."


class McpTools:
    """Connects to a server on its first use, and stays connected until it is closed."""

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._settings = settings
        self._blobs = blobs
        self._connections: dict[str, ServerConnection] = {}

    async def describe(self, server: str, tool: str) -> ToolDescription:
        """What a server says of a tool. Raises ToolError."""
        known = await (await self._connection(server)).tools()
        if tool not in known:
            mend = did_you_mean(tool, known)
            raise ToolError(f"The tool server {server} has no tool {tool!r}.", mend)
        return known[tool]

    async def call(self, server: str, tool: str, arguments: Mapping[str, JsonValue]) -> OpenedPage:
        """A tool's result as a page. Raises ToolError and StoreError."""
        described = await self.describe(server, tool)
        about = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": tool}
        with telemetry.span(f"execute_tool {tool}", **about, server__address=server):
            result = await (await self._connection(server)).call(tool, dict(arguments))
            if result.is_error:
                raise ToolError(f"{tool} of {server} failed: {result_words(result)}")
        try:
            document = await asyncio.to_thread(read_result, result, described, arguments)
        except ContentError as error:
            raise ToolError(error.what, error.mend) from error
        blob = await asyncio.to_thread(
            self._blobs.put, document.model_dump_json().encode(), "document"
        )
        return OpenedPage(document=document, blob=blob, fetched=time.time())

    async def aclose(self) -> None:
        """Close the connections; programs that were started end."""
        for connection in self._connections.values():
            await connection.aclose()

    async def _connection(self, name: str) -> ServerConnection:
        if name not in self._connections:
            try:
                servers = await asyncio.to_thread(read_servers, self._settings)
            except UsageError as error:
                raise ToolError(error.what, error.mend) from error
            if name not in servers:
                mend = did_you_mean(name, servers) or ADD_ONE
                raise ToolError(f"There is no tool server {name!r}.", mend)
            self._connections[name] = ServerConnection(name, servers[name], self._settings)
        return self._connections[name]
