"""`python -m forager` is the command line."""

import subprocess
import sys
from importlib.metadata import version

import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "forager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_says_its_version() -> None:
    told = run("--version")
    assert (told.stdout, told.returncode) == (f"forager {version('forager-agent')}\n", 0)


@pytest.mark.parametrize("verb", ["ask", "sessions", "ui"])
def test_it_has_the_verbs_of_the_command(verb: str) -> None:
    told = run(verb, "--help")
    assert told.stdout.lstrip().startswith(f"Usage: python -m forager {verb}")
    assert told.returncode == 0


def test_a_wrong_verb_is_an_error() -> None:
    assert run("nonsense").returncode == 2
