"""A Ray cluster of two nodes on loopback, each with one processor and its own data folder."""

import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from forager.errors import ClusterError
from graphs.cluster.connection import connect, disconnect

NODES = 2
START_SECONDS = 300.0
OF_RAY = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "GRPC_ENABLE_FORK_SUPPORT")
PROCESS_NAME = "ray::forager session"


class RayCluster(NamedTuple):
    """Its address for clients, and the folder with the data folders `a` and `b` of its nodes."""

    address: str
    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """What a program needs to have its sessions run there."""
        return {"FORAGER_RAY": self.address, **{key: os.environ[key] for key in OF_RAY}}  # noqa: TID251

    def run_here(self, session: str) -> int:
        """How often a worker began to run a session on it, by the logs of the nodes."""
        logs = [path.read_text() for path in self.folder.glob("[ab]/logs/forager.log")]
        return sum(log.count(f"session {session}: running") for log in logs)


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[RayCluster]:
    """A cluster for all tests of this process; skipped where Ray is not installed."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip('Ray is not installed (pip install "forager-agent[ray]")')
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(16))
        patch.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")  # a head forks for each client
        folder = Path(tempfile.mkdtemp(prefix="fr-"))  # sockets have short paths
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        yield stack.enter_context(start_cluster(folder))


@contextmanager
def start_cluster(folder: Path) -> Iterator[RayCluster]:
    """Start two nodes, and end them with all that they started."""
    port, client = free_port(), free_port()
    address = f"ray://127.0.0.1:{client}"
    ports = (f"--port={port}", f"--ray-client-server-port={client}")
    with start_node(folder, "a", "--head", *ports):
        ray = await_head(address)
        try:
            with start_node(folder, "b", f"--address=127.0.0.1:{port}"):
                await_nodes(lambda: sum(node["Alive"] for node in ray.nodes()) == NODES)
                yield RayCluster(address, folder)
        finally:
            disconnect()


def await_head(address: str) -> ModuleType:
    """Join the cluster as soon as its head answers."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            return connect(address)
        except ClusterError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@contextmanager
def start_node(folder: Path, name: str, *options: str) -> Iterator[None]:
    """A node with one processor."""
    variables = {
        **{key: os.environ[key] for key in ("PATH", *OF_RAY)},  # noqa: TID251
        "HOME": str(folder),
        "FORAGER_DATA": str(folder / name),
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    ray = str(Path(sys.executable).with_name("ray"))
    shape = ["--node-ip-address=127.0.0.1", "--num-cpus=1", "--min-worker-port=0"]
    quiet = ["--include-dashboard=false", "--disable-usage-stats"] if "--head" in options else []
    with (folder / f"{name}.log").open("wb") as log:
        node = subprocess.Popen(
            [ray, "start", "--block", "--max-worker-port=0", *shape, *quiet, *options]
            + ([f"--temp-dir={folder}"] if "--head" in options else []),
            env=variables,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield
    finally:
        os.killpg(node.pid, signal.SIGKILL)  # workers end with their node
        node.wait()


def await_nodes(are_there: Callable[[], bool]) -> None:
    """Wait until the cluster is whole."""
    end = time.monotonic() + START_SECONDS
    while not are_there():
        assert time.monotonic() < end, "the second node did not join"
        time.sleep(0.1)


def worker_processes(session: str = "") -> list[int]:
    """The processes that run a session now, or any."""
    wanted = f"{PROCESS_NAME} {session}".strip().encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes().startswith(wanted):
                found.append(int(path.parent.name))
    return found


def free_port() -> int:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
