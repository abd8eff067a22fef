"""Streamlit's files come from memory as they are on the disk; pages say which they will want."""

import re
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from ui.parts import code
from ui.server.preloading import Preloading, links
from ui.server.statics import InMemory

FOLDER = Path(streamlit.__file__).parent / "static"
INDEX = (FOLDER / "index.html").read_text(encoding="utf-8")


async def _page(request: Request) -> Response:
    return HTMLResponse("a page")


async def _else(request: Request) -> Response:
    return JSONResponse("passed on", 404)


@pytest.fixture
def client() -> TestClient:
    routes = [
        Route("/", _page),
        Route("/login", _page),
        Route("/api/export", _page),
        *code.ROUTES,
        Route("/{path:path}", _else),
    ]
    return TestClient(Preloading(InMemory(Starlette(routes=routes))))


def addresses(header: str) -> list[str]:
    return re.findall(r"<([^>]+)>", header)


def test_a_page_says_what_it_will_want_and_nothing_else_does(client: TestClient) -> None:
    assert client.get("/").headers["link"] == links()
    for path in ("/login", "/api/sessions", "/api/export"):
        assert "link" not in client.get(path).headers


def test_what_is_named_is_there_with_all_that_it_imports(client: TestClient) -> None:
    named = addresses(links())
    known = {*named, *re.findall(r"\./(static/js/[\w.-]+)", INDEX)}
    known |= {f"/{each}" for each in known}
    assert code.address() in named
    scripts = [each for each in named if each.startswith("/static/js/")]
    assert len(scripts) > 20
    for each in scripts:
        answer = client.get(each)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/javascript")
        for other in re.findall(r'(?:from|import)\s*"\./([\w.-]+\.js)"', answer.text):
            assert f"/static/js/{other}" in known


@pytest.mark.parametrize("name", ["js", "css", "media"])
def test_a_file_is_sent_as_it_is(client: TestClient, name: str) -> None:
    path = next((FOLDER / "static" / name).glob("*.*"))
    answer = client.get(f"/static/{name}/{path.name}")
    assert answer.content == path.read_bytes()
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/js/none.js",
        "/static/js/",
        "/static/../index.html",
        "/static/js/..%2f..%2f..%2findex.html",
        "/static/js/%2e%2e/%2e%2e/index.html",
        "/static//etc/passwd",
        "/index.html",
    ],
)
def test_all_else_is_passed_on(client: TestClient, path: str) -> None:
    assert client.get(path).json() == "passed on"


def test_the_parts_are_at_one_address_that_names_their_content(client: TestClient) -> None:
    answer = client.get(code.address())
    assert answer.text == code.module()
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/parts/another.js").status_code == 404
    assert code.address() in code.loader()


def test_every_part_draws(client: TestClient) -> None:
    for path in Path(code.__file__).parent.glob("*.js"):
        if path.stem in {*code.COMMON, "load"}:
            continue
        text = path.read_text(encoding="utf-8")
        assert len(re.findall(r"^function part\(", text, re.M)) == 1, path
        assert f"\n{path.stem}: lasting((() => {{" in code.module()
