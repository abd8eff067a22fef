"""Each endpoint gets only its own key, and nothing of OpenAI's environment variables."""

import pytest

from forager.errors import ModelError, UsageError
from tests.endpoint import Asked, Endpoint
from tests.endpoint.errors import body
from tests.endpoint.faults import Status
from tests.forager.adapters.models.model_client import ONE, Asking, script_replies
from tests.forager.adapters.models.sample_tasks import Extract, Pick
from tests.servers import Site

THEIRS, OURS = "sk-openai-0123456789", "key-0123456789"


@pytest.fixture
def endpoint(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    """An endpoint, while OpenAI's environment variables are set."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, THEIRS)
    monkeypatch.setenv("OPENAI_PROXY", "http://127.0.0.1:9")
    endpoint.script = script_replies(ONE)
    return endpoint


def everything(asked: Asked) -> str:
    """All that was sent."""
    return f"{dict(asked.headers)} {asked.body}"


@pytest.mark.parametrize("provider", ["openai", "vllm", "ollama", "llamacpp", "openrouter"])
async def test_nothing_of_openais_goes_elsewhere(
    endpoint: Endpoint, asking: Asking, provider: str
) -> None:
    asking.set(OPENAI_API_KEY=THEIRS)
    await asking.ask(Pick(), f"{provider}:m")
    [asked] = endpoint.requests
    assert THEIRS not in everything(asked)
    assert asked.headers["authorization"] == "Bearer none"


@pytest.mark.parametrize("provider", ["openai", "vllm"])
async def test_our_key_goes_to_the_endpoint(
    endpoint: Endpoint, asking: Asking, provider: str
) -> None:
    asking.set(OPENAI_API_KEY=THEIRS, api_key=OURS, base_url=endpoint.url)
    await asking.ask(Pick(), f"{provider}:m")
    [asked] = endpoint.requests
    assert asked.headers["authorization"] == f"Bearer {OURS}"
    assert THEIRS not in everything(asked)


async def test_openais_base_url_gets_openais_key(endpoint: Endpoint, asking: Asking) -> None:
    asking.set(OPENAI_API_KEY=THEIRS, OPENAI_BASE_URL=endpoint.url, api_key=OURS)
    asking.url = ""
    await asking.ask(Pick())
    [asked] = endpoint.requests
    assert asked.headers["authorization"] == f"Bearer {THEIRS}"


async def test_a_proxy_is_used_only_if_the_settings_name_one(
    endpoint: Endpoint, asking: Asking, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, site.url())
    await asking.ask(Pick())
    assert len(endpoint.requests) == 1
    assert site.asked == []
    asking.set(proxy=site.url(), model_patience=0)
    asking.url = "http://models.invalid/v1"
    with pytest.raises(ModelError):
        await asking.ask(Pick(), "openai:another")
    assert site.asked[0].path == "http://models.invalid/v1/chat/completions"


async def test_a_key_in_an_error_message_is_hidden(endpoint: Endpoint, asking: Asking) -> None:
    asking.set(api_key=OURS, base_url=endpoint.url)
    endpoint.script = script_replies(Status(401, body(f"No such key: {OURS}.", None)))
    with pytest.raises(ModelError, match="No such key: •••") as raised:
        await asking.ask(Pick())
    assert OURS not in str(raised.value)


async def test_roles_at_other_endpoints(endpoint: Endpoint, asking: Asking) -> None:
    with Endpoint(script_replies(ONE)) as other:
        asking.set(OPENAI_API_KEY=THEIRS, api_key=OURS, base_url=endpoint.url)
        line = f"openai:a extractor=vllm:b,base_url={other.url}"
        await asking.ask(Pick(), line)
        await asking.ask(Extract(), line)
        assert [asked.model for asked in endpoint.requests] == ["a"]
        assert [asked.model for asked in other.requests] == ["b"]
        assert endpoint.requests[0].headers["authorization"] == f"Bearer {OURS}"
        assert not any(each in everything(other.requests[0]) for each in (THEIRS, OURS))
        assert other.invalid == []


async def test_a_missing_provider_package_is_named(asking: Asking) -> None:
    with pytest.raises(UsageError, match="anthropic:claude cannot be opened"):
        await asking.ask(Pick(), "anthropic:claude")
