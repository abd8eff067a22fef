"""What `--model auto` takes."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.adapters.models.endpoint_trials import FILE, note_trial
from forager.adapters.models.local.found_models import (
    find_model,
    forget_found,
    is_small,
    list_found,
    replace_auto,
)
from forager.adapters.models.model_lines import OFFLINE, OPENAI_URL, parse_model_line
from forager.settings import Settings
from tests.endpoint import Endpoint
from tests.local_models import Ollama, local_settings

REFUSED = "api.openai.com did not accept the key."


@pytest.fixture
def closed() -> Iterator[str]:
    """An address on loopback at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    forget_found()


def lines(given: Settings) -> list[str]:
    return [each.line for each in list_found(given)]


def test_where_nothing_is_there_it_is_the_offline_model(tmp_path: Path) -> None:
    found = find_model(local_settings(tmp_path))
    assert found.line == OFFLINE
    assert found.about == "no key, no endpoint on this machine, no file of a model"


def test_keys_come_first_then_ollama_then_files(tmp_path: Path, ollama: Ollama) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny-0.5b-q4.gguf").write_bytes(b"GGUF")
    there = local_settings(tmp_path, ollama, OPENAI_API_KEY="sk-own")
    assert lines(there) == [
        "openai:gpt-5-mini",
        "ollama:llama3.1:8b",
        "ollama:qwen2.5:1.5b,profile=small",
        "local:tiny-0.5b-q4,profile=small",
    ]
    assert find_model(there).about == "OPENAI_API_KEY"


def test_an_endpoint_of_the_settings_says_its_models(tmp_path: Path, endpoint: Endpoint) -> None:
    endpoint.models = ["own-model", "a name with spaces", "text-embedding-3"]
    there = local_settings(tmp_path, base_url=endpoint.url, api_key="sk-there")
    assert lines(there) == [f"openai:own-model,base_url={endpoint.url}"]
    assert endpoint.requests[0].headers["authorization"] == "Bearer sk-there"
    endpoint.models = ["own-model", "dear-model"]
    assert lines(there) == [], "nobody said which of them may be asked"


def test_a_key_that_failed_is_passed_over_until_it_works_or_another_is_set(tmp_path: Path) -> None:
    there = local_settings(tmp_path, OPENAI_API_KEY="sk-own")
    note_trial(OPENAI_URL, there.openai_api_key, there, REFUSED)
    assert lines(there) == []
    found = find_model(there)
    assert found.line == OFFLINE
    assert found.passed_over == REFUSED
    assert found.about == REFUSED.rstrip(".")
    assert "sk-own" not in (tmp_path / FILE).read_text()
    other = local_settings(tmp_path, OPENAI_API_KEY="sk-other")
    assert lines(other) == ["openai:gpt-5-mini"]
    note_trial(f"{OPENAI_URL}/", there.openai_api_key, there, "")
    assert find_model(there).line == "openai:gpt-5-mini"
    assert find_model(there).passed_over == ""


def test_an_endpoint_of_the_settings_that_is_away_is_said(tmp_path: Path, closed: str) -> None:
    found = find_model(local_settings(tmp_path, base_url=closed))
    assert found.line == OFFLINE
    assert found.passed_over.startswith("Could not connect to 127.0.0.1:")


def test_what_was_found_is_remembered_for_a_while(tmp_path: Path, ollama: Ollama) -> None:
    there = local_settings(tmp_path, ollama)
    assert find_model(there).line == find_model(there).line == "ollama:llama3.1:8b"
    assert ollama.paths().count("/api/tags") == 1


def test_auto_stands_for_one_role_and_keeps_its_options(tmp_path: Path, ollama: Ollama) -> None:
    choices = parse_model_line("offline answerer=auto,limit=300")
    line = replace_auto(choices, local_settings(tmp_path, ollama)).to_line()
    assert line == "offline answerer=ollama:llama3.1:8b,limit=300"
    ollama.models = ollama.models[1:]
    forget_found()
    named = replace_auto(parse_model_line("auto"), local_settings(tmp_path, ollama)).default
    assert (named.name, named.profile) == ("ollama:qwen2.5:1.5b", "small")


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("qwen2.5:1.5b", True),
        ("SmolLM2-135M-Instruct.Q4_1", True),
        ("Llama-3.2-3B-Instruct-Q4_K_M", True),
        ("llama3.1:8b", False),
        ("gpt-oss:20b", False),
        ("8.0B", False),
        ("mistral", False),
    ],
)
def test_a_name_says_how_large_a_model_is(name: str, small: bool) -> None:
    assert is_small(name) is small
