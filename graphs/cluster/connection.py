"""The connection of this process to a Ray cluster. Ray is imported when it is first needed."""

import importlib
import logging
import socket
import threading
import warnings
from functools import partial
from types import ModuleType
from typing import NamedTuple
from urllib.parse import urlsplit

from forager.errors import ClusterError

LOG = logging.getLogger(__name__)
NAMESPACE = "forager"
"""Where the named actors of Forager are found by every process."""
START = "Start it (ray start --head), or correct or unset FORAGER_RAY. What ran can be resumed."
OF_CLIENTS = "A client needs the RAY_AUTH_TOKEN of the cluster, too."
CLIENT_PORT = 10001
REACH_SECONDS = 5.0
_CONNECTING = threading.Lock()
_JOINED: list[str] = []
"""The address of the cluster that this process has joined by itself."""


class ClusterSize(NamedTuple):
    """What a cluster has: machines that are alive, and their processors."""

    nodes: int
    cpus: float
    free: float


def import_ray() -> ModuleType:
    """The package. Raises ClusterError where it is not installed."""
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise ClusterError(
            "FORAGER_RAY is set, but Ray is not installed.",
            'Install it: pip install "forager-agent[ray]", or unset FORAGER_RAY.',
        ) from error


def connect(address: str) -> ModuleType:
    """Join the cluster at an address, unless this process has; the package. Raises ClusterError.

    It blocks, and is called in a thread: in the main one, Ray would take over SIGTERM.
    """
    ray = import_ray()
    with _CONNECTING:
        if ray.is_initialized() and _JOINED in ([], [address]):
            return ray
        try:
            _knock(address)
            ray.shutdown()
            # What a client warns of when it gives up is told by the error.
            warnings.filterwarnings("ignore", "Ray Client connection timed out", UserWarning)
            _join(ray, address)
        except (OSError, RuntimeError, ValueError) as error:
            said = next(iter(str(error).strip().splitlines()), type(error).__name__)
            mend = f"{START} {OF_CLIENTS}" if "://" in address else START
            raise ClusterError(
                f"The Ray cluster {address} cannot be reached: {said.rstrip('.')}.", mend
            ) from error
        _JOINED[:] = [address]
    LOG.info("joined the Ray cluster %s", address)
    return ray


def _join(ray: ModuleType, address: str) -> None:
    """Join a cluster; once more where its head failed to start a server for this client."""
    join = partial(
        ray.init,
        address=address,
        namespace=NAMESPACE,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    try:
        join()
    except ConnectionAbortedError:
        LOG.warning("the Ray cluster %s did not take this client; it is tried again", address)
        ray.shutdown()
        join()


def _knock(address: str) -> None:
    """Raise OSError where no one listens, which Ray's client would find out after 30 s."""
    url = urlsplit(address)
    if url.hostname:
        with socket.create_connection((url.hostname, url.port or CLIENT_PORT), REACH_SECONDS):
            pass


def disconnect() -> None:
    """Leave the cluster, so that the next call joins it anew."""
    with _CONNECTING:
        import_ray().shutdown()
        _JOINED.clear()


def measure_cluster(address: str) -> ClusterSize:
    """How large the cluster is. Raises ClusterError."""
    ray = connect(address)
    alive = [node for node in ray.nodes() if node["Alive"]]
    free = ray.available_resources().get("CPU", 0.0)
    return ClusterSize(len(alive), ray.cluster_resources().get("CPU", 0.0), free)
