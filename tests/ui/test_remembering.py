"""The commands of the memory, in a data folder where nothing was asked yet."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ui.cli import app

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORAGER_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (["memory", "list"], ""),
        (["memory", "search", "Who built the dome?", "--json"], ""),
        (["memory", "forget", "--all", "--yes"], "0 things forgotten.\n"),
        (["memory", "rebuild"], "0 things restored from 0 sessions.\n"),
    ],
)
def test_an_empty_memory_has_nothing(command: list[str], output: str) -> None:
    result = RUNNER.invoke(app, command)
    assert (result.exit_code, result.stdout) == (0, output)


def test_what_to_forget_has_to_be_named() -> None:
    result = RUNNER.invoke(app, ["memory", "forget"])
    assert result.exit_code == 2
    assert "Nothing is named to forget." in result.stderr
