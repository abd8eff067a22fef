import pytest

from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.adapters.web.fetch.http_exchange import open_client
from forager.errors import AddressError, ConnectError
from forager.settings import Settings
from tests.servers import Site


@pytest.mark.parametrize(
    "host", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822", "192.0.1.1"]
)
async def test_public_addresses_pass(host: str) -> None:
    assert await AddressGuard().resolve(host, 80) == (host,)


@pytest.mark.parametrize("name", ["127.0.0.1", "127.0.0.1:8101", " 127.0.0.1 "])
async def test_an_allowed_host_passes(name: str) -> None:
    assert await AddressGuard([name]).resolve("127.0.0.1", 8101) == ("127.0.0.1",)


@pytest.mark.parametrize("name", ["127.0.0.1:80", "127.0.0.2", "localhost", "0"])
async def test_other_allowed_names_do_not_help(name: str) -> None:
    with pytest.raises(AddressError, match=r"--allow-private 127.0.0.1"):
        await AddressGuard([name]).resolve("127.0.0.1", 8101)


async def test_where_other_ports_are_allowed_the_error_names_the_port() -> None:
    guard = AddressGuard(["127.0.0.1:8100"])
    with pytest.raises(AddressError, match=r"--allow-private 127\.0\.0\.1:8101\."):
        await guard.resolve("127.0.0.1", 8101)
    with pytest.raises(AddressError, match=r"--allow-private 127\.0\.0\.1:8101\."):
        guard.check_url("http://127.0.0.1:8101/")


async def test_an_allowed_name_may_be_private() -> None:
    assert "127.0.0.1" in await AddressGuard(["localhost"]).resolve("LOCALHOST", 80)


async def test_an_unknown_host() -> None:
    with pytest.raises(ConnectError, match=r"host nowhere\.invalid is unknown"):
        await AddressGuard().resolve("nowhere.invalid", 80)


def test_politeness_is_lifted_for_allowed_hosts() -> None:
    guard = AddressGuard(["127.0.0.1:8101", "intranet"])
    assert guard.is_url_allowed("http://127.0.0.1:8101/a")
    assert guard.is_url_allowed("https://intranet/a")
    assert not guard.is_url_allowed("http://127.0.0.1/a")


class Rebound(AddressGuard):
    """Resolves every name to loopback; a second lookup would find nothing."""

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        assert host == "name.invalid"
        return ("127.0.0.1",)


async def test_the_connection_goes_to_the_address_that_was_checked(site: Site) -> None:
    site.routes["/"] = "<p>Hello."
    async with open_client(Settings(), Rebound()) as http:
        answer = await http.get(f"http://name.invalid:{site.port}/")
    assert answer.text == "<p>Hello."
    assert site.asked[0].headers["host"] == f"name.invalid:{site.port}"


async def test_a_second_address_is_tried_when_the_first_is_silent(site: Site) -> None:
    class Twice(AddressGuard):
        async def resolve(self, host: str, port: int) -> tuple[str, ...]:
            return ("127.0.0.2", "127.0.0.1")

    site.routes["/"] = "<p>Hello."
    async with open_client(Settings(), Twice()) as http:
        assert (await http.get(site.url())).status_code == 200


@pytest.mark.parametrize("host", ["93.184.216.34", "[2606:2800:220:1::1]", "10.example.org"])
def test_urls_with_public_addresses_pass(host: str) -> None:
    assert not AddressGuard().refuses_url(f"http://{host}/")
