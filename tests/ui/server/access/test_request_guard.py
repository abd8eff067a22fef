import hashlib
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from forager.settings import Settings
from tests.ui.server.api_client import Caller, called
from ui.server.access.security_headers import PagePolicy


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with called(Settings(data=tmp_path_factory.mktemp("data"))) as caller:
        yield caller


def test_health_is_open_and_all_else_of_the_api_needs_the_token(server: Caller) -> None:
    told = server.bare("/api/health").json()
    assert (told["status"], "running" in told) == ("ok", False)
    assert server.ask("/api/health").json()["running"] == 0
    refused = server.bare("/api/sessions")
    assert (refused.status, refused.json()["error"]) == (401, "The token is missing or wrong.")
    assert server.bare("/api/sessions", authorization=server.token).status == 401
    assert server.ask("/api/sessions").json()["count"] == 0


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "a b", "", "[::1"])
def test_a_page_by_another_name_is_refused(server: Caller, host: str) -> None:
    assert server.bare("/", host=host).status in {400, 403}


def test_the_servers_own_pages_are_answered(server: Caller) -> None:
    for host in ("127.0.0.1", "localhost"):
        own = f"{host}:{server.port}"
        assert server.ask("/api/sessions", host=own, origin=f"http://{own}").status == 200
    assert server.bare("/").body == b"a page"


def test_every_reply_carries_the_headers_that_shut_others_out(server: Caller) -> None:
    for reply in (server.bare("/"), server.bare("/api/health"), server.bare("/api/sessions")):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "same-origin"
        assert reply.headers["x-frame-options"] == "DENY"
        rules = reply.headers["content-security-policy"].split("; ")
        assert "frame-ancestors 'none'" in rules
        assert "object-src 'none'" in rules
        assert "img-src 'self' data: blob:" in rules


async def test_inline_scripts_run_only_if_they_stand_in_the_page() -> None:
    async def page(request: Request) -> Response:
        return HTMLResponse("<script>start()</script><script src='a.js'></script>")

    policy = PagePolicy(Starlette(routes=[Route("/", page)]))
    await policy.read_page()
    (script,) = (rule for rule in policy.rules("h").split("; ") if rule.startswith("script"))
    digest = b64encode(hashlib.sha256(b"start()").digest()).decode()
    assert script == f"script-src 'self' blob: 'sha256-{digest}'"


def test_the_token_lies_in_the_data_folder(server: Caller) -> None:
    assert server.backend
    written = (Path(server.backend.settings.data) / "ui-token").read_text().strip()
    assert written == server.token
