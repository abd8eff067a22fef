"""Logging of the command line: what goes to standard error, and what to the log file.

Without an option only warnings and errors are shown. `--quiet` shows errors alone and no progress,
`--verbose` what is fetched, searched and asked, and `--verbose --verbose` every detail; FORAGER_LOG
sets the same by its level.
"""

import logging

import typer

from forager.settings import Settings
from forager.util.log_file import keep_log, lower_level, package_loggers

LINE = "%(levelname)s %(name)s: %(message)s"
LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)
"""The level of no, one and two `--verbose`."""


class ConsoleHandler(logging.Handler):
    """Writes lines to whatever standard error is at the time; a progress line stays below them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter(LINE))
        self.by_option = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        typer.echo(self.format(record), err=True)


_CONSOLE = ConsoleHandler()


def configure_console(*, verbose: int, quiet: bool) -> None:
    """Log to standard error, as much as the command line asks for."""
    _CONSOLE.by_option = quiet or verbose > 0
    level = LEVELS[min(verbose, len(LEVELS) - 1)]
    _set_console_level(logging.ERROR if quiet else level)


def log_to_file(settings: Settings) -> None:
    """Keep the log in the data folder; FORAGER_LOG also decides what is shown."""
    keep_log(settings.data, "DEBUG" if settings.log == "DEBUG" else "INFO")
    if settings.log and not _CONSOLE.by_option:
        _set_console_level(logging.getLevelNamesMapping()[settings.log])


def is_quiet() -> bool:
    """Whether progress is not to be shown."""
    return _CONSOLE.level > logging.WARNING


def print_progress(text: str) -> None:
    """Say on standard error what is being done."""
    if not is_quiet():
        typer.echo(text, err=True)


def _set_console_level(level: int) -> None:
    _CONSOLE.setLevel(level)
    for logger in package_loggers():
        logger.addHandler(_CONSOLE)  # once: a logger knows the handlers that it has
        lower_level(logger, level)
