"""The API without Streamlit, served in this process, and calls of it."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from forager.settings import Settings
from tests.ui.server.api.contract import check_answer
from ui.server import assets, shared_page
from ui.server.access.request_guard import LOCAL_NAMES, RequestGuard
from ui.server.access.visitors import ANYBODY, Visitors
from ui.server.api.json_api import ROUTES
from ui.server.backend import open_backend
from ui.server.live.merge_patch import Document, apply_patch
from ui.server.sockets import open_listener
from ui.server.space_backend import Backend

PATIENCE = 60
LIMIT = 120
"""How long a session is followed, in seconds."""


@dataclass(frozen=True)
class Answer:
    """What a call was answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body read."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Caller:
    """Calls of a server on loopback."""

    port: int
    token: str = ""
    backend: Backend | None = field(default=None, compare=False)

    def ask(self, path: str, body: object = None, method: str = "", **headers: str) -> Answer:
        """A call with the token; a body that is not bytes is sent as JSON.

        The answer is as the API's documentation says.
        """
        given = {"authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self.bare(path, body, method, **given, **headers)
        if "host" not in headers:
            check_answer(method or ("GET" if body is None else "POST"), path, answer)
        return answer

    def follow(self, id: str) -> Iterator[Any]:
        """The lines of a session's live view, until the reader has enough; silence is no change.

        Raises AssertionError where that is not before the limit.
        """
        end = time.monotonic() + LIMIT
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            given = {"authorization": f"Bearer {self.token}"}
            line.request("GET", f"/api/sessions/{id}/live", headers=given)
            reply = line.getresponse()
            while text := reply.readline():
                assert time.monotonic() < end, f"Session {id} did not come so far in {LIMIT} s."
                yield json.loads(text) if text.strip() else {}
        finally:
            line.close()

    def seen(self, id: str, *statuses: str) -> Document:
        """The view as soon as the session stands in one of these ways.

        Raises AssertionError as soon as it never will: nothing runs, and it stands otherwise.
        """
        view: Document = {}
        for change in self.follow(id):
            view = apply_patch(view, change)
            head = view["session"]
            if isinstance(head, dict) and head["status"] in statuses:
                return view
            if not self.ask("/api/health").json()["running"]:
                standing = self.ask(f"/api/sessions/{id}").json().get("status")
                assert standing in statuses, view
        raise AssertionError(view)

    def bare(self, path: str, body: object = None, method: str = "", **headers: str) -> Answer:
        """A call without it."""
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request(method or ("GET" if sent is None else "POST"), path, sent, headers)
            reply = line.getresponse()
            found: dict[str, str] = {}
            for name, value in reply.getheaders():  # a cookie has a header of its own
                found[name.lower()] = ", ".join(filter(None, (found.get(name.lower()), value)))
            return Answer(reply.status, found, reply.read())
        finally:
            line.close()


async def page(request: Request) -> Response:
    """What stands for Streamlit's pages."""
    return HTMLResponse("a page")


@contextmanager
def called(
    settings: Settings, visitors: Visitors = ANYBODY, any_host: bool = False
) -> Iterator[Caller]:
    """The API of a data folder."""
    guard = Middleware(RequestGuard, visitors=visitors, hosts=None if any_host else LOCAL_NAMES)
    routes = [
        *ROUTES,
        *assets.ROUTES,
        *shared_page.ROUTES,
        *visitors.routes,
        Route("/", page),
        Route("/media/one", page),
    ]
    app = Starlette(routes=routes, middleware=[guard])
    with open_backend(settings, visitors) as backend, open_listener("127.0.0.1", 0) as bound:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield Caller(bound.getsockname()[1], backend.token, backend)
        finally:
            backend.closing.set()
            server.should_exit = True
            thread.join()
