"""Lines of models, settled before a run and changed between two."""

from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.errors import UsageError
from forager.settings import Settings
from graphs.sessions.model_choice import change_models, settle_models

HERE = "http://127.0.0.1:1/v1"
THERE = "http://127.0.0.1:2/v1"


@pytest.mark.parametrize(
    ("line", "model", "base_url", "expected"),
    [
        ("openai:a,base_url=H", "", "", "openai:a,base_url=H"),
        ("openai:a,base_url=H", "openai:b", "", "openai:b,base_url=H"),
        ("openai:a,base_url=H", "openai:b", "T", "openai:b,base_url=T"),
        ("openai:a,base_url=H,limit=9", "openai:b", "", "openai:b,base_url=H,limit=9"),
        ("openai:a,base_url=H", "vllm:b", "", "vllm:b"),
        ("openai:a,base_url=H", "critic=offline", "", "openai:a,base_url=H critic=offline"),
        ("openai:a,base_url=H", "", "T", "openai:a,base_url=T"),
        ("openai:a,base_url=H critic=openai:b", "", "T", "openai:a,base_url=T critic=openai:b"),
        (
            "openai:a,base_url=H critic=openai:b",
            "vllm:c",
            "",
            "vllm:c critic=openai:b,base_url=H",
        ),
        (
            "openai:a,base_url=H critic=vllm:b,base_url=U",
            "",
            "T",
            "openai:a,base_url=T critic=vllm:b,base_url=U",
        ),
        ("offline", "critic=openai:a", "T", "offline critic=openai:a,base_url=T"),
        ("offline", "openai:a", "T", "openai:a,base_url=T"),
        ("offline", "", "T", "offline"),
        ("replay:/folder", "", "T", "replay:/folder"),
        ("replay:/folder", "openai:a", "T", "openai:a,base_url=T"),
        ("openai:a,base_url=H", "replay:/folder", "", "replay:/folder"),
    ],
)
def test_models_that_are_not_named_stay_the_same(
    line: str, model: str, base_url: str, expected: str
) -> None:
    assert change_models(line, model, base_url) == expected


def test_a_model_line_is_completed_with_the_address(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, base_url=HERE)
    line = settle_models("openai:a critic=offline answerer=openai:b,limit=9", settings, Budget())
    assert line == f"openai:a,base_url={HERE} critic=offline answerer=openai:b,limit=9"
    assert settle_models(line, Settings(data=tmp_path, base_url=THERE), Budget()) == line


def test_the_price_of_every_model_must_be_known(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, base_url=HERE)
    line = "openai:gpt-5-mini critic=openai:own"
    with pytest.raises(UsageError, match="the price of openai:own is not known"):
        settle_models(line, settings, Budget(usd=1))
    (tmp_path / "prices.yaml").write_text("openai:own: {input: 1, output: 2}")
    assert settle_models(line, settings, Budget(usd=1)).endswith(" critic=openai:own")


@pytest.mark.parametrize("model", ["openai:gpt-5.4", "openai:gpt-5.2-2025-12-11", "ollama:qwen3"])
def test_a_budget_in_dollars_is_kept_for_models_that_are_new(tmp_path: Path, model: str) -> None:
    settings = Settings(data=tmp_path, base_url=HERE)
    assert settle_models(model, settings, Budget(usd=1)).startswith(model)


def test_the_refusal_shows_the_line_that_is_missing(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, base_url=HERE)
    with pytest.raises(UsageError) as caught:
        settle_models("openai:own", settings, Budget(usd=1))
    line = caught.value.mend.partition("`")[2].partition("`")[0]
    (tmp_path / "prices.yaml").write_text(line)
    assert settle_models("openai:own", settings, Budget(usd=1))
