"""The commands of the memory."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.ui.conftest import Forager
from ui.cli import app

RUNNER = CliRunner()
QUESTIONS = {
    "gone": "Which engineer built the Skarn lighthouse?",
    "kept": "How high is the Holm lighthouse?",
    "left": "Which oil did the lamp of the Skarn lighthouse burn?",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORAGER_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (["memory", "list"], ""),
        (["memory", "search", "Who built the dome?", "--json"], ""),
        (["memory", "forget", "--all", "--yes"], "Forgot 0 items.\n"),
        (["memory", "rebuild"], "Restored 0 items from 0 sessions.\n"),
    ],
)
def test_an_empty_memory_has_nothing(command: list[str], output: str) -> None:
    result = RUNNER.invoke(app, command)
    assert (result.exit_code, result.stdout) == (0, output)


def test_a_session_is_deleted_with_what_it_taught_or_without(
    forager: Forager, site: str, here: tuple[str, str]
) -> None:
    def run(*words: str) -> str:
        result = forager(*words, FORAGER_MEMORY="true")
        assert result.exit_code == 0, result.output
        return result.stdout

    def taught() -> set[str]:
        return {
            json.loads(line)["session"] for line in run("memory", "list", "--json").splitlines()
        }

    for id, question in QUESTIONS.items():
        run("ask", question, "--site", site, "--session", id, *here)
    assert taught() == {"gone", "kept", "left"}
    count = len(run("memory", "list").splitlines())
    said = run("delete", "gone", "--forget")
    forgotten = count - len(run("memory", "list").splitlines())
    assert said.endswith(f"Forgot {forgotten} items.\n")
    assert taught() == {"kept", "left"}
    run("delete", "kept", "--keep")
    assert taught() == {"kept", "left"}
    assert run("memory", "rebuild").endswith(" from 1 session.\n")
    assert taught() == {"left"}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (["forget"], "Nothing to forget is named."),
        (["forget", "--id", ""], "Nothing to forget is named."),
        (
            ["forget", "--all", "--yes", "--session", "s1"],
            "All is named, and a part of it too.",
        ),
        (["search", "  "], "The search text is empty."),
    ],
)
def test_what_is_meant_has_to_be_named(command: list[str], fault: str) -> None:
    result = RUNNER.invoke(app, ["memory", *command])
    assert result.exit_code == 2
    assert fault in result.stderr


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("--id", "No memory entry 'nope.example'.\n"),
        ("--site", "No memory entry about 'nope.example'.\n"),
        ("--session", "No memory entry of session 'nope.example'.\n"),
    ],
)
def test_forgetting_what_is_not_there_is_told(part: str, said: str) -> None:
    result = RUNNER.invoke(app, ["memory", "forget", part, "nope.example"])
    assert (result.exit_code, result.stdout, result.stderr) == (4, "", said)


def test_what_could_not_be_forgotten_with_its_session_is_told(
    forager: Forager, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    forager("ask", QUESTIONS["gone"], "--site", site, "--session", "gone", *here)
    (tmp_path / "data" / "memory").write_text("in the way")
    result = forager("delete", "gone", "--forget")
    assert (result.exit_code, result.stdout) == (1, "Deleted session gone.\n")
    assert "What was learned from it is not deleted." in result.stderr
    assert result.stderr.endswith("Then: forager memory forget --session gone\n")
