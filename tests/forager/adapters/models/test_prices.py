from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.prices import Price, price, read
from forager.errors import UsageError

TOKENS = st.integers(0, 10**6)
RATES = st.floats(0, 100)


PRICES = st.builds(Price, input=RATES, output=RATES, cached=st.none() | RATES)


@given(PRICES, TOKENS, TOKENS, TOKENS)
def test_a_call_costs_what_its_tokens_do(
    rate: Price, tokens_in: int, tokens_out: int, had: int
) -> None:
    input, output, cached = rate.input, rate.output, rate.cached
    usd = rate.usd(tokens_in, tokens_out, had)
    dearest = max(input, input if cached is None else cached)
    assert 0 <= usd <= (tokens_in * dearest + tokens_out * output) / 1e6 * (1 + 1e-9) + 1e-12
    assert rate.usd(tokens_in, tokens_out) == pytest.approx(
        (tokens_in * input + tokens_out * output) / 1e6
    )


def test_cached_tokens_are_among_those_in() -> None:
    rate = Price(input=2.0, output=8.0, cached=0.5)
    assert rate.usd(1_000_000, 0, 400_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5)
    assert rate.usd(100, 0, 10**9) == pytest.approx(100 * 0.5 / 1e6)
    assert Price(input=2.0, output=8.0).usd(1_000_000, 0, 1_000_000) == 2.0


def test_the_table_that_ships(tmp_path: Path) -> None:
    table = read(tmp_path)
    assert price(table, "openai:gpt-5-mini") == Price(input=0.25, output=2.0, cached=0.025)
    assert price(table, "openai:gpt-5-mini-2025-08-07") == price(table, "openai:gpt-5-mini")
    assert price(table, "anthropic:claude-sonnet-4-5-20250929") is not None
    assert price(table, "openai:somebody-elses") is None
    for local in ("ollama:qwen3:8b", "vllm:qwen", "llamacpp:any"):
        assert price(table, local) == Price(input=0, output=0)


def test_the_user_corrects_and_adds(tmp_path: Path) -> None:
    own = "openai:gpt-5: {input: 1, output: 2}\nopenai:mine: {input: 3, output: 4}\n"
    (tmp_path / "prices.yaml").write_text(own)
    table = read(tmp_path)
    assert price(table, "openai:gpt-5") == Price(input=1, output=2)
    assert price(table, "openai:mine") == Price(input=3, output=4)
    assert price(table, "openai:gpt-5-nano") is not None


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("# nothing yet\n")
    assert price(read(tmp_path), "openai:gpt-5") is not None


@pytest.mark.parametrize(
    "text", ["- a\n", "openai:x: 3\n", "openai:x: {input: -1, output: 1}\n", "a: b: c\n", "\0"]
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "prices.yaml").write_text(text)
    with pytest.raises(UsageError, match="is no price table") as raised:
        read(tmp_path)
    assert "Write lines such as" in raised.value.mend
