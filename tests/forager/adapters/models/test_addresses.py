import pytest

from forager.adapters.models.addresses import (
    advise_unreached,
    check_choice,
    is_compatible,
    ollama_address,
    resolve_endpoint,
)
from forager.adapters.models.model_lines import KNOWN_URLS, OPENAI_URL, ModelChoice
from forager.errors import UsageError
from forager.settings import Settings

OWN = "http://127.0.0.1:8000/v1"


def settings(**given: str) -> Settings:
    """Settings with keys and addresses."""
    names = {"openai_api_key": "OPENAI_API_KEY", "openai_base_url": "OPENAI_BASE_URL"}
    fields = {names.get(name, name): value for name, value in given.items()}
    return Settings.model_validate(fields)


def key(choice: ModelChoice, given: Settings) -> str | None:
    """The key sent to a model's endpoint."""
    secret = resolve_endpoint(choice, given)[1]
    return secret.get_secret_value() if secret else None


BOTH = settings(openai_api_key="sk-theirs", api_key="sk-ours", base_url=OWN)


@pytest.mark.parametrize("provider", KNOWN_URLS)
def test_openais_key_goes_to_openai_alone(provider: str) -> None:
    assert key(ModelChoice(name=f"{provider}:m", base_url=OWN), BOTH) == "sk-ours"
    theirs = settings(openai_api_key="sk-theirs")
    assert key(ModelChoice(name=f"{provider}:m", base_url=OWN), theirs) is None


@pytest.mark.parametrize("base_url", ["", OWN, "http://127.0.0.1:9/v1", f"{OPENAI_URL}/x"])
@pytest.mark.parametrize("provider", KNOWN_URLS)
def test_a_key_without_an_address_goes_nowhere(provider: str, base_url: str) -> None:
    """A model line may come from whoever may ask, such as a caller of the API."""
    assert key(ModelChoice(name=f"{provider}:m", base_url=base_url), settings(api_key="k")) is None


@pytest.mark.parametrize("base_url", ["", OPENAI_URL, f"{OPENAI_URL}/"])
def test_openai_may_be_named_by_its_address(base_url: str) -> None:
    assert key(ModelChoice(name="openai:m", base_url=base_url), BOTH) == "sk-theirs"


@pytest.mark.parametrize(
    "base_url", [f"{OPENAI_URL}.example.com", "https://api.openai.com.evil/v1"]
)
def test_lookalikes_of_openai_do_not_get_its_key(base_url: str) -> None:
    assert key(ModelChoice(name="openai:m", base_url=base_url), BOTH) is None


def test_a_key_for_an_address_of_the_settings_goes_nowhere_else() -> None:
    given = settings(base_url=OWN, api_key="sk-ours")
    assert key(ModelChoice(name="vllm:m", base_url=f"{OWN}/"), given) == "sk-ours"
    for choice in (ModelChoice(name="openai:m"), ModelChoice(name="vllm:m", base_url="http://x/")):
        assert key(choice, given) is None


def test_openais_own_variables_belong_together() -> None:
    given = settings(openai_api_key="sk-theirs", openai_base_url="https://proxy.example/v1")
    assert resolve_endpoint(ModelChoice(name="openai:m"), given)[0] == "https://proxy.example/v1"
    assert key(ModelChoice(name="openai:m"), given) == "sk-theirs"
    assert key(ModelChoice(name="vllm:m"), given) is None
    assert resolve_endpoint(ModelChoice(name="openai:m", base_url=OWN), given)[0] == OWN
    proxy = ModelChoice(name="openai:m", base_url="https://proxy.example/v1/")
    assert key(proxy, given) == "sk-theirs"


@pytest.mark.parametrize("provider", KNOWN_URLS)
def test_every_provider_has_an_address(provider: str) -> None:
    assert (
        resolve_endpoint(ModelChoice(name=f"{provider}:m"), Settings(OLLAMA_HOST=""))[0]
        == KNOWN_URLS[provider]
    )
    assert is_compatible(ModelChoice(name=f"{provider}:m"))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("gpu.example", "http://gpu.example:11434"),
        ("https://gpu.example:443/", "https://gpu.example:443"),
        ("[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_ollama_is_where_its_own_variable_says(host: str, address: str) -> None:
    there = Settings(OLLAMA_HOST=host)
    assert ollama_address(there) == address
    assert resolve_endpoint(ModelChoice(name="ollama:m"), there) == (f"{address}/v1", None)


def test_an_address_of_ollama_that_is_none_is_said() -> None:
    with pytest.raises(UsageError, match=r"OLLAMA_HOST is '127.0.0.1:x', no address"):
        ollama_address(Settings(OLLAMA_HOST="127.0.0.1:x"))


def test_openai_needs_a_key() -> None:
    with pytest.raises(UsageError, match=r"openai:m needs a key\. Set OPENAI_API_KEY"):
        check_choice(ModelChoice(name="openai:m"), Settings())
    check_choice(ModelChoice(name="openai:m"), BOTH)
    check_choice(ModelChoice(name="openai:m", base_url=OWN), Settings())
    check_choice(ModelChoice(name="ollama:m"), Settings())


@pytest.mark.parametrize("bad", ["sk-with\nnewline", "sk with space", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(bad: str) -> None:
    with pytest.raises(UsageError, match="characters that a key cannot have") as raised:
        check_choice(ModelChoice(name="vllm:m"), settings(api_key=bad, base_url=KNOWN_URLS["vllm"]))
    assert bad not in str(raised.value)


def test_other_providers_need_the_extra() -> None:
    with pytest.raises(UsageError, match="anthropic:m needs the extra `providers`"):
        check_choice(ModelChoice(name="anthropic:m"), Settings())


def test_the_key_of_an_endpoint_goes_to_no_other() -> None:
    given = settings(api_key="sk-ours", base_url=OWN)
    assert key(ModelChoice(name="openai:m", base_url=f"{OWN}/"), given) == "sk-ours"
    for choice in (
        ModelChoice(name="openai:m", base_url="https://other.example/v1"),
        ModelChoice(name="openrouter:m"),
    ):
        assert key(choice, given) is None


@pytest.mark.parametrize(
    ("address", "nearby"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.1.4/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://gpu-box/v1", True),
        ("http://gpu.lan/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("anthropic", False),
        ("http://[/v1", False),
    ],
)
def test_whoever_cannot_reach_an_address_is_told_what_to_look_at(
    address: str, *, nearby: bool
) -> None:
    advice = "Is the server running?" if nearby else "Check the network connection or a proxy."
    assert advise_unreached(address) == advice
