"""Chroma behind its own server."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx2
import numpy as np
import pytest

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import Record
from forager.errors import StoreError
from forager.settings import Settings
from ui.server.handbook.handbook_site import serve_pages

SECONDS = 60.0
ONE = np.ones((1, 4), np.float32)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started(tmp_path_factory.mktemp("server")) as url:
        yield url


@contextmanager
def started(folder: Path) -> Iterator[str]:
    folder.mkdir(exist_ok=True)
    port = free_port()
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--path", str(folder), "--port", str(port)]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            answers(url)
            yield url
        finally:
            process.kill()


def answers(url: str) -> None:
    """Wait until the server does."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            httpx2.get(f"{url}/api/v2/heartbeat").raise_for_status()
            return
        except httpx2.TransportError:
            continue
    raise AssertionError("the server did not start")


def chroma(url: str, folder: Path, user: str = "default") -> closing[Chroma]:
    return closing(Chroma(Settings(data=folder, chroma_url=url, user=user)))


def test_two_processes_may_share_a_server_and_users_stay_apart(server: str, tmp_path: Path) -> None:
    with chroma(server, tmp_path) as one, chroma(server, tmp_path) as two:
        one.open_collection("things", "one").upsert([Record("r", "text", {"n": 1})], ONE)
        [match] = two.open_collection("things", "one").find_nearest(ONE[0], 3)
        assert match.record == Record("r", "text", {"n": 1})
        with chroma(server, tmp_path, user="another") as other:
            assert other.open_collection("things", "one").count() == 0
            other.clear()
        assert one.open_collection("things", "one").count() == 1
        one.clear()
        assert one.open_collection("things", "one").count() == 0
    assert not (tmp_path / "memory").exists()


def test_unreachable_server_raises(tmp_path: Path) -> None:
    with (
        chroma(f"http://127.0.0.1:{free_port()}", tmp_path) as away,
        pytest.raises(StoreError, match=r"does not answer.*Start it \(chroma run\)"),
    ):
        away.open_collection("things", "one")


def test_server_that_stops_raises(tmp_path: Path) -> None:
    with ExitStack() as running:
        url = running.enter_context(started(tmp_path / "server"))
        with chroma(url, tmp_path) as left:
            things = left.open_collection("things", "one")
            running.close()
            with pytest.raises(StoreError, match="does not answer"):
                things.count()


def test_invalid_address_raises(tmp_path: Path) -> None:
    with (
        chroma("chroma.example:8000", tmp_path) as away,
        pytest.raises(StoreError, match="is not the address of a Chroma server"),
    ):
        away.open_collection("things", "one")


def test_other_server_raises(tmp_path: Path) -> None:
    told = r"answered with status 404\. Check that it is a Chroma server"
    with (
        serve_pages({"/": b"a site"}) as site,
        chroma(site, tmp_path) as other,
        pytest.raises(StoreError, match=told),
    ):
        other.open_collection("things", "one")
