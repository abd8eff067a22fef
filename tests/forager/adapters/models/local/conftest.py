"""An Ollama on loopback, and a real small model in a data folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local_models import LLAMA, NOMIC, QWEN, Ollama, put_real_model


@pytest.fixture
def ollama() -> Iterator[Ollama]:
    with Ollama(LLAMA, QWEN, NOMIC) as served:
        yield served


@pytest.fixture
def data_with_model(tmp_path: Path) -> Path:
    """A data folder with the real model as `smol-135m`."""
    put_real_model(tmp_path / "data", "smol-135m")
    return tmp_path / "data"
