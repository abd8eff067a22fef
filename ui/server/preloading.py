"""What pages are drawn with, told of with the page: a browser fetches it while Streamlit starts.

Streamlit asks for the code of an element when it draws the first one, for one after the other.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.parts import code
from ui.server.guard import OPEN

ELEMENTS = (
    "BidiComponent",
    "Button",
    "ButtonGroup",
    "DownloadButton",
    "Html",
    "PageLink",
    "Pagination",
    "TextArea",
    "TextInput",
)
"""The elements that most pages have; a release of Streamlit that names one otherwise asks later."""
FONT = "/app/static/plex-sans-var.woff2"
STATIC = Path(streamlit.__file__).parent / "static"
IMPORTED = re.compile(r'(?:from|import)\s*"\./([\w.-]+\.js)"')
NAMED = re.compile(r"static/js/([\w.-]+\.js)")


class Preloading:
    """Adds the addresses to every page that is sent, but for those before a login and exports."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers["Link"] = links()
            await send(message)

        path = scope.get("path", "")
        page = scope["type"] == "http" and path not in OPEN and not path.startswith("/api/")
        await self._app(scope, receive, sent if page else send)


@cache
def links() -> str:
    """The header's value."""
    modules = [code.address(), *(f"/static/js/{name}" for name in _chunks())]
    font = f"<{FONT}>; rel=preload; as=font; crossorigin"
    return ", ".join(
        [font, *(f"<{each}>; rel=modulepreload; fetchpriority=low" for each in modules)]
    )


def _chunks() -> Iterator[str]:
    """The files of the elements and what they import, but for what the page names itself."""
    folder = STATIC / "static" / "js"
    seen = set(NAMED.findall((STATIC / "index.html").read_text(encoding="utf-8")))
    due = [path.name for name in ELEMENTS for path in folder.glob(f"{name}.*.js")]
    while due:
        name = due.pop()
        if name not in seen:
            seen.add(name)
            due += IMPORTED.findall((folder / name).read_text(encoding="utf-8"))
            yield name
