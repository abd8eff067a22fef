"""Several processes on one data folder."""

import json
from pathlib import Path

from tests.ui.cli.actions.test_interrupt import Stuck, start_asking
from tests.ui.conftest import PAGES, Forager
from ui.server.handbook.handbook_site import serve_pages

SECONDS = 150.0


def taught(forager: Forager) -> set[str]:
    """The sessions that the memory knows of."""
    listed = forager("memory", "list", "--json", FORAGER_MEMORY="true").stdout
    return {json.loads(line)["session"] for line in listed.splitlines()}


def test_processes_that_start_at_once_on_a_fresh_folder_work_and_remember(
    forager: Forager, site: str, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    names = ("first", "second")
    running = [start_asking(site, data, name, memory=True) for name in names]
    for each in running:
        out, errors = each.communicate(timeout=SECONDS)
        assert each.returncode == 0, errors
        assert "Marta Lindqvist" in out
        assert "without memory" not in errors
    assert taught(forager) == set(names)


def test_a_run_beside_another_has_memory(forager: Forager, tmp_path: Path) -> None:
    data = tmp_path / "data"
    stuck = Stuck("/skarn.html")
    pages = {path: page.encode() for path, page in PAGES.items()}
    with serve_pages(stuck) as slow, serve_pages(pages) as quick:
        first = start_asking(slow, data, "first", memory=True)
        assert stuck.wanted.wait(SECONDS)
        second = start_asking(quick, data, "second", memory=True)
        _, errors = second.communicate(timeout=SECONDS)
        assert second.returncode == 0, errors
        assert "without memory" not in errors
        assert taught(forager) == {"second"}
        stuck.let_go.set()
        _, errors = first.communicate(timeout=SECONDS)
        assert first.returncode == 0, errors
    assert taught(forager) == {"first", "second"}
