"""The built front end and the catalogues, served under addresses that change with their content."""

import hashlib
import mimetypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.language.catalogue import FOLDER

DIST = Path(__file__).parents[1] / "web" / "frontend" / "dist"
SUFFIXES = frozenset({".js", ".css", ".json", ".txt"})
IMMUTABLE = {"Cache-Control": "private, max-age=31536000, immutable"}
"""Headers for an address that names its content: a browser keeps it for a year."""
FIRST = ("parts.js", "shared.js")
"""What every page loads first."""


@cache
def read_asset(name: str) -> str:
    """The text of a built file, or of the catalogue of a language."""
    return _list_files()[name].read_text(encoding="utf-8")


@cache
def _list_files() -> dict[str, Path]:
    """The files that are served, by their names."""
    files = sorted(path for folder in (DIST, FOLDER) for path in folder.iterdir())
    return {path.name: path for path in files if path.suffix in SUFFIXES}


@cache
def digest() -> str:
    """A hash of all files: one of them imports another by its name."""
    bodies = [path.read_bytes() for path in _list_files().values()]
    return hashlib.sha256(b"\0".join(bodies)).hexdigest()[:16]


def asset_address(name: str) -> str:
    """The path that a built file is served at."""
    return f"/assets/{digest()}/{name}"


def preload_addresses() -> tuple[str, ...]:
    """The paths of what every page loads first."""
    return tuple(map(asset_address, FIRST))


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    if request.path_params["digest"] != digest() or name not in _list_files():
        return Response("This page belongs to another release of Forager. Reload it.", 404)
    kind = mimetypes.guess_type(name)[0]
    return Response(read_asset(name), media_type=kind, headers=IMMUTABLE)


ROUTES: Sequence[Route] = [Route("/assets/{digest}/{name}", _serve)]
