"""Which addresses belong to one site."""

from functools import lru_cache
from urllib.parse import urlsplit


@lru_cache(maxsize=65536)
def same_site(root: str, url: str) -> bool:
    """Same host, but for `www.`, and same port; http and https are one. Both are canonical."""
    return _host(root) == _host(url)


def _host(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    port = parts.port
    return (parts.hostname or "").removeprefix("www."), None if port in (80, 443) else port
