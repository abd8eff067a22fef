"""Pages say which files of ours they will want; nothing else does."""

import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.parts import code
from ui.server.asset_middleware import PreloadLinks, preload_links


async def _page(request: Request) -> Response:
    return HTMLResponse("a page")


async def _sessions(request: Request) -> Response:
    return JSONResponse([])


@pytest.fixture
def client() -> TestClient:
    pages = (Route(path, _page) for path in ("/", "/login", "/api/export"))
    routes = [*pages, Route("/api/sessions", _sessions), *code.ROUTES]
    return TestClient(PreloadLinks(Starlette(routes=routes)))


def test_a_page_says_what_it_will_want_and_nothing_else_does(client: TestClient) -> None:
    assert client.get("/").headers["link"] == preload_links()
    for path in ("/login", "/api/sessions", "/api/export"):
        assert "link" not in client.get(path).headers


def test_what_is_named_is_there(client: TestClient) -> None:
    font, module = re.findall(r"<([^>]+)>", preload_links())
    assert font.endswith(".woff2")
    assert module == code.address()
    assert client.get(module).headers["content-type"].startswith("text/javascript")
