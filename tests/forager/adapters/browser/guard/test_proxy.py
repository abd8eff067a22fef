"""What a page may make a browser ask for, however it goes about it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from playwright.async_api import Error, Page

from forager.adapters.browser.guard.proxy import GuardProxy
from forager.adapters.browser.process.engine import Engine
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.errors import AddressError, ConnectError
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.servers import Asked, Reply, Site

HELLO = "<title>Hello</title><p>Hello."


class Private:
    """A server that nobody may ask; it counts who tries to."""

    port = 0
    callers = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.callers += 1
        writer.close()


@pytest.fixture
async def private() -> AsyncIterator[Private]:
    told = Private()
    server = await asyncio.start_server(told.answer, "127.0.0.1", 0)
    told.port = server.sockets[0].getsockname()[1]
    yield told
    server.close()
    await server.wait_closed()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/": HELLO}) as served:
        yield served


@asynccontextmanager
async def paged(
    site: Site, guard: AddressGuard | None = None
) -> AsyncIterator[tuple[Engine, Page]]:
    """A page of a browser that may ask the site, and nothing else on loopback."""
    engine = Engine(Settings(), guard or AddressGuard((f"127.0.0.1:{site.port}",)))
    try:
        yield engine, await (await engine.open_context()).new_page()
    finally:
        await engine.aclose()


@asynccontextmanager
async def proxied(proxy: GuardProxy, password: str) -> AsyncIterator[httpx2.AsyncClient]:
    await proxy.start()
    address = httpx2.Proxy(proxy.address, auth=(proxy.user, password))
    try:
        async with httpx2.AsyncClient(proxy=address, trust_env=False) as client:
            yield client
    finally:
        await proxy.close()


async def test_only_who_knows_the_password_is_served(site: Site) -> None:
    proxy = GuardProxy(AddressGuard(("127.0.0.1",)))
    async with proxied(proxy, "guessed") as client:
        assert (await client.get(site.url())).status_code == 407
    assert not site.asked
    async with proxied(proxy, proxy.password) as client:
        answer = await client.get(site.url("/?a=b"))
    assert (answer.status_code, answer.text) == (200, HELLO)
    assert "proxy-authorization" not in site.asked[0].headers


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1"])
async def test_a_private_address_is_refused_and_says_why(private: Private, host: str) -> None:
    proxy = GuardProxy(AddressGuard())
    url = f"http://{host}:{private.port}/"
    async with proxied(proxy, proxy.password) as client:
        answer = await client.get(url)
    assert (answer.status_code, private.callers) == (403, 0)
    assert "private address" in answer.text
    assert isinstance(proxy.refusal_for(url), AddressError)


@pytest.mark.parametrize("target", ["ftp://h/", "file:///etc/passwd", "/", "nonsense"])
async def test_only_web_addresses_are_asked_for(target: str) -> None:
    proxy = GuardProxy(AddressGuard())
    async with proxied(proxy, proxy.password):
        port = int(proxy.address.rpartition(":")[2])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        given = httpx2.BasicAuth(proxy.user, proxy.password)
        asked = next(given.auth_flow(httpx2.Request("GET", "http://h")))
        secret = asked.headers["authorization"]
        writer.write(f"GET {target} HTTP/1.1\r\nProxy-Authorization: {secret}\r\n\r\n".encode())
        assert b"403 Forbidden" in await reader.read()
        writer.close()


async def test_hosts_that_are_not_named_are_refused(site: Site) -> None:
    proxy = GuardProxy(AddressGuard(("127.0.0.1",)), ["example.org", "*.example.com"])
    async with proxied(proxy, proxy.password) as client:
        answer = await client.get(site.url())
        assert (answer.status_code, "FORAGER_BROWSER_HOSTS" in answer.text) == (403, True)
        named = await client.get("http://www.example.org/")
    assert named.status_code == 502  # allowed, but tests resolve no names
    assert isinstance(proxy.refusal_for("http://www.example.org/a"), ConnectError)


async def test_a_server_that_is_away() -> None:
    with Site() as gone:
        url = gone.url()
    proxy = GuardProxy(AddressGuard(("127.0.0.1",)))
    async with proxied(proxy, proxy.password) as client:
        answer = await client.get(url)
    assert (answer.status_code, "cannot be reached" in answer.text) == (502, True)


async def test_a_server_that_speaks_no_http_breaks_nothing() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 fine\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    proxy = GuardProxy(AddressGuard(("127.0.0.1",)))
    async with server, proxied(proxy, proxy.password) as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(f"http://127.0.0.1:{port}/")


async def test_bodies_pass_both_ways(site: Site) -> None:
    site.routes["/big"] = Reply(lambda: iter([b"x" * 100_000] * 10))
    proxy = GuardProxy(AddressGuard(("127.0.0.1",)))
    async with proxied(proxy, proxy.password) as client:
        assert len((await client.get(site.url("/big"))).content) == 1_000_000


async def test_no_more_comes_than_is_allowed(site: Site) -> None:
    site.routes["/big"] = Reply(lambda: iter([b"x" * 100_000] * 10))
    proxy = GuardProxy(AddressGuard(("127.0.0.1",)), most_bytes=300_000)
    async with proxied(proxy, proxy.password) as client:
        with pytest.raises(httpx2.RemoteProtocolError):
            await client.get(site.url("/big"))


@needs_browser
async def test_no_server_talks_the_browser_out_of_the_password(site: Site) -> None:
    challenge = {"Proxy-Authenticate": 'Basic realm="forager"'}
    site.routes["/trap"] = Reply("", 407, headers=challenge)
    async with paged(site) as (_, page):
        await page.goto(site.url())
        answer = await page.goto(site.url("/trap"))
        assert answer is not None
        assert answer.status == 502
        await page.goto(site.url())
        assert await page.title() == "Hello"
    assert not any("proxy-authorization" in asked.headers for asked in site.asked)


@needs_browser
async def test_no_way_leads_to_a_private_address(site: Site, private: Private) -> None:
    """Redirects, frames, pictures, WebSockets, workers, beacons, forms, fetches."""
    there = f"127.0.0.1:{private.port}"
    site.routes["/away"] = Reply("", 302, headers={"Location": f"http://{there}/redirected"})
    site.routes["/worker.js"] = Reply(
        f"fetch('http://{there}/w', {{mode: 'no-cors'}}).finally(() => postMessage('done'));"
        f"new WebSocket('ws://{there}/w');",
        kind="text/javascript",
    )
    site.routes["/shared.js"] = Reply(f"fetch('http://{there}/s')", kind="text/javascript")
    site.routes["/tricks"] = f"""<img src="/away"><img src="http://{there}/i"><link rel=preconnect
        href="http://{there}"><iframe src="/away"></iframe><iframe name=f></iframe>
        <form id=g method=post target=f action="http://{there}/form"></form><script>
        const ended = [];
        const socket = new Promise(end => new WebSocket("ws://{there}/").onerror = end);
        const safe = new Promise(end => new WebSocket("wss://{there}/").onerror = end);
        const worker = new Promise(end => new Worker("/worker.js").onmessage = end);
        new SharedWorker("/shared.js");
        navigator.sendBeacon("http://{there}/b", "x");
        g.submit();
        const hop = fetch("/away").catch(() => 0);
        const all = Promise.all([socket, safe, worker, hop]).then(() => "all refused");
        </script>"""
    async with paged(site) as (engine, page):
        await page.goto(site.url("/tricks"))
        assert await page.evaluate("all") == "all refused"
        await page.goto(site.url("/away"))
        assert "private address" in await page.inner_text("body")
        with pytest.raises(Error, match="ERR_TUNNEL_CONNECTION_FAILED"):
            await page.goto(f"https://{there}/")
        assert isinstance(engine.proxy.refusal_for(f"http://{there}/"), AddressError)
    assert "/worker.js" in site.paths()
    assert private.callers == 0


@needs_browser
async def test_a_name_is_looked_up_and_connected_as_checked(site: Site) -> None:
    """A name that leads elsewhere at its second look-up is refused then."""

    class Rebinding(AddressGuard):
        looked = 0

        async def resolve(self, host: str, port: int) -> tuple[str, ...]:
            if host != "name.invalid":
                return await super().resolve(host, port)
            self.looked += 1
            return ("127.0.0.1",) if self.looked == 1 else await super().resolve("127.0.0.1", port)

    guard = Rebinding()
    hosts: list[str] = []

    def hello(asked: Asked) -> Reply:
        hosts.append(asked.headers["host"])
        return Reply("<link rel=icon href='data:,'><p>Hello.")

    site.routes["/"] = hello
    async with paged(site, guard) as (_, page):
        url = f"http://name.invalid:{site.port}/"
        await page.goto(url)
        assert await page.inner_text("p") == "Hello."
        answer = await page.goto(url + "?again")
        assert answer is not None
        assert answer.status == 403
    assert hosts == [f"name.invalid:{site.port}"]


@needs_browser
async def test_no_datagram_leaves_the_browser(site: Site) -> None:
    """WebRTC would tell its address to any server, past the proxy."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", 0))
        stun.setblocking(False)
        script = """async url => {
          const peer = new RTCPeerConnection({iceServers: [{urls: url}]});
          peer.createDataChannel("d");
          const done = new Promise(end => peer.onicegatheringstatechange = () =>
            peer.iceGatheringState === "complete" && end());
          await peer.setLocalDescription();
          await done;
          return peer.localDescription.sdp;
        }"""
        async with paged(site) as (_, page):
            await page.goto(site.url())
            told = await page.evaluate(script, f"stun:127.0.0.1:{stun.getsockname()[1]}")
        assert "a=candidate" not in told
        with pytest.raises(BlockingIOError):
            stun.recv(1)
