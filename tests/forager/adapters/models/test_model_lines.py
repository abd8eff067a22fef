import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.model_lines import (
    KNOWN_URLS,
    ROLES,
    ModelChoice,
    ModelChoices,
    is_replay,
    parse_model_line,
)
from forager.errors import UsageError

NAMES = st.sampled_from(
    ["offline", "openai:a", "openai:b/c:d", "ollama:qwen3:8b", "anthropic:claude", "vllm:m@q4"]
)
CHOICES = st.builds(
    ModelChoice,
    name=NAMES,
    base_url=st.sampled_from(["", "http://127.0.0.1:1/v1", "https://b.example/v1?a=b"]),
    temperature=st.sampled_from([0.0, 0.2, 1.0, 2.0]),
    limit=st.sampled_from([1, 800, 2000]),
    structure=st.sampled_from(["auto", "schema", "tool", "text"]),
)
ANY = st.builds(
    ModelChoices, default=CHOICES, roles=st.dictionaries(st.sampled_from(ROLES), CHOICES)
)


@given(ANY)
def test_a_written_line_parses_to_the_same_choices(choices: ModelChoices) -> None:
    assert parse_model_line(choices.to_line()) == choices
    assert parse_model_line(choices.to_line()).to_line() == choices.to_line()


def test_a_model_line_is_parsed() -> None:
    choices = parse_model_line(
        "openai:gpt-5,temperature=0.2 extractor=openai:gpt-5-nano,limit=800 critic=offline"
    )
    assert choices.default == ModelChoice(name="openai:gpt-5", temperature=0.2)
    assert choices.for_role("navigator") == choices.default
    assert choices.for_role("extractor") == ModelChoice(
        name="openai:gpt-5-nano", temperature=0.2, limit=800
    )
    assert choices.for_role("critic").name == "offline"
    assert (choices.default.provider, choices.default.model) == ("openai", "gpt-5")
    assert len(choices.all_choices()) == 3


def test_an_empty_line_is_offline() -> None:
    assert parse_model_line("") == ModelChoices()
    assert parse_model_line("").to_line() == "offline"


def test_options_alone_change_the_model_before() -> None:
    assert parse_model_line("openai:a temperature=0.5").default == ModelChoice(
        name="openai:a", temperature=0.5
    )
    assert parse_model_line("openai:a critic=temperature=1").for_role("critic") == ModelChoice(
        name="openai:a", temperature=1.0
    )


BASE = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("line", "role", "base_url"),
    [
        ("openai:a", "critic", BASE),
        ("openai:a critic=openai:b", "critic", BASE),
        ("ollama:a", "critic", BASE),
        ("openai:a,base_url=http://own/v1", "critic", "http://own/v1"),
        ("openai:a critic=ollama:b", "critic", ""),  # which is served somewhere else
        ("openai:a critic=anthropic:b", "critic", ""),
        ("offline critic=openai:b", "critic", BASE),
        ("offline critic=anthropic:b", "critic", ""),
        ("anthropic:a", "navigator", ""),  # the address is of an OpenAI-compatible endpoint
        ("anthropic:a critic=openai:b", "critic", BASE),
        ("anthropic:a,base_url=http://own/v1", "critic", "http://own/v1"),
    ],
)
def test_an_address_beside_the_line(line: str, role: str, base_url: str) -> None:
    assert parse_model_line(line, BASE).for_role(role).base_url == base_url


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gpt-5", "no model 'gpt-5'. Write it as PROVIDER:NAME"),
        ("openai:", "no model 'openai:'"),
        ("http://127.0.0.1:11434/v1", "'http://127.0.0.1:11434/v1' is an address, not a model."),
        ("openai:a critik=openai:b", "no role 'critik'. Did you mean 'critic'"),
        ("openai:a,temperature=3", "temperature of the model is invalid"),
        ("openai:a,limit=0", "limit of the model is invalid"),
        ("openai:a,limit=many", "limit of the model is invalid"),
        ("openai:a,structure=xml", "structure of the model is invalid"),
        ("openai:a,colour=red", "no model 'colour=red'"),
    ],
)
def test_invalid_words_are_named(line: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_model_line(line)
    assert said in str(raised.value)


def test_replays_are_told_apart() -> None:
    assert is_replay("replay:/some where")
    assert not is_replay("openai:replay")
    assert ModelChoices(default=ModelChoice(name="replay:/a b,c")).to_line() == "replay:/a b,c"


def test_the_providers_that_are_known_have_addresses() -> None:
    assert all(url.startswith("http") and url.endswith("/v1") for url in KNOWN_URLS.values())
