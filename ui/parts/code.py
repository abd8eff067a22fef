"""What the components are drawn with: one module, which a browser asks for once."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

HERE = Path(__file__).parent
COMMON = ("shared", "figures")
"""What all parts stand on."""
FOR_GOOD = {"Cache-Control": "private, max-age=31536000, immutable"}
"""For what has its hash in its name: a browser keeps it a year."""


def text(name: str) -> str:
    """What stands in a file, or nothing where there is none."""
    path = HERE / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


@cache
def module() -> str:
    """`parts` by name: each draws a component."""
    names = sorted(path.stem for path in HERE.glob("*.js") if path.stem not in {*COMMON, "load"})
    parts = (
        f"{name}: lasting((() => {{\n{text(f'{name}.js')}\nreturn part;\n}})())," for name in names
    )
    common = (text(f"{name}.js") for name in COMMON)
    return "\n".join([*common, "export const parts = {", *parts, "};\n"])


@cache
def address() -> str:
    """Where the module is; another one as soon as it changes."""
    return f"/parts/{hashlib.sha256(module().encode()).hexdigest()[:16]}.js"


@cache
def loader() -> str:
    """The text of every component."""
    return text("load.js").replace("ADDRESS", address())


async def _module(request: Request) -> Response:
    if request.url.path != address():
        return Response("This page is of another release. Load it anew.", 404)
    return Response(module(), media_type="text/javascript", headers=FOR_GOOD)


ROUTES: Sequence[Route] = [Route("/parts/{file}", _module)]
