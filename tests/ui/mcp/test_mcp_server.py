"""The server as clients see it, over both transports, with the client of the official SDK."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.types import CallToolResult, TextContent

from tests.servers import Asked, Reply, Site
from tests.ui.conftest import PAGES
from tests.ui.mcp.servers import HttpServer, over_http, over_stdio, serving_http
from ui.mcp.mcp_server import keep_token

QUESTION = "Which engineer built the Skarn lighthouse?"
TOOLS = ["ask", "follow_up", "resume", "sessions", "evidence", "verify", "search"]
POLLS = 600


class HeldSite(Site):
    """A site whose page on Skarn is answered when it is let go."""

    def __init__(self) -> None:
        super().__init__({path: page for path, page in PAGES.items() if path != "/skarn.html"})
        self.routes["/skarn.html"] = self.hold
        self.wanted = threading.Event()
        self.let_go = threading.Event()

    def hold(self, asked: Asked) -> Reply:
        self.wanted.set()
        self.let_go.wait(30)
        return Reply(PAGES["/skarn.html"])


@pytest.fixture(scope="module")
def http_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving_http(tmp_path_factory.mktemp("data")) as server:
        yield server


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


async def call(client: Client, tool: str, **arguments: object) -> Any:
    """What a tool returns, structured."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """What a tool says that refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)


async def converse(client: Client, site: str) -> None:
    """Ask, follow up, and look at what was read."""
    told: list[tuple[float, str]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message or ""))

    assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
    asked = {"question": QUESTION, "sites": [site], "session": "one"}
    result = await client.call_tool("ask", asked, progress_callback=tell)
    answer = result.structured_content
    assert answer is not None
    assert (answer["session"], answer["status"]) == ("one", "answered")
    assert "Marta Lindqvist" in answer["answer"]
    assert f"[{answer['citations'][0]['id']}]" in answer["answer"]
    assert json.loads(text_of(result)) == answer
    assert told[0][1] == "session one"
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert any(message.startswith("survey: ") for _, message in told)

    further = await call(client, "follow_up", session="one", question="How high is Holm's?")
    assert further["session"] == "one"
    assert "41 metres" in further["answer"]
    listed = await call(client, "sessions", search="holm")
    assert [(each["session"], each["turn"]) for each in listed["sessions"]] == [("one", 2)]
    ledger = (await call(client, "evidence", session="one", cited=True))["evidence"]
    assert {each["id"] for each in ledger} == {each["id"] for each in further["citations"]}
    checked = await call(client, "verify", session="one")
    assert checked["all_stand"]
    assert len(checked["quotes"]) >= 2
    found = await call(client, "search", query="Holm lighthouse", site=site)
    assert found["results"][0]["url"] == f"{site}holm.html"


async def cancel_and_resume(client: Client, session: str) -> None:
    """Cancel a call of `ask` while a page is awaited, then continue its session."""
    with HeldSite() as held:
        asked = {"question": QUESTION, "sites": [held.url()], "session": session}
        asking = asyncio.create_task(client.call_tool("ask", asked))
        assert await asyncio.to_thread(held.wanted.wait, 60)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        for _ in range(POLLS):
            listed = (await call(client, "sessions", status=["running"]))["sessions"]
            if not listed:
                break
        [line] = (await call(client, "sessions", status=["interrupted"]))["sessions"]
        assert line["session"] == session
        held.let_go.set()
        answer = await call(client, "resume", session=session)
        assert "Marta Lindqvist" in answer["answer"]
        assert held.paths().count("/skarn.html") <= 2


async def refuse(client: Client) -> None:
    """Ask for what cannot be done; each refusal says how to mend it."""
    assert "There is no graph" in await refusal(client, "ask", question="?", graph="/etc/passwd")
    assert "question" in await refusal(client, "ask", question=" ")
    assert "Write some words." in await refusal(client, "search", query=" ")
    assert "budget" in await refusal(client, "ask", question="?", budget={"pages": 0})
    assert "There is no session 'none'" in await refusal(client, "evidence", session="none")
    assert "There is no session 'none'" in await refusal(client, "resume", session="none")


async def test_over_standard_input_and_output(site: str, tmp_path: Path) -> None:
    async with over_stdio(tmp_path) as client:
        await refuse(client)
        await converse(client, site)
        await cancel_and_resume(client, "two")


async def test_over_http(site: str, http_server: HttpServer) -> None:
    async with over_http(http_server) as client:
        await refuse(client)
        await converse(client, site)
        await cancel_and_resume(client, "two")


async def test_over_http_as_clients_of_2025_speak_it(http_server: HttpServer) -> None:
    async with over_http(http_server, mode="legacy") as client:
        await cancel_and_resume(client, "three")


def test_over_http_the_token_and_the_host_are_asked_for(http_server: HttpServer) -> None:
    url, token = http_server
    with httpx2.Client() as http:
        assert http.post(url, json={}).status_code == 401
        assert http.post(url, json={}, headers=bearer("wrong")).status_code == 401
        rebound = {**bearer(token), "host": "evil.example.org"}
        assert http.post(url, json={}, headers=rebound).status_code == 421
        assert http.post(url, json={}, headers=bearer(token)).status_code == 400


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_the_token_stays_the_same_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "mcp-token"
    assert keep_token(file) == keep_token(file) == file.read_text().strip()
    assert file.stat().st_mode & 0o077 == 0
