"""The built front end, served under addresses that change with its content."""

import hashlib
import mimetypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

DIST = Path(__file__).parents[1] / "web" / "frontend" / "dist"
IMMUTABLE = {"Cache-Control": "private, max-age=31536000, immutable"}
"""Headers for an address that names its content: a browser keeps it for a year."""
FIRST = ("parts.js", "shared.js")
"""What every page loads first."""


@cache
def read_asset(name: str) -> str:
    """The text of a built file."""
    return (DIST / name).read_text(encoding="utf-8")


@cache
def digest() -> str:
    """A hash of all built files: one of them imports another by its name."""
    files = sorted(path for path in DIST.iterdir() if path.suffix in {".js", ".css"})
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:16]


def asset_address(name: str) -> str:
    """The path that a built file is served at."""
    return f"/assets/{digest()}/{name}"


def preload_addresses() -> tuple[str, ...]:
    """The paths of what every page loads first."""
    return tuple(map(asset_address, FIRST))


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    known = {path.name for path in DIST.iterdir()}
    if request.path_params["digest"] != digest() or name not in known:
        return Response("This page belongs to another release of Forager. Reload it.", 404)
    kind = mimetypes.guess_type(name)[0]
    return Response(read_asset(name), media_type=kind, headers=IMMUTABLE)


ROUTES: Sequence[Route] = [Route("/assets/{digest}/{name}", _serve)]
