"""Streamlit's own files from memory: a page asks for a hundred, each read takes four threads."""

import mimetypes
import re
from functools import lru_cache
from pathlib import Path

import streamlit
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.parts.code import FOR_GOOD

FOLDER = Path(streamlit.__file__).parent / "static"
NAME = re.compile(r"/static/(?:\w+/)+\w[\w.-]*")


class InMemory:
    """Sends what was read before, and passes all else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, if it is one."""
        asked = scope["type"] == "http" and scope["method"] == "GET"
        file = _file(scope["path"]) if asked and NAME.fullmatch(scope["path"]) else None
        await (file or self._app)(scope, receive, send)


@lru_cache(maxsize=512)
def _file(path: str) -> Response | None:
    where = FOLDER / path.removeprefix("/")
    if not where.is_file():
        return None
    kind = mimetypes.guess_type(path)[0]
    return Response(where.read_bytes(), media_type=kind, headers=FOR_GOOD)
