"""A web site on loopback whose pages are given as data; it records its requests."""

import socket
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Asked:
    """One request: the path with its query, the headers with names in lower case, and the body."""

    path: str
    headers: Mapping[str, str]
    method: str = "GET"
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    """What a path answers; a body of several parts is sent in chunks."""

    body: bytes | str | Callable[[], Iterator[bytes]] = b""
    status: int = 200
    kind: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)


Route = Reply | str | Callable[[Asked], Reply]


class Served(ABC):
    """Serves on a thread of its own while entered."""

    _thread: threading.Thread

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        self._thread.join()

    @abstractmethod
    def _serve(self) -> None:
        """Serve until stopped."""

    @abstractmethod
    def _stop(self) -> None:
        """Make `_serve` return."""


class HttpServed(Served):
    """Answers requests by a handler. It waits for each connection: nothing polls.

    The system picks the port unless one is given.
    """

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self._stopped = False
        self.port = int(self._server.server_address[1])

    def _serve(self) -> None:
        with self._server:
            while not self._stopped:
                self._server.handle_request()

    def _stop(self) -> None:
        self._stopped = True
        with suppress(ConnectionError):  # the last request has just ended: the loop saw it itself
            socket.create_connection(("127.0.0.1", self.port)).close()


class Site(HttpServed):
    """Serves `routes`; a string is an HTML page, a function sees the request."""

    def __init__(self, routes: Mapping[str, Route] | None = None, port: int = 0) -> None:
        self.routes: dict[str, Route] = dict(routes or {})
        self.otherwise: Route = Reply("<p>Nothing here.</p>", 404)
        self.asked: list[Asked] = []
        super().__init__(_handler(self), port)

    def url(self, path: str = "/") -> str:
        """The address of a path."""
        return f"http://127.0.0.1:{self.port}{path}"

    def paths(self) -> list[str]:
        """What was asked for, but for robots.txt and the sitemap."""
        return [a.path for a in self.asked if a.path not in ("/robots.txt", "/sitemap.xml")]

    def answer(self, asked: Asked) -> Reply:
        """What a request is answered: the route of path and query, else that of the path."""
        self.asked.append(asked)
        path = asked.path.partition("?")[0]
        route = self.routes.get(asked.path, self.routes.get(path, self.otherwise))
        if isinstance(route, str):
            return Reply(route)
        return route if isinstance(route, Reply) else route(asked)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20
    site: Site

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length") or 0))
        reply = self.site.answer(Asked(self.path, headers, self.command, body))
        try:
            self._head(reply)
            self._body(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client had enough

    do_POST = do_DELETE = do_GET

    def handle(self) -> None:
        with suppress(ConnectionResetError):  # the client left
            super().handle()

    def _head(self, reply: Reply) -> None:
        self.send_response(reply.status)
        if reply.kind:
            self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers.items():
            self.send_header(name, value)

    def _body(self, reply: Reply) -> None:
        if callable(reply.body):
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for part in reply.body():
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
            return
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"site": site})


def manual(texts: Mapping[str, str], about: str) -> Site:
    """A site whose first page links to a page for each text, which has its name as title."""
    links = "".join(f"<a href=/{name}>{name}</a> " for name in texts)
    pages = {f"/{name}": f"<title>{name}</title><p>{text}</p>" for name, text in texts.items()}
    root = f"<title>Manual</title><p>{about}</p>{links}"
    return Site({"/": root, "/sitemap.xml": Reply("", 404), **pages})
