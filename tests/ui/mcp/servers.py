"""`forager mcp` in a process of its own, and the SDK's client connected to it."""

import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.programs import Program, run_forager
from ui.server.handbook.handbook_site import HOST

WORDS = "from ui.cli import app; app(prog_name='forager')"
PATIENCE = 60


class HttpServer(NamedTuple):
    """Where a server is reached, and its token."""

    url: str
    token: str


def environment(data: Path) -> Mapping[str, str]:
    return {
        "FORAGER_DATA": str(data),
        "FORAGER_MEMORY": "false",
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": ":".join(sys.path),
    }


@contextmanager
def serving_http(data: Path) -> Iterator[HttpServer]:
    """The address and the token of a server over HTTP."""
    words = "mcp", "--http", "--port", "0", "--allow-private", HOST
    process = Program(run_forager, *words, **environment(data))
    try:
        said = process.stdout.readline()
        yield HttpServer(said.split()[2], (data / "mcp-token").read_text().strip())
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


@asynccontextmanager
async def over_stdio(data: Path) -> AsyncIterator[Client]:
    """The client, connected to a server that it starts."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-c", WORDS, "mcp", "--allow-private", HOST],
        env=dict(environment(data)),
    )
    async with Client(command) as client:
        yield client


@asynccontextmanager
async def over_http(server: HttpServer, mode: str = "auto") -> AsyncIterator[Client]:
    """The client, connected to a server over HTTP."""
    headers = {"authorization": f"Bearer {server.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode) as client,
    ):
        yield client
