"""Several processes on one data folder."""

import json
from pathlib import Path

from tests.programs import Program
from tests.ui.cli.actions.test_interrupt import Stuck, start_asking
from tests.ui.conftest import PAGES, Forager
from ui.server.handbook.handbook_site import serve_pages

SECONDS = 150.0


def taught(forager: Forager) -> set[str]:
    """The sessions that the memory knows of."""
    listed = forager("memory", "list", "--json", FORAGER_MEMORY="true").stdout
    return {json.loads(line)["session"] for line in listed.splitlines()}


def test_processes_that_start_at_once_on_a_fresh_folder_work_and_remember(
    forager: Forager, tmp_path: Path
) -> None:
    """One of them ends while the other waits for a page, and so has a memory beside it."""
    data = tmp_path / "data"
    stuck = Stuck("/skarn.html")
    pages = {path: page.encode() for path, page in PAGES.items()}
    with serve_pages(stuck) as slow, serve_pages(pages) as quick:
        first, second = (
            start_asking(root, data, name, memory=True)
            for root, name in ((slow, "first"), (quick, "second"))
        )
        check_answer(second)
        assert stuck.wanted.wait(SECONDS)
        assert taught(forager) == {"second"}
        stuck.let_go.set()
        check_answer(first)
    assert taught(forager) == {"first", "second"}


def check_answer(running: Program) -> None:
    """The process answers, and has a memory."""
    out, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 0, errors
    assert "Marta Lindqvist" in out
    assert "without memory" not in errors
