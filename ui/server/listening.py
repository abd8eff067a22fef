"""The port that the pages are served on: the wished one, or the next that is free."""

import errno
import ipaddress
import socket

from forager.errors import UsageError
from ui.pages import PORT

NEXT = 20
"""So many ports are tried where none is asked for."""
TAKEN = frozenset({errno.EADDRINUSE, errno.EACCES})


def listen(address: str, port: int | None) -> socket.socket:
    """A listening socket; without a port on the first free one from `PORT`. Raises UsageError."""
    tried = range(PORT, PORT + NEXT) if port is None else (port,)
    for each in tried:
        try:
            return _bound(address, each)
        except OSError as error:
            if error.errno not in TAKEN:
                raise UsageError(
                    f"Nothing can be served on {address}: {error.strerror or error}.",
                    "Take an address of this machine, as 127.0.0.1.",
                ) from error
    if port is None:
        raise UsageError(
            f"No port from {PORT} to {tried[-1]} is free.", "Name one: ./run ui --port 9000."
        )
    raise UsageError(
        f"Port {port} is taken.", "Name another one, or none to have the next that is free."
    )


def address_of(bound: socket.socket) -> str:
    """Where a browser finds what is served there."""
    host, port = bound.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_loopback(address: str) -> bool:
    """Does only this machine reach what is served on the address?"""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _bound(address: str, port: int) -> socket.socket:
    family, kind, _, _, where = socket.getaddrinfo(
        address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(family, kind)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(where)
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made
