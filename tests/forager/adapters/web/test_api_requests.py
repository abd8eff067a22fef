"""Requests to an API on loopback."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from forager.adapters.web.web_port import WebAdapter
from forager.budget import start_meter
from forager.domain.actions import ApiRequest
from forager.domain.documents import Document
from forager.errors import ActionError, AddressError, ContentError, RobotsError, StatusError
from forager.settings import Settings
from tests.fakes import FakeEmbedder, MemoryBlobs
from tests.servers import Asked, Reply, Site

JSON = "application/json; charset=utf-8"


@asynccontextmanager
async def web_for(folder: Path, secrets: Path | None = None) -> AsyncIterator[WebAdapter]:
    settings = Settings(data=folder, allow_private=("127.0.0.1", "localhost"), secrets=secrets)
    async with aclosing(WebAdapter(settings, MemoryBlobs(), FakeEmbedder())) as web:
        with start_meter():
            yield web


async def test_json_is_a_page_that_is_not_cached(tmp_path: Path) -> None:
    counts = iter((1, 2))
    answer = lambda asked: Reply(f'{{"count": {next(counts)}}}', kind=JSON)  # noqa: E731
    with Site({"/count": answer}) as site:
        async with web_for(tmp_path) as web:
            request = ApiRequest(url=site.url("/count?a=b c"))
            first, second = await web.send(request), await web.send(request)
        assert [each.document.text for each in (first, second)] == ["- count: 1", "- count: 2"]
        assert first.document.url == site.url("/count?a=b c")
        assert site.paths() == ["/count?a=b%20c"] * 2
        assert all("json" in asked.headers["accept"] for asked in site.asked[1:])


async def test_a_body_is_sent_as_json_and_other_texts_are_read(tmp_path: Path) -> None:
    with Site({"/find": "<h1>Found</h1><p>Ann founded it.</p>"}) as site:
        async with web_for(tmp_path) as web:
            sent = ApiRequest(url=site.url("/find"), method="POST", body='{"q": "Ann"}')
            page = (await web.send(sent)).document
    asked = site.asked[-1]
    assert (asked.method, asked.body) == ("POST", b'{"q": "Ann"}')
    assert asked.headers["content-type"] == "application/json"
    assert "Ann founded it." in page.text


async def test_a_secret_is_sent_to_its_domain_and_masked_in_the_reply(tmp_path: Path) -> None:
    def echo(asked: Asked) -> Reply:
        return Reply(f'{{"key": "{asked.headers["x-key"]}", "ok": true}}', kind=JSON)

    secrets = tmp_path / "secrets.yaml"
    secrets.write_text("papers: {domain: 127.0.0.1, value: s3cr3t-value}\n")
    secrets.chmod(0o600)
    with Site({"/me": echo}) as site:
        async with web_for(tmp_path, secrets=secrets) as web:
            headers = {"X-Key": "{{papers}}"}
            page = (await web.send(ApiRequest(url=site.url("/me"), headers=headers))).document
            elsewhere = site.url("/me").replace("127.0.0.1", "localhost")
            with pytest.raises(ActionError, match="must not be sent to localhost"):
                await web.send(ApiRequest(url=elsewhere, headers=headers))
    assert [asked.headers["x-key"] for asked in site.asked[1:]] == ["s3cr3t-value"]
    assert "s3cr3t" not in Document.model_dump_json(page)
    assert "- ok: true" in page.text


async def test_headers_are_not_taken_to_another_site(tmp_path: Path) -> None:
    with Site({"/there": Reply("{}", kind=JSON)}) as other:
        there = other.url("/there")
        routes = {
            "/moved": Reply(status=302, headers={"Location": "/here"}),
            "/away": Reply(status=302, headers={"Location": there}),
            "/here": Reply('{"a": 1}', kind=JSON),
        }
        with Site(routes) as site:
            async with web_for(tmp_path) as web:
                own = {"X-Key": "abc"}
                here = await web.send(ApiRequest(url=site.url("/moved"), headers=own))
                with pytest.raises(AddressError, match="must not get its headers"):
                    await web.send(ApiRequest(url=site.url("/away"), headers=own))
                assert other.asked == []
                assert await web.send(ApiRequest(url=site.url("/away")))
    assert here.document.text == "- a: 1"


@pytest.mark.parametrize(
    ("path", "error", "says"),
    [
        ("/gone", StatusError, "GET http://.* answered 404"),
        ("/broken", ContentError, "not valid JSON"),
        ("/closed", RobotsError, "robots.txt disallows"),
        ("/picture", ContentError, "image/png"),
    ],
)
async def test_what_fails_is_said(
    tmp_path: Path, path: str, error: type[Exception], says: str
) -> None:
    routes = {
        "/robots.txt": Reply("User-agent: *\nDisallow: /closed", kind="text/plain"),
        "/broken": Reply("{", kind=JSON),
        "/picture": Reply(b"\x89PNG", kind="image/png"),
    }
    with Site(routes) as site:
        async with web_for(tmp_path) as web:
            with pytest.raises(error, match=says):
                await web.send(ApiRequest(url=site.url(path)))


async def test_a_private_address_is_refused(tmp_path: Path) -> None:
    with Site() as site:
        settings = Settings(data=tmp_path)
        async with aclosing(WebAdapter(settings, MemoryBlobs(), FakeEmbedder())) as web:
            with start_meter(), pytest.raises(AddressError, match="private"):
                await web.send(ApiRequest(url=site.url("/"), method="POST"))
        assert site.asked == []
