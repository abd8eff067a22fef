"""Ollama: which models it has, how it fetches and deletes one."""

from pathlib import Path

import pytest

from forager.adapters.models.local.ollama import (
    OllamaModel,
    list_ollama,
    pull_ollama,
    remove_ollama,
)
from forager.errors import ModelError, UsageError
from tests.local_models import Ollama, local_settings
from tests.servers import Site


def test_the_models_that_write_are_listed(tmp_path: Path, ollama: Ollama) -> None:
    assert list_ollama(local_settings(tmp_path, ollama), 2.0) == (
        OllamaModel(name="llama3.1:8b", bytes=4_900_000_000, parameters="8.0B"),
        OllamaModel(name="qwen2.5:1.5b", bytes=986_000_000, parameters="1.5B"),
    )


def test_a_model_is_fetched_with_reports_and_deleted(tmp_path: Path, ollama: Ollama) -> None:
    told: list[tuple[str, int, int]] = []
    there = local_settings(tmp_path, ollama)
    pull_ollama("smollm2", there, lambda what, done, total: told.append((what, done, total)))
    assert told == [("pulling", 3, 9), ("pulling", 9, 9), ("success", 0, 0)]
    assert list_ollama(there, 2.0)[0].name == "smollm2"
    remove_ollama("smollm2", there)
    assert list_ollama(there, 2.0)[0].name == "llama3.1:8b"


def test_a_model_that_is_not_there_is_said(tmp_path: Path, ollama: Ollama) -> None:
    there = local_settings(tmp_path, ollama)
    with pytest.raises(ModelError, match=r"file does not exist. Is the name right?"):
        pull_ollama("absent", there, lambda *told: None)
    with pytest.raises(UsageError, match=r"Did you mean 'llama3.1:8b'"):
        remove_ollama("llama3.1", there)


def test_without_ollama_it_is_said_how_to_start_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"127.0.0.1:9 \(ConnectError\). Start it with `ollama"):
        list_ollama(local_settings(tmp_path), 2.0)


def test_what_is_no_ollama_is_said(tmp_path: Path) -> None:
    with Site({"/api/tags": "<p>Another program.</p>"}) as site:
        with pytest.raises(ModelError, match=r"is no Ollama"):
            list_ollama(local_settings(tmp_path, site), 2.0)
        with pytest.raises(ModelError, match=r"HTTP 404"):
            pull_ollama("any", local_settings(tmp_path, site), lambda *told: None)
