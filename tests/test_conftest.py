import os
import socket

import pytest

from tests.conftest import FAST, TESTS, fast_tests, refuse_missing


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


def test_fast_leaves_out_nothing_that_is_named() -> None:
    assert fast_tests([TESTS / "ui"]) == ""
    assert fast_tests([TESTS / "ui" / "conftest.py", TESTS / "nodes"], "browser") == "browser"


def test_fast_leaves_out_what_is_slow_of_the_whole_suite() -> None:
    assert fast_tests([]) == fast_tests([TESTS]) == fast_tests([TESTS.parent]) == FAST
    assert fast_tests([], "a or b") == f"(a or b) and {FAST}"


def test_a_mistyped_path_is_named() -> None:
    refuse_missing([TESTS, TESTS / "test_conftest.py"])
    with pytest.raises(pytest.UsageError, match=r"There is no .*test_nosuch\.py\."):
        refuse_missing([TESTS, TESTS / "nodes" / "test_nosuch.py"])
