"""Makes pages load fast: announces early what they need, and serves files from memory."""

from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server import assets
from ui.server.access.request_guard import OPEN_PATHS

FONT = "/app/static/plex-sans-var.woff2"
MAX_FILES = 512


class PreloadLinks:
    """Adds a Link header to every page, except the login page and exports."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""

        async def send_with_links(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers["Link"] = preload_links()
            await send(message)

        path = scope.get("path", "")
        is_page = scope["type"] == "http" and path not in OPEN_PATHS
        is_page = is_page and not path.startswith("/api/")
        await self._app(scope, receive, send_with_links if is_page else send)


def preload_links() -> str:
    """The header's value."""
    font = f"<{FONT}>; rel=preload; as=font; crossorigin"
    addresses = assets.preload_addresses()
    modules = [f"<{each}>; rel=modulepreload; fetchpriority=low" for each in addresses]
    return ", ".join([font, *modules])


@dataclass
class _Kept:
    start: Message
    body: bytearray = field(default_factory=bytearray)


class ImmutableCache:
    """Keeps replies whose Cache-Control says `immutable`, by path, and passes all else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, _Kept] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a kept reply, or pass the request on and keep the reply if that is allowed."""
        if scope["type"] != "http" or scope["method"] != "GET" or _is_partial(scope):
            await self._app(scope, receive, send)
        elif kept := self._kept.get(scope["path"]):
            await send(_copy(kept.start))
            await send({"type": "http.response.body", "body": bytes(kept.body)})
        else:
            await self._app(scope, receive, self._keeping(scope["path"], send))

    def _keeping(self, path: str, send: Send) -> Send:
        kept: _Kept | None = None

        async def send_and_keep(message: Message) -> None:
            nonlocal kept
            if message["type"] == "http.response.start":
                kept = _Kept(_copy(message)) if _may_keep(message) else None
            elif kept is not None:
                kept.body += message.get("body", b"")
                if not message.get("more_body") and len(self._kept) < MAX_FILES:
                    self._kept[path] = kept
            await send(message)

        return send_and_keep


def _copy(start: Message) -> Message:
    """A message whose headers others may add to."""
    return {**start, "headers": list(start["headers"])}


def _is_partial(scope: Scope) -> bool:
    """Whether the reply depends on more than the path."""
    return bool(scope["query_string"]) or "range" in Headers(scope=scope)


def _may_keep(start: Message) -> bool:
    """Whether the reply is the same for everybody, for good."""
    headers = Headers(raw=start["headers"])
    plain = not {"set-cookie", "content-encoding"} & set(headers.keys())
    return start["status"] == 200 and plain and "immutable" in headers.get("cache-control", "")  # noqa: PLR2004
