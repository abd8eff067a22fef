"""Search engines on loopback: each implements its documented API and refuses other requests.

What they find is a list of pages; their answers carry the fields of the real ones beside those that
are read, so that nothing depends on there being no others.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.servers import HttpServed

KEY = "key-4f1c9a"
ENGINE = "engine-01"


@dataclass(frozen=True)
class Page:
    """A page in the index of a search engine."""

    url: str
    title: str = "A title"
    text: str = "Some words of the page."


@dataclass(frozen=True)
class Request:
    """A request: query parameters, headers with names in lower case, body."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """A response; values other than bytes are sent as JSON. `cut` bytes are cut off the end."""

    body: Any = b""
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


Speaks = Callable[["Engine", Request], Reply]


class Engine(HttpServed):
    """Answers by `speaks` while entered; `instead` are answers that come first, whatever is asked.

    While `silent`, it takes connections and says nothing.
    """

    def __init__(self, speaks: Speaks, pages: Iterable[Page] = ()) -> None:
        self.speaks = speaks
        self.pages = list(pages)
        self.instead: list[Reply] = []
        self.asked: list[Request] = []
        self.silent = False
        self.left = threading.Event()
        super().__init__(_handler(self))
        self.url = f"http://127.0.0.1:{self.port}"

    def answer(self, request: Request) -> Reply:
        """The response to a request."""
        self.asked.append(request)
        if self.silent:
            self.left.wait(20)
        return self.instead.pop(0) if self.instead else self.speaks(self, request)

    def on(self, domain: str) -> list[Page]:
        """The pages of a domain, or all pages."""
        return [page for page in self.pages if not domain or domain in urlsplit(page.url).netloc]

    def _stop(self) -> None:
        self.left.set()
        super()._stop()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20
    wbufsize = 65536  # head and body in one piece, which a client acknowledges at once
    engine: Engine

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        reply = self.engine.answer(Request(self.command, parts.path, params, headers, body))
        try:
            self.send_response(reply.status)
            for name, value in {"Content-Type": reply.kind, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.data())))
            self.end_headers()
            self.wfile.write(reply.data())
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client had enough

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        pass


def _handler(engine: Engine) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"engine": engine})


def _split(query: str) -> tuple[str, str]:
    """Split a query into its words and the domain of its operator `site:`."""
    words = [word for word in query.split() if not word.startswith("site:")]
    sites = [word.removeprefix("site:") for word in query.split() if word.startswith("site:")]
    return " ".join(words), sites[0] if sites else ""


def tavily(engine: Engine, request: Request) -> Reply:
    """https://docs.tavily.com/documentation/api-reference/endpoint/search."""
    assert (request.method, request.path) == ("POST", "/search")
    assert request.headers["content-type"] == "application/json"
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return Reply({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401)
    body = request.json()
    known = {"query", "max_results", "search_depth", "include_domains"}
    if not set(body) <= known or not 0 <= body["max_results"] <= 20 or len(body["query"]) > 400:
        return Reply({"detail": {"error": "Invalid request."}}, 400)
    [domain] = body["include_domains"] or [""]
    results = [
        {"title": page.title, "url": page.url, "content": page.text, "score": 0.9, "favicon": ""}
        for page in engine.on(domain)[: body["max_results"]]
    ]
    return Reply({"query": body["query"], "answer": None, "images": [], "results": results})


def serper(engine: Engine, request: Request) -> Reply:
    """https://serper.dev."""
    assert (request.method, request.path) == ("POST", "/search")
    if request.headers.get("x-api-key") != KEY:
        return Reply({"message": "Unauthorized.", "statusCode": 403}, 403)
    body = request.json()
    assert set(body) == {"q", "num"}
    words, domain = _split(body["q"])
    organic = [
        {"title": page.title, "link": page.url, "snippet": page.text, "position": position}
        for position, page in enumerate(engine.on(domain)[: body["num"]], 1)
    ]
    shown = {"q": words, "type": "search", "engine": "google"}
    return Reply({"searchParameters": shown, "organic": organic, "credits": 1})


def brave(engine: Engine, request: Request) -> Reply:
    """https://api-dashboard.search.brave.com/app/documentation/web-search."""
    assert (request.method, request.path) == ("GET", "/res/v1/web/search")
    if request.headers.get("x-subscription-token") != KEY:
        detail = "The provided subscription token is invalid."
        error = {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": detail, "status": 422}
        return Reply({"type": "ErrorResponse", "error": error, "time": 1663072993}, 422)
    params = request.params
    assert set(params) == {"q", "count", "offset", "result_filter", "text_decorations"}
    count, offset = int(params["count"]), int(params["offset"])
    if not (1 <= count <= 20 and 0 <= offset <= 9 and len(params["q"]) <= 400):
        error = {"code": "VALIDATION", "detail": "Unable to validate request.", "status": 422}
        return Reply({"type": "ErrorResponse", "error": error}, 422)
    pages = engine.on(_split(params["q"])[1])[offset * count :][:count]
    results = [
        {"type": "search_result", "title": p.title, "url": p.url, "description": p.text}
        for p in pages
    ]
    web = {"web": {"type": "search", "results": results}} if results else {}
    return Reply({"type": "search", "query": {"original": params["q"]}, **web})


def google(engine: Engine, request: Request) -> Reply:
    """https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list."""
    assert (request.method, request.path) == ("GET", "/customsearch/v1")
    params = request.params
    if params.get("key") != KEY:
        message = "API key not valid. Please pass a valid API key."
        errors = [{"message": message, "domain": "global", "reason": "badRequest"}]
        return Reply({"error": {"code": 400, "message": message, "errors": errors}}, 400)
    assert set(params) - {"siteSearch", "siteSearchFilter"} == {"key", "cx", "q", "num", "start"}
    assert params["cx"] == ENGINE
    assert ("siteSearch" in params) == (params.get("siteSearchFilter") == "i")
    num, start = int(params["num"]), int(params["start"])
    if not (1 <= num <= 10 and 1 <= start <= 91):
        return Reply({"error": {"code": 400, "message": "Invalid value."}}, 400)
    pages = engine.on(params.get("siteSearch", ""))[start - 1 :][:num]
    items = [{"kind": "customsearch#result", **_item(page)} for page in pages]
    return Reply({"kind": "customsearch#search", **({"items": items} if items else {})})


def _item(page: Page) -> dict[str, str]:
    display = urlsplit(page.url).netloc
    return {
        "title": page.title,
        "link": page.url,
        "displayLink": display,
        "snippet": page.text,
        "htmlSnippet": f"<b>{page.text}</b>",
    }


def searxng(engine: Engine, request: Request) -> Reply:
    """https://docs.searxng.org/dev/search_api.html; ten results a page."""
    assert (request.method, request.path) == ("GET", "/search")
    params = request.params
    assert set(params) == {"q", "format", "pageno"}
    if params["format"] != "json":
        return Reply(b"<html>403 Forbidden</html>", 403, "text/html")
    words, domain = _split(params["q"])
    first = (int(params["pageno"]) - 1) * 10
    results = [
        {
            "url": page.url,
            "title": page.title,
            "content": page.text,
            "engine": "bing",
            "engines": ["bing"],
            "parsed_url": [*urlsplit(page.url), ""],
            "template": "default.html",
            "score": 1.0,
            "category": "general",
            "publishedDate": None,
        }
        for page in engine.on(domain)[first : first + 10]
    ]
    rest: dict[str, Any] = {"answers": [], "corrections": [], "infoboxes": [], "suggestions": []}
    return Reply({"query": words, "results": results, **rest, "unresponsive_engines": []})
