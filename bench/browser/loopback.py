"""HTTP servers on loopback for the duration of a benchmark."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLL_SECONDS = 0.02


@contextmanager
def serve_handler(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve requests with `handler` and yield the root URL (`http://127.0.0.1:PORT`)."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
