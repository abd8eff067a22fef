"""Two small questions tell whether a model is asked as a large or as a small one."""

import pytest

from forager.errors import ModelError
from forager.settings import Settings
from graphs.system.model_probe import PROBES, describe_profile, probe_models
from tests.endpoint import Asked, Endpoint, Reply
from tests.fakes import FakeEmbedder

RIGHT = [probe.offline(FakeEmbedder()).model_dump() for probe in PROBES]


def settings(endpoint: Endpoint) -> Settings:
    return Settings(base_url=endpoint.url, model_pause=0.01)


def right(asked: Asked) -> Reply:
    """Copies what answers."""
    return Reply(RIGHT[0] if "41 metres" in asked.text else RIGHT[1])


def hasty(asked: Asked) -> Reply:
    """Copies the first line for every part, as small models do."""
    line = "The tower of Skarn is 31 metres high."
    return Reply({"lines": [{"part": "p1", "quote": line}], "open": []})


async def test_a_model_that_reads_rightly_is_large(endpoint: Endpoint) -> None:
    endpoint.script = right
    result = await probe_models("openai:m", settings(endpoint))
    assert result.profile == "large"
    assert result.tokens > 0
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("script", [hasty, lambda asked: Reply("Sorry?")])
async def test_one_that_copies_the_wrong_line_or_nothing_is_small(
    endpoint: Endpoint, script: object
) -> None:
    endpoint.script = script  # type: ignore[assignment]
    result = await probe_models("openai:m", settings(endpoint))
    assert result.profile == "small"
    assert f"{result.line},profile=small" in describe_profile(result)


async def test_one_that_is_small_by_its_line_is_asked_all_the_same(endpoint: Endpoint) -> None:
    endpoint.script = right
    assert (await probe_models("openai:m,profile=small", settings(endpoint))).profile == "large"


async def test_one_that_is_not_there_is_reported() -> None:
    with pytest.raises(ModelError):
        await probe_models("openai:m", Settings(base_url="http://127.0.0.1:9/v1"))


async def test_no_model_is_not_asked() -> None:
    assert (await probe_models("", Settings())).profile == ""
