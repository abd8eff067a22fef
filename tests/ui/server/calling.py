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
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from forager.settings import Settings
from ui.parts import code
from ui.server.api import ROUTES
from ui.server.guard import LOCAL, Guard
from ui.server.listening import listen
from ui.server.office import Office, opened
from ui.server.patch import Document, patched
from ui.server.who import ANYBODY, Who

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
    office: Office | None = field(default=None, compare=False)

    def ask(self, path: str, body: object = None, method: str = "", **headers: str) -> Answer:
        """A call with the token; a body that is not bytes is sent as JSON."""
        given = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return self.bare(path, body, method, **given, **headers)

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
            view = patched(view, change)
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
            found = {name.lower(): value for name, value in reply.getheaders()}
            return Answer(reply.status, found, reply.read())
        finally:
            line.close()


async def page(request: Request) -> Response:
    """What stands for Streamlit's pages."""
    return PlainTextResponse("a page")


@contextmanager
def called(settings: Settings, who: Who = ANYBODY, any_host: bool = False) -> Iterator[Caller]:
    """The API of a data folder."""
    guard = Middleware(Guard, who=who, hosts=None if any_host else LOCAL)
    routes = [*ROUTES, *code.ROUTES, *who.routes, Route("/", page), Route("/media/one", page)]
    app = Starlette(routes=routes, middleware=[guard])
    with opened(settings, who) as office, listen("127.0.0.1", 0) as bound:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield Caller(bound.getsockname()[1], office.token, office)
        finally:
            office.closing.set()
            server.should_exit = True
            thread.join()
