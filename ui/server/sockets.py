"""The listening socket of the server: on the wanted port, or on the next free one."""

import errno
import ipaddress
import socket

from forager.errors import UsageError

DEFAULT_PORT = 8501
PORTS_TRIED = 20
"""How many ports are tried if none is named."""
TAKEN = frozenset({errno.EADDRINUSE, errno.EACCES})


def open_listener(address: str, port: int | None) -> socket.socket:
    """A listening socket; without a port, on the first free one from 8501. Raises UsageError."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else (port,)
    for each in ports:
        try:
            return _bind(address, each)
        except OSError as error:
            if error.errno not in TAKEN:
                raise UsageError(
                    f"Nothing can be served on {address}: {error.strerror or error}.",
                    "Use an address of this machine, such as 127.0.0.1.",
                ) from error
    if port is None:
        raise UsageError(
            f"No port from {ports[0]} to {ports[-1]} is free.", "Name one: ./run ui --port 9000."
        )
    raise UsageError(
        f"Port {port} is taken.", "Name another one, or none to use the next free one."
    )


def url_of(listener: socket.socket) -> str:
    """The address at which a browser reaches the socket."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _bind(address: str, port: int) -> socket.socket:
    family, kind, _, _, where = socket.getaddrinfo(
        address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener
