"""HTTP/2 over TLS: connects to the checked address and verifies the host name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.adapters.web.fetch import http_exchange
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.adapters.web.fetch.http_exchange import send_request
from forager.domain.actions import ApiRequest
from forager.errors import AddressError, ConnectError
from forager.settings import Settings
from tests.forager.adapters.web.http2 import Http2Site
from tests.servers import Site

HOST = "name.invalid"
PAGE = b"<p>Hello."


class Pinned(AddressGuard):
    """Resolves every name to loopback; a second lookup would fail."""

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        return ("127.0.0.1",)


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Http2Site]:
    """A site whose certificate the system trusts."""
    with Http2Site(HOST, tmp_path, PAGE) as site:
        monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
        http_exchange._tls_context.cache_clear()
        yield site
    http_exchange._tls_context.cache_clear()


async def test_requests_share_a_connection_of_http2(secure: Http2Site) -> None:
    url = f"https://{HOST}:{secure.port}"
    async with http_exchange.open_client(Settings(), Pinned()) as http:
        first, second = await http.get(f"{url}/a"), await http.get(f"{url}/b")
    assert (first.http_version, first.content) == ("HTTP/2", PAGE)
    assert (second.http_version, second.content) == ("HTTP/2", PAGE)
    assert (secure.paths, secure.connections) == (["/a", "/b"], 1)


async def test_a_certificate_for_another_host_is_refused(secure: Http2Site) -> None:
    url = f"https://other.invalid:{secure.port}/"
    async with http_exchange.open_client(Settings(), Pinned()) as http:
        with pytest.raises(ConnectError, match="certificate: Hostname mismatch"):
            await send_request(http, ApiRequest(url=url), Settings())
    assert secure.paths == []


async def test_a_server_without_tls_raises_an_error(site: Site) -> None:
    async with http_exchange.open_client(Settings(), Pinned()) as http:
        with pytest.raises(ConnectError, match="does not speak TLS"):
            await send_request(http, ApiRequest(url=f"https://{HOST}:{site.port}/"), Settings())


async def test_a_private_address_is_refused_before_a_connection(secure: Http2Site) -> None:
    async with http_exchange.open_client(Settings(), AddressGuard()) as http:
        with pytest.raises(AddressError, match="private"):
            await send_request(
                http, ApiRequest(url=f"https://127.0.0.1:{secure.port}/"), Settings()
            )
    assert secure.connections == 0
