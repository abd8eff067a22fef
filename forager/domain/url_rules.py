"""Which addresses the user has forbidden: a host with all below it, or the beginning of addresses.

`docs.example` forbids that host and its subdomains, `docs.example:8080` that port of it alone, and
`https://docs.example/old` that address, its parameters, and what stands below it, by http too.
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
    """The first entry that forbids an address, or empty."""
    return next((entry for entry in entries if _entry_forbids(entry, url)), "")


def check_allowed(entries: Iterable[str], url: str) -> None:
    """Raise AddressError for an address that is forbidden."""
    if entry := forbidding_entry(entries, url):
        raise AddressError(f"{url} is not read: {entry} was forbidden.")


@contextmanager
def forbid_addresses(entries: Iterable[str]) -> Iterator[None]:
    """Nothing that these forbid is fetched in the body, nor by what it starts."""
    token = _forbidden_now.set(tuple(entries))
    try:
        yield
    finally:
        _forbidden_now.reset(token)


def check_allowed_now(url: str) -> None:
    """Raise AddressError for an address that is forbidden now."""
    check_allowed(_forbidden_now.get(), url)


@lru_cache(maxsize=65536)
def _entry_forbids(entry: str, url: str) -> bool:
    if "://" not in entry:
        return _same_host(entry, url)
    wanted, there = (_without_scheme(text) for text in (entry, url))
    if not there.startswith(wanted):
        return False
    return wanted.endswith("/") or there[len(wanted) : len(wanted) + 1] in ADDRESS_ENDS


def _same_host(entry: str, url: str) -> bool:
    try:
        parts, wanted = urlsplit(url), urlsplit(f"//{entry}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        if wanted.port and wanted.port != port:
            return False
    except ValueError:
        return False
    host, name = ((each.hostname or "").removeprefix("www.") for each in (parts, wanted))
    return host == name or host.endswith(f".{name}")


def _without_scheme(url: str) -> str:
    """The address without its scheme and `www.`, the root with its slash."""
    rest = url.partition("://")[2].removeprefix("www.")
    return rest if "/" in rest else f"{rest}/"
