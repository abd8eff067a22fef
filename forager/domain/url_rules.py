"""Addresses that the user has forbidden: a host with its subdomains, or the beginning of URLs.

`docs.example` forbids that host and its subdomains, `docs.example:8080` only that port of it, and
`https://docs.example/old` that URL with any parameters and everything below it, over http too.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from urllib.parse import urlsplit

from forager.errors import AddressError

ADDRESS_ENDS = ("", "/", "?", "#")
_forbidden_now: ContextVar[tuple[str, ...]] = ContextVar("forbidden", default=())


def forbidding_entry(entries: Iterable[str], url: str) -> str:
    """The first entry that forbids the URL, or empty."""
    return next((entry for entry in entries if _entry_forbids(entry, url)), "")


def check_allowed(entries: Iterable[str], url: str) -> None:
    """Raise AddressError if the URL is forbidden."""
    if entry := forbidding_entry(entries, url):
        raise AddressError(f"{url} is not read: {entry} was forbidden.")


@contextmanager
def forbid_addresses(entries: Iterable[str]) -> Iterator[None]:
    """Forbid these addresses to all requests in the body, including tasks it starts."""
    token = _forbidden_now.set(tuple(entries))
    try:
        yield
    finally:
        _forbidden_now.reset(token)


def check_allowed_now(url: str) -> None:
    """Raise AddressError if the URL is forbidden in the current context."""
    check_allowed(_forbidden_now.get(), url)


@lru_cache(maxsize=65536)
def _entry_forbids(entry: str, url: str) -> bool:
    if "://" not in entry:
        return _same_host(entry, url)
    prefix, address = (_without_scheme(text) for text in (entry, url))
    if not address.startswith(prefix):
        return False
    return prefix.endswith("/") or address[len(prefix) : len(prefix) + 1] in ADDRESS_ENDS


def _same_host(entry: str, url: str) -> bool:
    try:
        parts, entry_parts = urlsplit(url), urlsplit(f"//{entry}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        if entry_parts.port and entry_parts.port != port:
            return False
    except ValueError:
        return False
    host, name = ((each.hostname or "").removeprefix("www.") for each in (parts, entry_parts))
    return host == name or host.endswith(f".{name}")


def _without_scheme(url: str) -> str:
    """The URL without scheme and `www.`; a bare host gets a slash."""
    rest = url.partition("://")[2].removeprefix("www.")
    return rest if "/" in rest else f"{rest}/"
