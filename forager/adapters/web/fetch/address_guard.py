"""Keeps requests off private networks: hosts are resolved, checked, and connected by address."""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from forager.errors import AddressError, ConnectError, PrivateAddressError

METADATA_ADDRESSES = frozenset({ipaddress.ip_address("168.63.129.16")})
"""Addresses of cloud metadata services in public ranges."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
_CLOSED_NETWORKS = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
    192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
    224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 3ffe::/16 3fff::/20
"""
CLOSED_NETWORKS = tuple(map(ipaddress.ip_network, _CLOSED_NETWORKS.split()))
"""Networks that IANA keeps for special purposes; what Python calls global differs by version."""
GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
"""All that IANA has allocated for global IPv6 addresses."""
ISATAP = 0x5EFE
"""Before an IPv4 address in the lower half of an IPv6 address, but for the bits U and G."""
LOOKUP_SECONDS = 10.0


class AddressGuard:
    """Refuses private addresses, except hosts in `allow_private` (HOST or HOST:PORT)."""

    def __init__(self, allow_private: Iterable[str] = ()) -> None:
        self._allowed = frozenset(name.strip().lower().strip("[]") for name in allow_private)

    def is_allowed(self, host: str, port: int) -> bool:
        """Is this host allowed to be private?"""
        host = host.lower().strip("[]").rstrip(".")
        return host in self._allowed or f"{host}:{port}" in self._allowed

    def _name_of(self, host: str, port: int) -> str:
        """The host; with its port where other ports of it are allowed."""
        whole = f"[{host}]" if ":" in host else host
        known = any(name.startswith(f"{host}:") for name in self._allowed)
        return f"{whole}:{port}" if known else host

    def is_url_allowed(self, url: str) -> bool:
        """Is the host of a canonical URL allowed to be private? Such hosts need no politeness."""
        return self.is_allowed(*_host_and_port(url))

    def refuses_url(self, url: str) -> bool:
        """Does a canonical URL contain a private address? Does no DNS lookup."""
        try:
            self.check_url(url)
        except AddressError:
            return True
        return False

    def check_url(self, url: str) -> None:
        """Raise AddressError if a canonical URL contains a private address. Does no DNS lookup."""
        if self.is_url_allowed(url):
            return
        host, port = _host_and_port(url)
        if host == "localhost" or host.endswith(".localhost"):
            written: tuple[str, ...] = ("127.0.0.1",)
        else:
            written = (host,) if ":" in host else _parse_numeric_host(host)
        for address in written:
            _refuse_private(self._name_of(host, port), host, address)

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """Resolve a host to checked IP addresses. Raises AddressError and ConnectError."""
        host = host.strip("[]").lower()
        addresses = _parse_numeric_host(host) or await _look_up(host, port)
        if not self.is_allowed(host, port):
            for address in addresses:
                _refuse_private(self._name_of(host, port), host, address)
        return addresses


def _host_and_port(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _parse_numeric_host(host: str) -> tuple[str, ...]:
    """Parse a host written as an IPv4 address, also as one number, in octal or shortened."""
    try:
        return (socket.inet_ntoa(socket.inet_aton(host)),)
    except (OSError, UnicodeError):
        return ()


async def _look_up(host: str, port: int) -> tuple[str, ...]:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise ConnectError(
            f"The host {host} is unknown.", "Check the spelling of the address."
        ) from error
    except TimeoutError as error:
        raise ConnectError(f"The host {host} could not be looked up in time.") from error
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def _refuse_private(name: str, host: str, address: str) -> None:
    """Raise PrivateAddressError unless the address and all addresses embedded in it are public.

    `name` is what to allow: the host, perhaps with its port.
    """
    for inner in _unwrap_address(ipaddress.ip_address(address.partition("%")[0])):
        if not _is_public(inner):
            shown = name if host == address else f"{name} ({address})"
            raise PrivateAddressError(
                f"{shown} is a private address; pages there are not opened.",
                f"If you trust it, allow it with --allow-private {name}.",
                name,
            )


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Is an address one of the public Internet, and not that of a metadata service?"""
    if address.version == 6 and address not in GLOBAL_IPV6:  # noqa: PLR2004
        return False
    closed = any(address in network for network in CLOSED_NETWORKS)
    return address.is_global and not closed and address not in METADATA_ADDRESSES


def _unwrap_address(address: IPv4Address | IPv6Address) -> Iterator[IPv4Address | IPv6Address]:
    """Yield an address and the IPv4 addresses embedded in it."""
    if isinstance(address, IPv6Address) and address in NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
        return
    yield address
    if isinstance(address, IPv6Address):
        half = int(address) & (2**64 - 1)
        is_isatap = half >> 32 & ~0x03000000 == ISATAP
        isatap = IPv4Address(half & 0xFFFFFFFF) if is_isatap else None
        wrapped = (address.ipv4_mapped, address.sixtofour, isatap, *(address.teredo or ()))
        yield from (inner for inner in wrapped if inner is not None)
