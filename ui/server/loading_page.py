"""What a page shows until its script has drawn it: its title, over the shape of what follows.

It stands in the HTML itself, so that it is there with the first frame. `page.css` hides it wherever
the page has a heading of its own, and shows it again between one page and the next.
"""

from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.language.catalogue import later, pick_language, spoken_language, translate
from ui.server.backend import find_backend

TITLES: Final = {
    "/": later("Ask a question across pages and sites"),
    "/sessions": later("Sessions"),
    "/graphs": later("Methods"),
    "/memory": later("Memory"),
    "/batch": later("Batch"),
    "/bench": later("Bench"),
    "/shares": later("Shared"),
    "/users": later("Users"),
    "/settings": later("Settings"),
}
"""The titles of the pages by path."""
BODY: Final = b"<body>"
CONDITIONS: Final = frozenset(
    {b"if-none-match", b"if-modified-since", b"range", b"accept-encoding"}
)
"""The headers of a request under which the reply would not be the whole page, as text."""
FIRST: Final = ' class="first"'
PRESENT: Final = ", ".join(
    f'html:has(.st-key-on-{page[1:] or "ask"}) #forager-loading [data-page="{page}"]'
    for page in TITLES
)
"""Selects the title of the page that the script says it is on."""
BASE: Final = (
    '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href };</script>'
)
"""Tells Streamlit where its server is; it would ask below the page's own path first, in vain."""
STYLE: Final = (Path(__file__).parents[1] / "web" / "style_sheets" / "loading.css").read_text(
    encoding="utf-8"
)


class LoadingPage:
    """Adds it to the HTML of the pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on, and keep a page until it is whole."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] not in TITLES:
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = bytearray()

        async def send_with_title(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_plain_html(message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body"):
                    whole = bytes(body).replace(BODY, BODY + loading_page(scope).encode(), 1)
                    await send(_without_validators(start, len(whole)))
                    await send({"type": "http.response.body", "body": whole})

        headers = [(name, value) for name, value in scope["headers"] if name not in CONDITIONS]
        await self._app({**scope, "headers": headers}, receive, send_with_title)


def _without_validators(start: Message, length: int) -> Message:
    """The start of a reply of this length, whose validators would be those of the file alone."""
    changed = {**start, "headers": list(start["headers"])}
    headers = MutableHeaders(raw=changed["headers"])
    headers["content-length"] = str(length)
    for name in ("etag", "last-modified", "accept-ranges"):
        del headers[name]
    return changed


def _is_plain_html(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_html = headers.get("content-type", "").startswith("text/html")
    return is_html and "content-encoding" not in headers


def loading_page(scope: Scope) -> str:
    """The server's address, the style sheet, and the titles of all pages, that of this one first.

    The title of a run is its question, which the address does not tell.
    """
    path = scope["path"]
    backend = find_backend()
    accepted = spoken_language(Headers(scope=scope).get("accept-language", ""))
    language = pick_language(backend.settings.language if backend else "", accepted)
    theme = backend.settings.theme if backend else "system"
    of_run = path == "/" and "session" in parse_qs(scope["query_string"].decode("latin-1"))
    titles = "".join(
        f'<p data-page="{page}"{FIRST if page == path else ""} data-title="{escape(title)}"></p>'
        for page, text in TITLES.items()
        for title in ["" if of_run and page == path else translate(language, text, {})]
    )
    scheme = "light dark" if theme == "system" else theme
    style = STYLE.replace("SCHEME", scheme).replace("PRESENT", PRESENT)
    return (
        f'{BASE}<style>{style}</style><div id="forager-loading" aria-hidden="true">{titles}</div>'
    )
