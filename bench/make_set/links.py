"""The pages of an unpacked package, and which of them links lead to."""

import os
import re
from collections import deque
from functools import lru_cache
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

HREF = re.compile(
    rb"""<(?:a|area|link|i?frame)\b[^>]*?\b(?:href|src)\s*=\s*["']?([^"'#>\s][^"'#>]*)""", re.I
)
REFRESH = re.compile(rb"""http-equiv\s*=\s*["']?refresh[^>]*?url\s*=\s*['"]?([^'"\s>]+)""", re.I)
HOST = "http://package.invalid/"
SUFFIXES = (".html", ".htm", ".xhtml")
MAX_BYTES = 12_000_000
MAX_LINKS_DEEP = 8
"""Symbolic links that are followed from one to the next."""


def locate(files: Path, path: str) -> Path | None:
    """The file at a path in a package; symbolic links lead nowhere outside the package."""
    root = files.resolve()
    found = Path(os.path.normpath(root / path.lstrip("/")))
    for _ in range(MAX_LINKS_DEEP):
        if not found.is_symlink():
            break
        target = found.readlink()
        base = root if target.is_absolute() else found.parent
        found = Path(os.path.normpath(base / str(target).lstrip("/")))
    inside = found.resolve().is_relative_to(root)
    return found if inside and found.is_file() else None


def html_files(files: Path) -> list[str]:
    """The paths of all HTML pages in a package."""
    return sorted(
        str(path.relative_to(files))
        for path in files.rglob("*")
        if path.suffix.lower() in SUFFIXES and path.is_file()
    )


def follow_links(files: Path, start: str) -> dict[str, int]:
    """The pages that links lead to from `start`, each with the number of clicks."""
    clicks = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for path in _linked(files, here):
            if path not in clicks:
                clicks[path] = clicks[here] + 1
                queue.append(path)
    return clicks


@lru_cache(maxsize=20_000)
def _linked(files: Path, page: str) -> tuple[str, ...]:
    found = locate(files, page)
    if found is None or found.stat().st_size > MAX_BYTES:
        return ()
    body = found.read_bytes()
    hrefs = [match[1] for pattern in (HREF, REFRESH) for match in pattern.finditer(body)]
    targets = dict.fromkeys(_target(page, href) for href in hrefs)
    return tuple(path for path in targets if path and locate(files, path))


def _target(page: str, href: bytes) -> str:
    """The path that a link of a page leads to; empty if it is no page of the package."""
    try:
        url = urlsplit(
            urljoin(f"{HOST}{quote(page)}", unescape(href.decode("utf-8", "replace")).strip())
        )
    except ValueError:
        return ""
    path = unquote(url.path).lstrip("/")
    return path if url.netloc == HOST.split("/")[2] and path.lower().endswith(SUFFIXES) else ""
