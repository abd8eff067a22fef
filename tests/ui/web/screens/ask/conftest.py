from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.settings import Settings
from ui.server.backend import open_backend
from ui.server.handbook.handbook_site import HOST
from ui.server.space_backend import Backend


@pytest.fixture
def bare(tmp_path: Path) -> Settings:
    """Settings with neither a model nor a key."""
    none = {"model": None, "api_key": None, "openai_api_key": None}
    return Settings(data=tmp_path, memory=False, allow_private=(HOST,)).model_copy(update=none)


@pytest.fixture
def office(bare: Settings) -> Iterator[Backend]:
    """The office of an empty data folder."""
    with open_backend(bare) as office:
        yield office


@pytest.fixture
def keyed(bare: Settings) -> Iterator[Backend]:
    """The office of somebody who has a key."""
    with open_backend(bare.model_copy(update={"openai_api_key": SecretStr("sk-x")})) as office:
        yield office


@pytest.fixture
def unkeyed(bare: Settings) -> Iterator[Backend]:
    """The office of somebody whose model has no key."""
    with open_backend(bare.model_copy(update={"model": "openai:gpt-5"})) as office:
        yield office
