"""How often a password may be guessed: counted for each browser or address by itself."""

import asyncio
import ipaddress
import time
from dataclasses import dataclass, field

FREE_ATTEMPTS = 5
"""So many wrong passwords in a row cost no time."""
FIRST_PAUSE = 2.0
"""Seconds before the next attempt counts; doubled with each wrong one, up to `LONGEST_PAUSE`."""
LONGEST_PAUSE = 300.0
MOST_SOURCES = 10_000
"""So many sources are counted; beyond that the one that was quiet for longest is forgotten."""
IPV6_NETWORK = 64
"""Bits of the network that one household has."""


@dataclass
class Source:
    """Where attempts come from. Its attempts are checked one after the other, under its lock."""

    wrong: int = 0
    closed_until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def wait(self) -> float:
        """Seconds until the next attempt counts; 0 if it does now."""
        return max(0.0, self.closed_until - time.monotonic())

    def count_wrong(self) -> None:
        """Count a wrong password."""
        self.wrong += 1
        if self.wrong >= FREE_ATTEMPTS:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self.wrong - FREE_ATTEMPTS, 10))
            self.closed_until = time.monotonic() + pause

    def reset(self) -> None:
        """Count from the beginning, after the right password."""
        self.wrong, self.closed_until = 0, 0.0


class AttemptLimits:
    """The sources of attempts, so that guesses from one keep nobody out who comes from another."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}

    def source(self, device: str, address: str) -> Source:
        """A browser that knew the password before, by its `device`; else an IP address.

        All addresses of an IPv6 network of 64 bits are one source.
        """
        key = device or _network(address)
        source = self._sources.pop(key, None) or Source()
        self._sources[key] = source  # the newest is last
        if len(self._sources) > MOST_SOURCES:
            del self._sources[next(iter(self._sources))]
        return source


def _network(address: str) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, IPV6_NETWORK), strict=False))
    return str(found)
