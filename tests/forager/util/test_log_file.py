"""The log of a data folder is private, small, shared by processes, and never fails a run."""

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.util.log_file import MAX_BYTES, PATH, LogFile, keep_log, package_loggers

LOG = logging.getLogger("forager.somewhere")


@pytest.fixture(autouse=True)
def loggers() -> Iterator[None]:
    """The loggers as they were, after the test."""
    before = [(each, each.level, list(each.handlers)) for each in package_loggers()]
    yield
    for logger, level, handlers in before:
        for handler in set(logger.handlers) - set(handlers):
            handler.close()
        logger.setLevel(level)
        logger.handlers = handlers


def record(text: str) -> logging.LogRecord:
    return logging.makeLogRecord({"name": "forager", "msg": text, "levelno": logging.INFO})


def test_the_log_is_private_and_has_no_details(tmp_path: Path) -> None:
    keep_log(tmp_path)
    assert not (tmp_path / PATH).exists()
    LOG.info("fetched %s", "h.example")
    LOG.debug("fetched %s", "http://h.example/page")
    line = (tmp_path / PATH).read_text()
    assert line.endswith(" INFO    forager.somewhere: fetched h.example\n")
    assert stat.S_IMODE((tmp_path / PATH).stat().st_mode) == 0o600


def test_details_are_logged_on_request(tmp_path: Path) -> None:
    keep_log(tmp_path, "DEBUG")
    LOG.debug("fetched %s", "http://h.example/page")
    assert "http://h.example/page" in (tmp_path / PATH).read_text()


def test_the_log_goes_to_one_folder_at_a_time(tmp_path: Path) -> None:
    keep_log(tmp_path / "one")
    keep_log(tmp_path / "two")
    LOG.info("here")
    assert not (tmp_path / "one" / PATH).exists()
    assert "here" in (tmp_path / "two" / PATH).read_text()


def test_the_log_never_exceeds_two_files_of_a_megabyte(tmp_path: Path) -> None:
    handler = LogFile(tmp_path, "INFO")
    for number in range(30):
        handler.emit(record(f"{number} {'x' * 100_000}"))
    handler.close()
    files = sorted((tmp_path / PATH.parent).iterdir())
    assert [file.name for file in files] == ["forager.log", "forager.log.1"]
    for file in files:
        assert file.stat().st_size <= MAX_BYTES
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_another_process_continues_in_the_new_file(tmp_path: Path) -> None:
    one, other = LogFile(tmp_path, "INFO"), LogFile(tmp_path, "INFO")
    other.emit(record("before"))
    one.maxBytes = 10
    one.emit(record("rotates"))
    other.emit(record("after"))
    lines = (tmp_path / PATH).read_text().splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == ["rotates", "after"]
    one.close()
    other.close()


def test_an_unwritable_folder_is_ignored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").touch()
    keep_log(tmp_path / "data")
    LOG.info("nowhere")
    assert capsys.readouterr() == ("", "")
