import os
import socket

import pytest


def test_names_do_not_resolve() -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("example.org", 80)


def test_addresses_beyond_loopback_are_not_reached() -> None:
    with socket.socket() as near, pytest.raises(OSError, match="loopback"):
        near.connect(("192.0.2.1", 80))


def test_loopback_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        socket.create_connection((host, port), timeout=5).close()


def test_names_of_this_machine_resolve() -> None:
    assert socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)


def test_checkpoints_are_strict() -> None:
    assert os.environ["LANGGRAPH_STRICT_MSGPACK"] == "true"
