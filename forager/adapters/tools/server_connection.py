"""A connection to one MCP server: a program that is started, or an address."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from io import TextIOWrapper
from typing import Final, TextIO

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, Tool
from pydantic import JsonValue

from forager.adapters.tools.tool_servers import ToolServer
from forager.domain.actions import ToolDescription
from forager.errors import ToolError
from forager.settings import Settings

MAX_PAGES: Final = 50
"""Pages of a list of tools that are read."""
MAX_SAID: Final = 200
GOING_WRONG: Final = (OSError, MCPError, httpx2.HTTPError, ExceptionGroup, RuntimeError, ValueError)
"""What the SDK raises where a server is missing, gone, or none at all."""
MEND: Final = "Check the server: forager tools list."


class ServerConnection:
    """Connects on first use. A task of its own holds the connection, as the SDK demands."""

    def __init__(self, name: str, server: ToolServer, settings: Settings) -> None:
        self._name = name
        self._server = server
        self._settings = settings
        self._lock = asyncio.Lock()
        self._leave = asyncio.Event()
        self._opened: asyncio.Future[Client] | None = None
        self._holder: asyncio.Task[None] | None = None
        self._tools: dict[str, ToolDescription] | None = None

    async def tools(self) -> dict[str, ToolDescription]:
        """The server's tools by name, asked for once. Raises ToolError."""
        if self._tools is None:
            found, cursor = dict[str, ToolDescription](), None
            client = await self._client()
            for _ in range(MAX_PAGES):
                with self._translated("list its tools"):
                    page = await client.list_tools(cursor=cursor)
                found |= {tool.name: self._described(tool) for tool in page.tools}
                cursor = page.next_cursor
                if not cursor:
                    break
            self._tools = found
        return self._tools

    async def call(self, tool: str, arguments: dict[str, JsonValue]) -> CallToolResult:
        """The result of a call. Raises ToolError."""
        client = await self._client()
        with self._translated(f"do {tool}"):
            return await client.call_tool(tool, arguments)

    async def aclose(self) -> None:
        """Close the connection; a program that was started ends."""
        self._leave.set()
        if self._holder is not None:
            await asyncio.wait({self._holder})

    def _described(self, tool: Tool) -> ToolDescription:
        hints = tool.annotations
        return ToolDescription(
            server=self._name,
            name=tool.name,
            title=tool.title or (hints.title if hints else "") or "",
            description=tool.description or "",
            read_only=bool(hints and hints.read_only_hint),
            arguments=tool.input_schema,
        )

    async def _client(self) -> Client:
        """The connected client; a connection that was lost is made anew."""
        async with self._lock:
            if self._opened is None or self._holder is None or self._holder.done():
                self._opened = asyncio.get_running_loop().create_future()
                self._holder = asyncio.create_task(self._hold(self._opened))
            return await asyncio.shield(self._opened)

    async def _hold(self, opened: "asyncio.Future[Client]") -> None:
        """Connect, and stay connected until `aclose`; what goes wrong is for those who wait."""
        with TextIOWrapper(tempfile.TemporaryFile(), "utf-8", "replace") as said:
            try:
                with self._translated("be reached", said):
                    async with self._connect(said) as client:
                        opened.set_result(client)
                        await self._leave.wait()
            except ToolError as error:
                if not opened.done():
                    opened.set_exception(error)
            finally:
                opened.cancel()

    @asynccontextmanager
    async def _connect(self, said: TextIO) -> AsyncIterator[Client]:
        seconds = self._settings.tool_seconds
        async with AsyncExitStack() as stack:
            transport = (
                stdio_client(self._program(), said)
                if self._server.command
                else streamable_http_client(
                    self._server.url, http_client=await stack.enter_async_context(self._http())
                )
            )
            limit = await stack.enter_async_context(asyncio.timeout(seconds))
            async with Client(transport, read_timeout_seconds=seconds) as client:
                limit.reschedule(None)
                yield client

    def _program(self) -> StdioServerParameters:
        server = self._server
        return StdioServerParameters(
            command=server.command,
            args=list(server.args),
            env={name: value.get_secret_value() for name, value in server.env.items()},
            cwd=server.cwd or None,
            encoding_error_handler="replace",
        )

    def _http(self) -> httpx2.AsyncClient:
        server = self._server
        return httpx2.AsyncClient(
            headers={name: value.get_secret_value() for name, value in server.headers.items()},
            timeout=httpx2.Timeout(self._settings.tool_seconds),
            proxy=self._settings.proxy_for(server.url),
            trust_env=False,
        )

    @contextmanager
    def _translated(self, aim: str, said: TextIO | None = None) -> Iterator[None]:
        """Raise what goes wrong as a ToolError, with the last words of a program that ended."""
        try:
            yield
        except GOING_WRONG as error:
            last = _last_line(said) if said else ""
            why = last or self._masked(_innermost(error))
            raise ToolError(
                f"The tool server {self._name} could not {aim}: {why}.", MEND
            ) from error

    def _masked(self, error: BaseException) -> str:
        """What an error says, without what is secret."""
        if isinstance(error, TimeoutError):
            return f"no reply within {self._settings.tool_seconds:g} s"
        text = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        for secret in self._server.secrets:
            text = text.replace(secret, "…") if secret else text
        return text[:MAX_SAID]


def _innermost(error: BaseException) -> BaseException:
    """The first error of nested groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _last_line(said: TextIO) -> str:
    with suppress(OSError, ValueError):
        said.seek(0)
        lines = [line.strip() for line in said if line.strip()]
        return lines[-1].rstrip(".")[:MAX_SAID] if lines else ""
    return ""
