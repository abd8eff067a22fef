from datetime import UTC, datetime
from pathlib import Path

import pytest
from genai_prices import Usage, calc_price
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.adapters.models.prices import Price, Tier, find_price, load_library, read_prices
from forager.errors import UsageError

NOW = datetime(2026, 10, 5, 3, tzinfo=UTC)
TOKENS = st.integers(0, 10**6)
RATES = st.floats(0, 100)


PRICES = st.builds(Price, input=RATES, output=RATES, cached=st.none() | RATES)


@given(PRICES, TOKENS, TOKENS, TOKENS)
def test_a_call_costs_what_its_tokens_do(
    rate: Price, tokens_in: int, tokens_out: int, had: int
) -> None:
    input, output, cached = rate.input, rate.output, rate.cached
    usd = rate.cost_in_usd(tokens_in, tokens_out, had)
    dearest = max(input, input if cached is None else cached)
    assert 0 <= usd <= (tokens_in * dearest + tokens_out * output) / 1e6 * (1 + 1e-9) + 1e-12
    assert rate.cost_in_usd(tokens_in, tokens_out) == pytest.approx(
        (tokens_in * input + tokens_out * output) / 1e6
    )


def test_cached_tokens_are_among_those_in() -> None:
    rate = Price(input=2.0, output=8.0, cached=0.5)
    assert rate.cost_in_usd(1_000_000, 0, 400_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5)
    assert rate.cost_in_usd(100, 0, 10**9) == pytest.approx(100 * 0.5 / 1e6)
    assert Price(input=2.0, output=8.0).cost_in_usd(1_000_000, 0, 1_000_000) == 2.0


def test_a_long_call_costs_the_rates_of_its_tier() -> None:
    long = Tier(above=200_000, input=6, output=22.5, cached=0.6)
    longest = Tier(above=500_000, input=9, output=30)
    rate = Price(input=3, output=15, cached=0.3, tiers=(long, longest), call=0.01)
    assert rate.cost_in_usd(200_000, 1000) == pytest.approx(0.6 + 0.015 + 0.01)
    assert rate.cost_in_usd(200_001, 1000) == pytest.approx(1.200006 + 0.0225 + 0.01)
    assert rate.cost_in_usd(300_000, 0, 100_000) == pytest.approx(1.2 + 0.06 + 0.01)
    assert rate.cost_in_usd(600_000, 0, 100_000) == pytest.approx(5.4 + 0.01)
    assert [rate.highest_rate(tokens) for tokens in (0, 200_000, 300_000, 10**6)] == [
        15,
        15,
        22.5,
        30,
    ]


NAMES = (
    ("openai:gpt-5", "openai", "gpt-5"),
    ("openai:gpt-5.2-2025-12-11", "openai", "gpt-5.2"),
    ("openai:gpt-5.2-20251211", "openai", "gpt-5.2"),
    ("openai:gpt-5.4", "openai", "gpt-5.4"),
    ("openai:gpt-5.4-mini", "openai", "gpt-5.4-mini"),
    ("anthropic:claude-opus-4-6", "anthropic", "claude-opus-4-6"),
    ("anthropic:claude-sonnet-4-5-20250929", "anthropic", "claude-sonnet-4-5"),
    ("google_genai:gemini-3-pro-preview", "google", "gemini-3-pro-preview"),
    ("google_vertexai:gemini-2.5-pro", "google", "gemini-2.5-pro"),
    ("deepseek:deepseek-chat", "deepseek", "deepseek-chat"),
    ("mistralai:mistral-large-latest", "mistral", "mistral-large-latest"),
    ("xai:grok-4", "x-ai", "grok-4"),
    ("groq:llama-3.3-70b-versatile", "groq", "llama-3.3-70b-versatile"),
    ("azure_openai:gpt-5-mini", "azure", "gpt-5-mini"),
    ("azure_ai:gpt-5-mini", "azure", "gpt-5-mini"),
    ("bedrock_converse:anthropic.claude-sonnet-4-5-20250929-v1:0", "aws", ""),
    ("openrouter:anthropic/claude-sonnet-4.5", "openrouter", "anthropic/claude-sonnet-4.5"),
    ("openrouter:qwen/qwen3-coder-flash", "openrouter", "qwen/qwen3-coder-flash"),
    ("perplexity:sonar", "perplexity", "sonar"),
)
"""Names in model lines, and their names in the data of genai-prices."""


@pytest.mark.parametrize(("model", "provider", "name"), NAMES)
@given(st.tuples(TOKENS, TOKENS), st.floats(0, 1))
@settings(max_examples=10)
def test_a_call_costs_what_genai_prices_says(
    model: str, provider: str, name: str, tokens: tuple[int, int], share: float
) -> None:
    found = find_price({}, model, when=NOW)
    assert found
    had = int(tokens[0] * share) if found.cached is not None else 0
    said = calc_price(
        Usage(input_tokens=tokens[0], output_tokens=tokens[1], cache_read_tokens=had),
        name or model.partition(":")[2],
        provider_id=provider,
        genai_request_timestamp=NOW,
    )
    assert found.cost_in_usd(*tokens, had) == pytest.approx(float(said.total_price))


def test_every_chat_model_of_the_library_costs_what_it_says() -> None:
    usage = Usage(input_tokens=300_000, output_tokens=7000, cache_read_tokens=100_000)
    seen = 0
    for home in load_library().providers:
        for info in home.models:
            rates = info.get_prices(NOW)
            if home.find_model(info.id) is not info or not rates.cache_read_mtok:
                continue
            found = find_price({}, f"{home.id}:{info.id}", when=NOW)
            if found is None:
                assert rates.input_mtok is None or rates.output_mtok is None
                continue
            expected = float(rates.calc_price(usage)["total_price"])
            assert found.cost_in_usd(300_000, 7000, 100_000) == pytest.approx(expected), info.id
            seen += 1
    assert seen > 500


def test_two_ratios_checked_by_hand() -> None:
    """From the price lists: GPT-5 output costs 8 times its input; Sonnet 4.5 has a second tier."""
    five, sonnet = find_price({}, "openai:gpt-5"), find_price({}, "anthropic:claude-sonnet-4-5")
    assert five
    assert five.cost_in_usd(0, 1000) == pytest.approx(8 * five.cost_in_usd(1000, 0))
    assert five.cost_in_usd(1000, 0, 1000) == pytest.approx(five.cost_in_usd(1000, 0) / 10)
    assert sonnet
    assert sonnet.cost_in_usd(400_000, 0) == pytest.approx(4 * sonnet.cost_in_usd(200_000, 0))
    assert sonnet.cost_in_usd(400_000, 1000) - sonnet.cost_in_usd(400_000, 0) == pytest.approx(
        1.5 * sonnet.cost_in_usd(0, 1000)
    )


def test_the_price_depends_on_the_hour() -> None:
    """DeepSeek is cheaper at some hours."""
    by_hour = []
    for hour in (NOW.replace(hour=hour) for hour in range(24)):
        found = find_price({}, "deepseek:deepseek-chat", when=hour)
        said = calc_price(
            Usage(input_tokens=1000),
            "deepseek-chat",
            provider_id="deepseek",
            genai_request_timestamp=hour,
        )
        assert found
        assert found.cost_in_usd(1000, 0) == pytest.approx(float(said.total_price))
        by_hour.append(found.cost_in_usd(1000, 0))
    assert len(set(by_hour)) > 1


def test_the_base_url_decides_the_price() -> None:
    """The base URL names a provider with the same protocol."""
    groq = "https://api.groq.com/openai/v1"
    served = find_price({}, "openai:llama-3.3-70b-versatile", groq)
    assert served == find_price({}, "groq:llama-3.3-70b-versatile")
    assert find_price({}, "openai:llama-3.3-70b-versatile") is None
    assert find_price({}, "openai:gpt-5-mini", groq) is None
    assert find_price({}, "openai:gpt-5-mini", "http://127.0.0.1:8000/v1") == find_price(
        {}, "openai:gpt-5-mini"
    )


def test_local_and_free_models_cost_nothing() -> None:
    for free in ("ollama:qwen3:8b", "vllm:qwen", "llamacpp:any", "openrouter:qwen/qwen3-4b:free"):
        assert find_price({}, free) == Price(input=0, output=0)


@pytest.mark.parametrize(
    "model",
    [
        "openai:somebody-elses",
        "openai:whisper-1",
        "nobody:gpt-5",
        "openai:",
        "offline",
        "mistralai:x",
    ],
)
def test_unknown_models_have_no_price(model: str) -> None:
    assert find_price({}, model) is None


def test_the_users_table_corrects_and_adds_prices(tmp_path: Path) -> None:
    own = "openai:gpt-5: {input: 1, output: 2}\nopenai:mine: {input: 3, output: 4}\n"
    (tmp_path / "prices.yaml").write_text(own)
    table = read_prices(tmp_path)
    assert find_price(table, "openai:gpt-5") == Price(input=1, output=2)
    assert find_price(table, "openai:mine") == Price(input=3, output=4)
    assert find_price(table, "openai:gpt-5-2025-08-07") == Price(input=1, output=2)
    assert find_price(table, "openai:gpt-5-nano") == find_price({}, "openai:gpt-5-nano") is not None


def test_the_users_table_may_price_tiers_and_providers(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text(
        "openai:mine:\n  input: 1\n  output: 2\n  call: 0.5\n"
        "  tiers: [{above: 1000, input: 2, output: 4}]\n"
        "openrouter:*: {input: 7, output: 8}\n"
    )
    table = read_prices(tmp_path)
    mine = find_price(table, "openai:mine")
    assert mine
    assert mine.cost_in_usd(1001, 0) == pytest.approx(0.002002 + 0.5)
    assert find_price(table, "openrouter:openai/gpt-5") == Price(input=7, output=8)


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("# nothing yet\n")
    assert find_price(read_prices(tmp_path), "openai:gpt-5") is not None


@pytest.mark.parametrize(
    "text",
    [
        "- a\n",
        "openai:x: 3\n",
        "openai:x: {input: -1, output: 1}\n",
        "a: b: c\n",
        "\0",
        "a: &x\nb: *x\n",
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "prices.yaml").write_text(text)
    with pytest.raises(UsageError, match="is not a price table") as raised:
        read_prices(tmp_path)
    assert "Write lines such as" in raised.value.mend


def test_the_handbooks_example_works_as_written(tmp_path: Path) -> None:
    page = Path("docs/budgets.md").read_text()
    (tmp_path / "prices.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0])
    table = read_prices(tmp_path)
    mine, other = find_price(table, "openai:my-model"), find_price(table, "openrouter:any/other")
    assert mine
    assert mine.cost_in_usd(200_001, 0) > 2 * mine.cost_in_usd(200_000, 0)
    assert other == Price(input=1, output=4)
