"""What is logged where: nothing is shown unasked, and the file names no question and no page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.util.log_file import PATH
from tests.ui.conftest import Forager
from ui.cli.logs import configure_console

QUESTION = "Which engineer built the Skarn lighthouse?"


@pytest.fixture(autouse=True)
def console() -> Iterator[None]:
    """Nothing is shown after the test."""
    yield
    configure_console(verbose=0, quiet=False)


@pytest.fixture
def words(site: str, here: tuple[str, str]) -> tuple[str, ...]:
    return "ask", QUESTION, "--site", site, *here


def test_nothing_is_shown_unasked(forager: Forager, words: tuple[str, ...], tmp_path: Path) -> None:
    result = forager(*words, "--session", "one")
    assert result.exit_code == 0
    assert "INFO" not in result.stderr
    log = (tmp_path / "data" / PATH).read_text()
    for said in (
        "graphs.sessions.service: session one: running\n",
        "forager.adapters.web.fetch.fetcher: fetched 127.0.0.1:",
        "forager.adapters.web.library: surveyed 127.0.0.1:",
        "forager.adapters.store.checkpoints.saver: saved checkpoint: session one, step ",
        "graphs.sessions.service: session one: answered\n",
    ):
        assert said in log
    for kept_back in ("Skarn", "skarn", "lighthouse", "Lindqvist", "DEBUG"):
        assert kept_back not in log


@pytest.mark.parametrize("option", ["--verbose", "-v"])
def test_verbose_shows_what_is_done(forager: Forager, words: tuple[str, ...], option: str) -> None:
    for result in (forager(option, *words), forager(*words, option)):
        assert "INFO graphs.sessions.service: session " in result.stderr
        assert "DEBUG" not in result.stderr
        assert "INFO" not in result.stdout


def test_twice_it_shows_every_detail(forager: Forager, words: tuple[str, ...], site: str) -> None:
    result = forager(*words, "-vv")
    assert f"DEBUG forager.adapters.web.fetch.fetcher: fetched {site}" in result.stderr


def test_quiet_shows_no_progress_and_still_the_errors(
    forager: Forager, words: tuple[str, ...]
) -> None:
    assert "pages known" in forager(*words).stderr
    quiet = forager(*words, "--quiet")
    assert (quiet.exit_code, quiet.stderr) == (0, "")
    assert "Marta Lindqvist" in quiet.stdout
    assert forager("-q", "show", "none").stderr.startswith("Error: There is no session 'none'.")


def test_the_environment_sets_the_level(
    forager: Forager, words: tuple[str, ...], tmp_path: Path
) -> None:
    assert "INFO graphs.sessions.service" in forager(*words, FORAGER_LOG="info").stderr
    assert forager(*words, "--quiet", FORAGER_LOG="INFO").stderr == ""
    forager(*words, FORAGER_LOG="DEBUG")
    assert "skarn.html" in (tmp_path / "data" / PATH).read_text()
    wrong = forager("sessions", FORAGER_LOG="loud")
    assert wrong.exit_code == 2
    assert "FORAGER_LOG is invalid" in wrong.stderr


def test_what_stands_behind_two_dashes_is_no_option(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    result = forager("ask", "--site", site, *here, "--", "--verbose")
    assert "INFO" not in result.stderr
