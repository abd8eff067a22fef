"""Pages say which files of ours they will want; nothing else does."""

import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server import assets
from ui.server.asset_middleware import PreloadLinks, preload_links


async def _page(request: Request) -> Response:
    return HTMLResponse("a page")


async def _sessions(request: Request) -> Response:
    return JSONResponse([])


@pytest.fixture
def client() -> TestClient:
    pages = (Route(path, _page) for path in ("/", "/login", "/api/export"))
    routes = [*pages, Route("/api/sessions", _sessions), *assets.ROUTES]
    return TestClient(PreloadLinks(Starlette(routes=routes)))


def test_a_page_says_what_it_will_want_and_nothing_else_does(client: TestClient) -> None:
    assert client.get("/").headers["link"] == preload_links()
    for path in ("/login", "/api/sessions", "/api/export"):
        assert "link" not in client.get(path).headers


def test_what_is_named_is_there(client: TestClient) -> None:
    font, *modules = re.findall(r"<([^>]+)>", preload_links())
    assert font.endswith(".woff2")
    assert tuple(modules) == assets.preload_addresses()
    for module in modules:
        assert client.get(module).headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("name", ["parts.js", "shared.js", "canvas.js", "canvas.css"])
def test_built_files_are_served_under_an_address_that_names_their_content(
    client: TestClient, name: str
) -> None:
    answer = client.get(assets.asset_address(name))
    assert answer.text == assets.read_asset(name)
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/assets/0123/parts.js", "/assets/{}/none.js", "/assets/{}/..%2fx"]
)
def test_no_other_address_is_served(client: TestClient, path: str) -> None:
    assert client.get(path.format(assets.digest())).status_code == 404
