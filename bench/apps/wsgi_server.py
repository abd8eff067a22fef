"""Serves a WSGI application on a free loopback port and prints the address."""

import sys
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class LoopbackServer:
    """Binds a port before the application exists, as some need their own address to be set up."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _QuietHandler)
        self.root = f"http://127.0.0.1:{self._server.server_port}"

    def serve(self, application: "WSGIApplication") -> None:
        """Print the address and serve the application until killed."""
        self._server.set_app(application)
        with self._server:
            sys.stdout.write(f"{self.root}\n")
            sys.stdout.flush()
            self._server.serve_forever()
