from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from forager.adapters.models.prices import find_price
from forager.domain.spend import Budget
from forager.settings import Settings
from graphs.sessions.model_choice import list_offers, max_cost


@pytest.mark.parametrize(
    ("line", "budget", "dollars"),
    [
        ("offline", Budget(), 0.0),
        ("openai:gpt-4.1-mini", Budget(), None),
        ("openai:gpt-4.1-mini", Budget(tokens=1_000_000), 1.6),
        ("openai:gpt-4.1-mini critic=openai:gpt-5", Budget(tokens=1_000_000), 10.0),
        ("openai:gpt-4.1-mini", Budget(tokens=1_000_000, usd=0.5), 0.5),
        ("openai:unheard-of", Budget(tokens=1000), None),
        ("openai:gpt-4.1-mini critic=offline", Budget(tokens=1_000_000), 1.6),
        ("anthropic:claude-sonnet-4-5", Budget(tokens=200_000), 3.0),
        ("anthropic:claude-sonnet-4-5", Budget(tokens=400_000), 9.0),
        ("perplexity:sonar", Budget(tokens=1_000_000), None),
        ("ollama:llama3", Budget(), 0.0),
    ],
)
def test_the_maximal_cost_of_a_run(
    tmp_path: Path, line: str, budget: Budget, dollars: float | None
) -> None:
    assert max_cost(line, Settings(data=tmp_path), budget) == dollars


def test_the_most_holds_at_every_hour(tmp_path: Path) -> None:
    dollars = max_cost("deepseek:deepseek-chat", Settings(data=tmp_path), Budget(tokens=1_000_000))
    now = datetime.now(UTC)
    hours = [
        find_price({}, "deepseek:deepseek-chat", when=now.replace(hour=each)) for each in range(24)
    ]
    assert dollars == max(each.cost_in_usd(0, 1_000_000) for each in hours if each)


def test_only_models_that_can_be_asked_are_offered(tmp_path: Path) -> None:
    none = {"model": None, "api_key": None, "openai_api_key": None}
    bare = Settings(data=tmp_path).model_copy(update=none)
    assert [offer.line for offer in list_offers(bare)] == ["offline"]
    keyed = bare.model_copy(update={"openai_api_key": SecretStr("sk-x"), "model": "openai:gpt-5"})
    lines = [offer.line for offer in list_offers(keyed)]
    assert lines[:2] == ["openai:gpt-5", "offline"]
    assert "openai:gpt-4.1-mini" in lines
    assert len(lines) == len(set(lines))
