"""What Forager is installed as."""

from importlib.metadata import version

NAME = "forager-agent"
"""On the package index, where `forager` is another project; the command and the packages differ."""


def installed_version() -> str:
    """The version of Forager that is installed."""
    return version(NAME)
