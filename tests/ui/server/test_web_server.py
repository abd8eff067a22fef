import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forager.errors import UsageError
from tests.ui.conftest import Forager
from tests.ui.server.process import PATIENCE, Served, serving_in_new_python
from ui.server.sockets import PORTS_TRIED, is_loopback, open_listener, url_of

STRANGE = {
    "config.toml": '[server]\nbaseUrlPath="strange"\nenableCORS=false\n',
    "secrets.toml": "no TOML, of which Streamlit would say so",
}

STARTED = (
    "Loading the web UI. The data folder is {}.\nSites served on this machine, to try: Handbook, "
    "Orrin Isles Encyclopedia, Heron D12 manual, Tidewater 2027.\n"
)


@pytest.fixture
def strange_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder from anywhere, with files for Streamlit."""
    folder = tmp_path_factory.mktemp("cloned")
    (folder / ".streamlit").mkdir()
    for name, text in STRANGE.items():
        (folder / ".streamlit" / name).write_text(text)
    return folder


def test_the_server_says_one_line_and_ends_at_a_signal(
    tmp_path: Path, strange_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(strange_folder)
    with serving_in_new_python(tmp_path, "--port", "0") as server:
        assert server.said == f"Forager is at {server.url} until you press Ctrl-C.\n"
        status, health = server.ask("/api/health", token="")
        assert (status, health["status"], "running" in health) == (200, "ok", False)
        assert server.fetch("/", None, "", {})[0] == 200
        settings = server.fetch("/_stcore/host-config", None, "", {"origin": "http://127.0.0.1:1"})
        assert "access-control-allow-origin" not in settings[1]
        assert server.ask("/api/sessions") == (200, {"sessions": [], "count": 0})
        assert stat.S_IMODE((tmp_path / "ui-token").stat().st_mode) == 0o600
        out, errors = server.end(signal.SIGINT)
        assert out == "Forager has stopped.\n"
        assert errors == STARTED.format(tmp_path)
        assert server.process.returncode == 0
        assert not (tmp_path / "ui-token").exists()
        log = (tmp_path / "logs" / "forager.log").read_text()
        assert f" INFO    ui.server.web_server: serving on {server.url}\n" in log


@contextmanager
def half_asked(server: Served) -> Iterator[None]:
    """A request whose body the server waits for."""
    head = (
        f"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(head.encode())
        assert line.recv(99).startswith(b"HTTP/1.1 100 ")
        yield


def shut(server: Served) -> bool:
    """Does it take no more calls?"""
    try:
        socket.create_connection(("127.0.0.1", server.port), PATIENCE).close()
    except ConnectionError:  # refused, or reset while it closes
        return True
    return False


@pytest.mark.parametrize("signs", [1, 2])
def test_a_signal_ends_it_without_a_word_while_a_call_is_under_way(
    tmp_path: Path, signs: int
) -> None:
    with serving_in_new_python(tmp_path, "--port", "0") as server, half_asked(server):
        for _ in range(signs - 1):
            server.process.send_signal(signal.SIGINT)
            end = time.monotonic() + PATIENCE
            while not shut(server):
                assert time.monotonic() < end
        out, errors = server.end(signal.SIGINT)
        assert (out, errors) == ("Forager has stopped.\n", STARTED.format(tmp_path))
        assert server.process.returncode == 0
        assert not (tmp_path / "ui-token").exists()


def test_what_others_could_reach_is_not_served(forager: Forager) -> None:
    refused = forager("ui", "--no-browser", "--address", "192.0.2.1")
    assert refused.exit_code == 2
    assert "nobody would have to log in" in refused.stderr


def test_a_port_that_is_asked_for_and_taken_is_refused() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(UsageError, match="is taken"),
    ):
        open_listener("127.0.0.1", taken.getsockname()[1])


def test_without_a_port_the_next_free_one_is_taken() -> None:
    first = open_listener("127.0.0.1", None)
    second = open_listener("127.0.0.1", None)
    with first, second:
        ports = [each.getsockname()[1] for each in (first, second)]
        assert 8501 <= ports[0] < ports[1] < 8501 + PORTS_TRIED
        assert url_of(second) == f"http://127.0.0.1:{ports[1]}/"


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(UsageError, match="Nothing can be served"):
        open_listener("192.0.2.1", 0)


@pytest.mark.parametrize(
    ("address", "own"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("192.0.2.1", False), ("pc", False)],
)
def test_what_only_this_machine_reaches(address: str, own: bool) -> None:
    assert is_loopback(address) == own


def test_what_a_first_page_needs_of_streamlit_is_loaded_before_it() -> None:
    """Streamlit imports pandas for the first component that is drawn, which takes long."""
    words = (
        "import sys; from ui.server.web_server import warm_up; warm_up(); "
        "print('pandas' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert told.stdout == "True\n"
