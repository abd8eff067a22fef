"""The command line: the commands, what they do, and what they print."""

from ui.cli.main import app

__all__ = ["app"]
