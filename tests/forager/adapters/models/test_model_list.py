"""The list of models of an endpoint, and what is said where there is none."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.adapters.models.model_list import list_model_names
from forager.errors import ModelError
from forager.settings import Settings
from tests.endpoint import Endpoint
from tests.servers import Reply, Site

SETTINGS = Settings(data=Path("unused"))
KEY = SecretStr("sk-typed")


async def test_the_models_are_listed_with_the_key_that_was_typed(endpoint: Endpoint) -> None:
    endpoint.models = ["b", "a"]
    assert await list_model_names(f"{endpoint.url}/", KEY, SETTINGS) == ["a", "b"]
    assert endpoint.requests[0].headers["authorization"] == "Bearer sk-typed"
    assert await list_model_names(endpoint.url, None, SETTINGS) == ["a", "b"]
    assert "authorization" not in endpoint.requests[1].headers


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:9/v1", "Could not connect to 127.0.0.1:9. Is the server running?"),
        (
            "https://models.invalid/v1",
            "Could not reach models.invalid. Check the network connection or a proxy.",
        ),
        ("127.0.0.1:9/v1", "127.0.0.1:9/v1 is not an address. Write it as https://host/v1."),
        ("http://", "http:// is not an address. Write it as https://host/v1."),
    ],
)
async def test_an_address_where_nothing_answers_is_said(address: str, words: str) -> None:
    with pytest.raises(ModelError) as raised:
        await list_model_names(address, KEY, SETTINGS)
    assert str(raised.value) == words


async def test_a_key_that_cannot_be_one_is_not_sent(endpoint: Endpoint) -> None:
    with pytest.raises(ModelError, match="characters that no key has"):
        await list_model_names(endpoint.url, SecretStr("sk\n"), SETTINGS)
    assert endpoint.requests == []


@pytest.mark.parametrize(
    ("reply", "key", "words"),
    [
        (Reply("{}", 401), KEY, "did not accept the key"),
        (Reply("{}", 401), None, "needs a key"),
        (Reply("", 404), KEY, "has no list of models at /v1/models"),
        (Reply("", 503), KEY, "replied with HTTP 503"),
        (Reply("<p>Hello.</p>"), KEY, "but not with a list of models"),
    ],
)
async def test_what_else_answers_is_said(reply: Reply, key: SecretStr | None, words: str) -> None:
    with Site({"/v1/models": reply}) as site, pytest.raises(ModelError, match=words):
        await list_model_names(site.url("/v1"), key, SETTINGS)
