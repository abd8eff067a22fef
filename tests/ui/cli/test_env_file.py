"""A file .env in the current folder may come from anywhere: it runs and redirects nothing."""

import os
from pathlib import Path

import pytest

from forager.settings import FOLDER_SETTINGS, KEPT_FILE, Settings, environment_name, load_settings
from tests.endpoint import Endpoint
from tests.ui.cli.test_main import SKARN
from tests.ui.conftest import Forager

HERE = Path(__file__).parents[3]
MARK = 'from pathlib import Path\nPath("ran").touch()\n'
PROGRAM = "#!/bin/sh\ntouch ran\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which somebody else wrote."""
    folder = tmp_path / "cloned"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("FORAGER_OWN_NODES", "FORAGER_OWN_NODES_FOLDER"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)  # what --env sets is undone after the test
    return folder


def write_env(folder: Path, **values: object) -> None:
    lines = [f"{name}={value}\n" for name, value in values.items()]
    (folder / ".env").write_text("".join(lines))


def test_it_runs_no_code(forager: Forager, folder: Path) -> None:
    (folder / "evil.py").write_text(MARK)
    (folder / "evil.sh").write_text(PROGRAM)
    (folder / "evil.sh").chmod(0o755)
    write_env(
        folder,
        FORAGER_OWN_NODES="evil.py",
        FORAGER_OWN_NODES_FOLDER=folder,
        FORAGER_CHROMIUM=folder / "evil.sh",
    )
    result = forager("doctor", FORAGER_MEMORY="false")
    assert not (folder / "ran").exists()
    assert "Not read from .env in this folder: FORAGER_CHROMIUM, FORAGER_OWN_NODES" in result.stderr
    assert "forager --env .env" in result.stderr


def test_it_logs_no_text_that_forgetting_leaves(forager: Forager, folder: Path) -> None:
    write_env(folder, FORAGER_LOG="DEBUG")
    assert load_settings().log is None
    assert "Not read from .env in this folder: FORAGER_LOG" in forager("sessions").stderr


def test_it_redirects_no_key(
    forager: Forager, folder: Path, endpoint: Endpoint, site: str, here: tuple[str, str]
) -> None:
    write_env(
        folder,
        FORAGER_BASE_URL=endpoint.url,
        OPENAI_BASE_URL=endpoint.url,
        FORAGER_MODEL=f"openai:any,base_url={endpoint.url}",
    )
    for options in (("--model", "openai:any"), ()):
        env = {"OPENAI_API_KEY": "sk-mine", "FORAGER_MODEL_PATIENCE": "0"}
        forager("ask", SKARN, "--site", site, *here, *options, **env)
    assert endpoint.requests == []


def test_it_sets_what_the_handbook_lists(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_env(
        folder,
        FORAGER_MEMORY_DAYS=7,
        FORAGER_API_KEY="from the folder",
        FORAGER_TAVILY_KEY="${OPENAI_API_KEY}",
        FORAGER_DATA=folder / "taken",
    )
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    settings = load_settings(folder / "data")
    assert settings.memory_days == 7
    assert settings.api_key
    assert settings.tavily_key
    assert settings.tavily_key.get_secret_value() == "${OPENAI_API_KEY}"
    assert load_settings().data == Settings.model_fields["data"].default
    listed = (HERE / "docs" / "getting-started.md").read_text()
    names = {environment_name(field) for field in Settings.model_fields}
    named = {name for name in names if f"`{name}`" in listed.partition("A file `.env`")[2]}
    assert named == {environment_name(field) for field in FOLDER_SETTINGS}


def test_a_file_that_is_named_sets_everything(forager: Forager, folder: Path) -> None:
    (folder / "mine.py").write_text(MARK)
    write_env(folder, FORAGER_OWN_NODES="mine.py", FORAGER_OWN_NODES_FOLDER=folder)
    result = forager("--env", ".env", "doctor", FORAGER_MEMORY="false")
    assert (folder / "ran").exists()
    assert "Not read" not in result.stderr
    refused = forager("--env", "absent.env", "doctor")
    assert refused.exit_code == 2
    assert "absent.env cannot be read" in refused.stderr


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (bytes(range(256)) * 9, "it is not text in UTF-8"),
        (b"FORAGER_USER=a\0b\n", "it is not text in UTF-8"),
        (b"FORAGER_USER=aaaa\n" * 10_000, "it has more than 16,000 bytes"),
        (None, "it is not a regular file"),
    ],
    ids=["binary", "nul", "large", "pipe"],
)
def test_what_is_no_small_text_is_not_read(
    forager: Forager, folder: Path, body: bytes | None, fault: str
) -> None:
    if body is None:
        os.mkfifo(folder / ".env")
    else:
        (folder / ".env").write_bytes(body)
    result = forager("sessions")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0] == f".env in this folder is not read: {fault}."


def test_a_named_file_with_a_nul_is_refused(forager: Forager, folder: Path) -> None:
    (folder / "nul").write_bytes(b"FORAGER_USER=a\0b\n")
    refused = forager("--env", "nul", "doctor")
    assert refused.exit_code == 2
    assert "nul cannot be read" in refused.stderr


def test_kept_values_that_are_no_text_are_told(forager: Forager, folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / KEPT_FILE).write_bytes(b"\xff\xfe")
    result = forager("sessions", FORAGER_DATA=str(folder / "data"))
    assert result.exit_code == 1
    assert "keys.env cannot be read" in result.stderr
