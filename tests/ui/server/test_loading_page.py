"""The HTML of a page shows its title before any script runs."""

import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.server.loading_page import TITLES, LoadingPage

FIRST = re.compile(r'class="first" data-title="([^"]*)"')


async def _page(request: Request) -> Response:
    if "if-none-match" in request.headers:
        return Response(status_code=304)
    return HTMLResponse("<html><body><div id=root></div></body></html>", headers={"etag": "x"})


async def _data(request: Request) -> Response:
    return JSONResponse({"body": "<body>"})


@pytest.fixture
def client() -> TestClient:
    pages = [Route(path, _page) for path in (*TITLES, "/login")]
    return TestClient(LoadingPage(Starlette(routes=[*pages, Route("/api/sessions", _data)])))


@pytest.mark.parametrize(
    ("path", "language", "title"),
    [
        ("/memory", "en-GB,en", "Memory"),
        ("/sessions?session=one", "de-DE,de;q=0.9", "Sitzungen"),
        ("/?session=one", "en", ""),
    ],
)
def test_a_page_has_its_title_in_the_language_of_the_browser(
    client: TestClient, path: str, language: str, title: str
) -> None:
    reply = client.get(path, headers={"accept-language": language, "if-none-match": "x"})
    assert FIRST.findall(reply.text) == [title]
    assert reply.text.endswith("<div id=root></div></body></html>")
    assert "etag" not in reply.headers


def test_nothing_else_has_one(client: TestClient) -> None:
    for path in ("/login", "/api/sessions"):
        assert "forager-loading" not in client.get(path).text
