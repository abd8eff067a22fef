"""The support bundle has what a bug report needs, and no question, page or secret."""

import stat
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

from forager.settings import save_values
from tests.endpoint import Endpoint
from tests.graphs.system.test_model_probe import hasty, right
from tests.ui.conftest import Forager

QUESTION = "Which engineer built the Skarn lighthouse?"
IN_ENVIRONMENT = {
    "FORAGER_API_KEY": "sk-environment-8d2f",
    "OPENAI_API_KEY": "sk-openai-51c7",
    "ANTHROPIC_API_KEY": "sk-ant-77ab",
    "FORAGER_BASE_URL": "http://name:pass-word@127.0.0.1:9/v1?token=query-91be",
    "FORAGER_UI_USERS": "ada@example.org",
}
IN_FOLDER = {"FORAGER_TAVILY_KEY": "tvly-folder-3e90"}
SECRETS = (
    *("sk-environment-8d2f", "sk-openai-51c7", "sk-ant-77ab", "tvly-folder-3e90"),
    *("pass-word", "query-91be", "ada@example.org"),
)


def read(file: Path) -> Mapping[str, str]:
    with ZipFile(file) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.fixture
def bundle(forager: Forager, site: str, here: tuple[str, str], tmp_path: Path) -> Path:
    """The bundle of a data folder with a session and a key."""
    save_values(tmp_path / "data", IN_FOLDER)
    asked = forager("ask", QUESTION, "--site", site, *here, FORAGER_LOG="DEBUG")
    assert asked.exit_code == 0
    log = tmp_path / "data" / "logs" / "forager.log"
    with log.open("a") as lines:
        lines.write("2026-01-01 00:00:00,000 INFO    x: a slip: sk-openai-51c7\n")
    file = tmp_path / "bundle.zip"
    result = forager("doctor", "--bundle", str(file), **IN_ENVIRONMENT)
    assert f"Wrote {file}." in result.stderr
    assert "Python" in result.stdout
    return file


def test_it_has_what_a_report_needs(bundle: Path) -> None:
    texts = read(bundle)
    assert set(texts) == {
        *("versions.txt", "doctor.txt", "settings.txt", "files.txt", "forager.log"),
    }
    assert "forager: 0.2.0" in texts["versions.txt"]
    assert "langgraph==" in texts["versions.txt"]
    assert "ok: Python:" in texts["doctor.txt"]
    assert "FORAGER_TAVILY_KEY = set, not shown  (kept)" in texts["settings.txt"]
    assert "FORAGER_BASE_URL = http://127.0.0.1:9/v1  (environment)" in texts["settings.txt"]
    assert "FORAGER_MAX_BYTES = 10000000  (default)" in texts["settings.txt"]
    assert "sessions.sqlite" in texts["files.txt"]
    assert "forager.adapters.web.fetch.fetcher: fetched 127.0.0.1:" in texts["forager.log"]
    assert stat.S_IMODE(bundle.stat().st_mode) == 0o600


def test_no_secret_is_in_any_byte_of_it(bundle: Path) -> None:
    whole = bundle.read_bytes() + "".join(read(bundle).values()).encode()
    for secret in SECRETS:
        assert secret.encode() not in whole
    assert "a slip: ***" in read(bundle)["forager.log"]


def test_no_question_and_no_page_is_in_it(bundle: Path) -> None:
    whole = "".join(read(bundle).values())
    for text in (QUESTION, "skarn.html", "Lindqvist", "DEBUG"):
        assert text not in whole


@pytest.mark.parametrize("name", ["bundle.txt", "absent/bundle.zip"])
def test_a_file_that_will_not_do_is_refused(forager: Forager, tmp_path: Path, name: str) -> None:
    result = forager("doctor", "--bundle", str(tmp_path / name))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert not (tmp_path / name).exists()


def test_a_probe_proposes_the_profile_of_the_model(forager: Forager, endpoint: Endpoint) -> None:
    model = {"FORAGER_MODEL": "openai:any", "FORAGER_BASE_URL": endpoint.url}
    endpoint.script = right
    assert "Reading test" in forager("doctor", "--probe", **model).stdout
    assert len(endpoint.requests) == 2
    endpoint.script = hasty
    small = f"use openai:any,base_url={endpoint.url},profile=small."
    assert small in forager("doctor", "--probe", **model).stdout


def test_a_probe_of_a_model_that_is_not_there_fails(forager: Forager) -> None:
    away = {"FORAGER_MODEL": "openai:any", "FORAGER_BASE_URL": "http://127.0.0.1:9/v1"}
    result = forager("doctor", "--probe", FORAGER_MODEL_PATIENCE="0.1", **away)
    assert result.exit_code == 1
    assert "missing Reading test" in result.stdout


def test_without_a_probe_no_model_is_asked(forager: Forager, endpoint: Endpoint) -> None:
    forager("doctor", FORAGER_MODEL="openai:any", FORAGER_BASE_URL=endpoint.url)
    assert endpoint.requests == []
