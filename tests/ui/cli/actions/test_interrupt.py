import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event

import pytest

from tests.ui.conftest import PAGES, Forager
from ui.server.handbook.handbook_site import HOST, serve_pages


class Stuck(Mapping[str, bytes]):
    """Pages of which one comes only when it is let go."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.wanted = Event()
        self.let_go = Event()

    def __getitem__(self, path: str) -> bytes:
        if path == self.path:
            self.wanted.set()
            self.let_go.wait(60)
        return PAGES[path].encode()

    def __iter__(self) -> Iterator[str]:
        return iter(PAGES)

    def __len__(self) -> int:
        return len(PAGES)


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    pages = Stuck("/skarn.html")
    yield pages
    pages.let_go.set()


def test_a_run_that_is_interrupted_says_how_to_go_on(
    forager: Forager, stuck: Stuck, tmp_path: Path
) -> None:
    question = "Which engineer built the Skarn lighthouse?"
    with serve_pages(stuck) as root:
        options = ["--site", root, "--session", "one", "--allow-private", HOST]
        running = subprocess.Popen(
            [Path(sys.executable).parent / "forager", "ask", question, *options],
            env={"FORAGER_DATA": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert stuck.wanted.wait(60)
        assert "\trunning\t" in forager("sessions").stdout
        for verb in ("resume", "delete"):
            refused = forager(verb, "one")
            assert refused.exit_code == 2
            assert "Session 'one' is running in another process." in refused.stderr
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=60)
        assert running.returncode == 130, errors
        assert out == ""
        last = errors.splitlines()[-1]
        assert (
            last == "Error: Interrupted. Resume with: forager resume one --allow-private 127.0.0.1"
        )
        assert "Traceback" not in errors
        assert "\tinterrupted\t" in forager("sessions").stdout
        assert "The session was interrupted" in forager("show", "one").stdout
        stuck.let_go.set()
        resumed = forager("resume", "one", "--allow-private", HOST)
        assert resumed.exit_code == 0, resumed.output
        assert "Marta Lindqvist" in resumed.stdout
