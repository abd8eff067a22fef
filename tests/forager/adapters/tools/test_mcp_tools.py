"""The Tools port on a real MCP server: a program, or one over HTTP."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from forager.adapters.tools.mcp_tools import McpTools
from forager.domain.documents import Document
from forager.errors import ToolError
from tests.fakes import MemoryBlobs
from tests.forager.adapters.tools.servers import program, settings_with
from tests.tool_server import SERVER


@asynccontextmanager
async def tools_of(folder: Path, **servers: Any) -> AsyncIterator[McpTools]:
    tools = McpTools(settings_with(folder, servers), MemoryBlobs())
    async with aclosing(tools):
        yield tools


async def test_a_tool_is_described_with_its_schema_and_whether_it_only_reads(
    tmp_path: Path,
) -> None:
    async with tools_of(tmp_path, lights=program()) as tools:
        reads = await tools.describe("lights", "look_up")
        writes = await tools.describe("lights", "note")
    assert (reads.label, reads.read_only) == ("Look up a lighthouse", True)
    assert reads.description == "What the register says of a lighthouse."
    assert reads.arguments["required"] == ["name"]
    assert (writes.label, writes.read_only) == ("note", False)


async def test_a_text_is_a_page_at_the_address_of_the_call(tmp_path: Path) -> None:
    blobs = MemoryBlobs()
    settings = settings_with(tmp_path, {"lights": program()})
    async with aclosing(McpTools(settings, blobs)) as tools:
        opened = await tools.call("lights", "look_up", {"name": "Fastnet"})
    page = opened.document
    assert page.url == "mcp://lights/look_up?name=Fastnet"
    assert page.title == "Look up a lighthouse: Fastnet"
    assert page.text == "# Fastnet\n\nThe lighthouse of Fastnet is 54 m high."
    assert [heading.text for heading in page.headings] == ["Fastnet"]
    assert Document.model_validate_json(blobs.get(opened.blob)) == page
    assert not opened.cached


async def test_records_are_a_table(tmp_path: Path) -> None:
    async with tools_of(tmp_path, lights=program()) as tools:
        page = (await tools.call("lights", "list_all", {})).document
    rows = ["name | height | built", "Skellig Rock | 38 m | 1826", "Fastnet | 54 m | 1904"]
    assert page.text.splitlines() == rows


async def test_a_program_gets_its_own_variables_and_no_keys_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("KEY", "ours")
    own = program(env={"KEY": "its own"})
    async with tools_of(tmp_path, lights=own, poor=program()) as tools:
        told = (await tools.call("lights", "key", {})).document.text
        poor = (await tools.call("poor", "key", {})).document.text
    assert told.startswith("The key is its own")
    assert poor.startswith("The key is missing")


@pytest.mark.parametrize(
    ("server", "tool", "says"),
    [
        (
            "lights",
            "lookup",
            "The tool server lights has no tool 'lookup'. Did you mean 'look_up'?",
        ),
        ("lihgts", "look_up", "There is no tool server 'lihgts'. Did you mean 'lights'?"),
        ("broken", "look_up", "could not be reached: The register is on fire."),
        ("missing", "look_up", "could not be reached: .*No such file or directory: 'nonesuch'"),
        ("silent", "look_up", "could not be reached: no reply within 1 s"),
        ("away", "look_up", "could not be reached: "),
    ],
)
async def test_what_is_wrong_is_said(tmp_path: Path, server: str, tool: str, says: str) -> None:
    servers = {
        "lights": program(),
        "broken": program("broken"),
        "missing": {"command": "nonesuch"},
        "silent": {"command": "tail", "args": ["-f", "/dev/null"]},
        "away": {"url": "http://127.0.0.1:9/mcp"},
    }
    more = {"tool_seconds": 1} if server == "silent" else {}
    tools = McpTools(settings_with(tmp_path, servers, **more), MemoryBlobs())
    async with aclosing(tools):
        with pytest.raises(ToolError, match=says):
            await tools.call(server, tool, {})


async def test_a_tool_that_fails_says_so_and_the_server_goes_on(tmp_path: Path) -> None:
    async with tools_of(tmp_path, lights=program()) as tools:
        with pytest.raises(ToolError, match="look_up of lights failed: Error executing"):
            await tools.call("lights", "look_up", {"name": "Nowhere"})
        assert await tools.call("lights", "look_up", {"name": "Fastnet"})


async def test_without_a_file_there_is_no_server(tmp_path: Path) -> None:
    tools = McpTools(settings_with(tmp_path, {}), MemoryBlobs())
    (tmp_path / "tools.json").unlink()
    async with aclosing(tools):
        with pytest.raises(ToolError, match=r"There is no tool server 'lights'\. Add one"):
            await tools.describe("lights", "look_up")


async def test_a_server_over_http_is_asked_with_its_headers(tmp_path: Path) -> None:
    seen = list[bytes]()
    app = SERVER.streamable_http_app()

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            seen.extend(value for name, value in scope["headers"] if name == b"x-key")
        await app(scope, receive, send)

    async with _serving(noting) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        headers = {"X-Key": "0815"}
        async with tools_of(tmp_path, lights={"url": url, "headers": headers}) as tools:
            page = (await tools.call("lights", "look_up", {"name": "Skellig Rock"})).document
    assert "is 38 m high" in page.text
    assert set(seen) == {b"0815"}


@asynccontextmanager
async def _serving(app: Callable[..., Any]) -> AsyncIterator[int]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving
