"""The log file of a data folder, for bug reports: small, and readable only by its owner."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, Literal

from forager.util.files import append_to_private, make_private_folder

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]
PACKAGES: Final = ("forager", "nodes", "graphs", "ui")
"""Each package has one logger; its modules' loggers are below it."""
PATH: Final = Path("logs") / "forager.log"
MAX_BYTES: Final = 1_000_000
OLDER_FILES: Final = 1
LINE: Final = "%(asctime)s %(levelname)-7s %(name)s: %(message)s%(session)s"
SESSION: ContextVar[str] = ContextVar("session", default="")
"""The session whose run logs, which each line of the file names."""


class LogFile(RotatingFileHandler):
    """Appends to the log; several processes may write and rotate it without losing lines.

    The file is created with the first line. Write errors are ignored: logging must not fail a run.
    """

    def __init__(self, folder: Path, level: LogLevel) -> None:
        super().__init__(
            folder / PATH, maxBytes=MAX_BYTES, backupCount=OLDER_FILES, encoding="utf-8", delay=True
        )
        self.setLevel(level)
        self.setFormatter(logging.Formatter(LINE, defaults={"session": ""}))
        self.addFilter(_name_session)

    def _open(self) -> TextIOWrapper:
        """Open the file; it is created with access for its owner only."""
        path = Path(self.baseFilename)
        make_private_folder(path.parent)
        return append_to_private(path)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line; to the new file, if another process has rotated the log."""
        if self.stream and not self._is_current(self.stream):
            self.stream.close()
            self.stream = None  # reopened by super().emit
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore the error; the line is lost."""

    def _is_current(self, stream: TextIOWrapper) -> bool:
        try:
            current = Path(self.baseFilename).stat()
        except OSError:
            return False
        own = os.fstat(stream.fileno())
        return (own.st_dev, own.st_ino) == (current.st_dev, current.st_ino)


def _name_session(record: logging.LogRecord) -> bool:
    """Add the session to a record; every record passes."""
    id = SESSION.get()
    record.session = f" [{id}]" if id else ""
    return True


@contextmanager
def logging_session(id: str) -> Iterator[None]:
    """Name the session in the lines that the body logs."""
    token = SESSION.set(id)
    try:
        yield
    finally:
        SESSION.reset(token)


def keep_log(folder: Path, level: LogLevel = "INFO") -> None:
    """Log to this data folder from now on, and no longer to another one."""
    _close_log()
    handler = LogFile(folder, level)
    for logger in package_loggers():
        logger.addHandler(handler)
        lower_level(logger, handler.level)


def package_loggers() -> Iterator[logging.Logger]:
    """The logger of each package."""
    return map(logging.getLogger, PACKAGES)


def lower_level(logger: logging.Logger, level: int) -> None:
    """Lower a logger's level to `level`, unless it is already lower."""
    known = logger.level or level
    logger.setLevel(min(known, level))


def _close_log() -> None:
    for logger in package_loggers():
        for handler in [each for each in logger.handlers if isinstance(each, LogFile)]:
            logger.removeHandler(handler)
            handler.close()
