import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event

import pytest

from tests.forager.adapters.web import hostile
from tests.programs import Program, run_forager
from tests.servers import Asked, Reply, Site
from tests.ui.conftest import PAGES, Forager
from ui.server.handbook.handbook_site import HOST, serve_pages

LIMITS = "seconds=60,pages=6"
SKARN = "Which engineer built the Skarn lighthouse?"


def start_asking(
    root: str, data: Path, session: str, *options: str, memory: bool = False
) -> Program:
    """A process of its own that asks the site for the Skarn lighthouse."""
    words = "ask", SKARN, "--site", root, "--session", session, "--allow-private", HOST, *options
    env = {"FORAGER_DATA": str(data), "FORAGER_MEMORY": str(memory), "PATH": "/usr/bin:/bin"}
    return Program(run_forager, *words, **env)


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
    with serve_pages(stuck) as root:
        running = start_asking(root, tmp_path / "data", "one")
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


def test_a_page_that_takes_minutes_to_read_holds_no_run_after_an_interrupt(tmp_path: Path) -> None:
    wanted = Event()

    def nested(asked: Asked) -> Reply:
        wanted.set()
        return Reply(hostile.nested_links())

    with Site({"/": nested}) as site:
        running = start_asking(site.url(), tmp_path / "data", "one", "--budget", "seconds=600")
        assert wanted.wait(60)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=15)
        assert running.returncode == 130, errors


def test_a_page_of_many_links_is_read_within_the_seconds(tmp_path: Path) -> None:
    with Site({"/": Reply(hostile.inline_links(15_000))}) as site:
        running = start_asking(
            site.url(), tmp_path / "data", "one", "--budget", "seconds=60,pages=6"
        )
        out, errors = running.communicate(timeout=150)
    assert running.returncode in {0, 3}, errors
    assert "Marta Lindqvist" in out
