"""A WSGI application on a free port of loopback, which is told on the first line."""

import sys
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class Desk:
    """A port that is held before the application is set up, as some ask for their address."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _Quiet)
        self.root = f"http://127.0.0.1:{self._server.server_port}"

    def serve(self, application: "WSGIApplication") -> None:
        """Until killed."""
        self._server.set_app(application)
        with self._server:
            sys.stdout.write(f"{self.root}\n")
            sys.stdout.flush()
            self._server.serve_forever()
