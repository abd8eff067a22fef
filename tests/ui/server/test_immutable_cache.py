"""Files that say they never change come from memory; everything else is asked for each time."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server.asset_middleware import ImmutableCache

FOR_GOOD = {"cache-control": "public, immutable, max-age=31536000"}


class Files:
    """Answers each path, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, request: Request) -> Response:
        path = request.url.path
        self.asked.append(path)
        if path == "/missing.js":
            return Response("none", 404, FOR_GOOD)
        if path == "/page":
            return Response("a page", headers={"cache-control": "no-cache"})
        if path == "/mine.js":
            return Response("yours", headers={**FOR_GOOD, "set-cookie": "a=b"})
        return StreamingResponse(self._parts(), headers=FOR_GOOD, media_type="text/javascript")

    async def _parts(self) -> Iterator[bytes]:  # type: ignore[misc]
        yield b"one, "
        yield b"two"


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture
def client(files: Files) -> TestClient:
    routes = [Route("/{path:path}", files.__call__, methods=["GET", "POST"])]
    return TestClient(ImmutableCache(Starlette(routes=routes)))


def test_a_file_that_never_changes_is_asked_for_once(client: TestClient, files: Files) -> None:
    first, second = client.get("/a.js"), client.get("/a.js")
    assert first.content == second.content == b"one, two"
    assert first.headers == second.headers
    assert files.asked == ["/a.js"]


@pytest.mark.parametrize("path", ["/page", "/missing.js", "/mine.js", "/a.js?v=1"])
def test_all_else_is_asked_for_each_time(client: TestClient, files: Files, path: str) -> None:
    first, second = client.get(path), client.get(path)
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert len(files.asked) == 2


def test_a_part_of_a_file_and_another_method_are_passed_on(
    client: TestClient, files: Files
) -> None:
    client.get("/a.js")
    client.get("/a.js", headers={"range": "bytes=0-1"})
    client.post("/a.js")
    assert len(files.asked) == 3
