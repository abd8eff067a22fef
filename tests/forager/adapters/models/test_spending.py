"""Budgets hold during concurrent calls, for any replies and durations."""

import asyncio
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from forager.adapters.models.chat_calls import ChatRequest, Completion
from forager.adapters.models.chat_model import TOKEN_MARGIN, ChatModel
from forager.adapters.models.model_lines import ModelChoice, ModelChoices
from forager.adapters.models.prices import Price
from forager.budget import Meter, start_meter
from forager.domain.spend import Budget
from forager.prompts.token_count import count_tokens
from tests.fakes import FakeEmbedder
from tests.forager.adapters.models.sample_tasks import RULE, Conclude, Extract, Pick

NAME = "openai:m"
PRICES = {NAME: Price(input=1.0, output=4.0)}
LIMIT = 500


class Loose:
    """A chat model with its own token counts and random lengths and durations of replies."""

    name = NAME

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def model_for_role(self, role: str) -> str:
        """The same model for all roles."""
        return self.name

    async def complete(self, request: ChatRequest) -> Completion:
        """A reply that may need correction."""
        draw = self._random
        for _ in range(draw.randrange(4)):
            await asyncio.sleep(0)
        sent = sum(count_tokens(message.content) for message in request.messages)
        return Completion(
            text=f'{{"choice": {draw.choice([3, 3, 12])}, "reason": "it is"}}',
            name=NAME,
            tokens_in=round(sent * draw.uniform(0.7, TOKEN_MARGIN)),
            tokens_out=draw.randint(1, request.limit or LIMIT),
        )

    async def aclose(self) -> None:
        """Nothing is open."""


async def run(budget: Budget, rounds: int, at_once: int, seed: int) -> Meter:
    """Simulate a run: rounds of concurrent calls, then the answer."""
    choices = ModelChoices(default=ModelChoice(name=NAME, limit=LIMIT))
    model = ChatModel(choices, lambda choice: Loose(seed), FakeEmbedder(), PRICES)
    with start_meter(budget) as used:
        for number in range(rounds):
            tasks = [Pick(texts=("word " * 50,) * (number + 1), tokens=2000)] * at_once
            await asyncio.gather(*(model.ask(task) for task in [*tasks, Extract()]))
        answer = await model.ask(Conclude())
        assert answer.reason != RULE, "the answer's call is always provided for"
    return used


@given(
    st.builds(Budget, tokens=st.integers(4000, 60_000))
    | st.builds(Budget, usd=st.floats(0.008, 0.1))
    | st.builds(Budget, calls=st.integers(1, 30)),
    st.integers(0, 5),
    st.integers(1, 6),
    st.integers(0, 99),
)
@settings(max_examples=30)
def test_a_run_keeps_its_budget(budget: Budget, rounds: int, at_once: int, seed: int) -> None:
    used = asyncio.run(run(budget, rounds, at_once, seed))
    spent = used.total_spend()
    if budget.tokens is not None:
        largest = max(call.tokens_in + call.tokens_out for call in used.calls)
        total = spent.tokens_in + spent.tokens_out
        assert total <= budget.tokens + max(largest, 0.05 * budget.tokens)
    if budget.usd is not None:
        dearest = max(call.usd for call in used.calls)
        assert spent.usd <= budget.usd + max(dearest, 0.05 * budget.usd)
    if budget.calls is not None:
        assert spent.model_calls <= budget.calls
    assert spent.model_calls == len(used.calls)


async def test_without_a_limit_nothing_is_refused() -> None:
    used = await run(Budget(), rounds=3, at_once=4, seed=1)
    assert used.refused == 0
    assert used.model_calls >= 3 * 5 + 1


async def test_calls_in_flight_make_others_wait_and_not_fail() -> None:
    used = await run(Budget(tokens=40_000), rounds=1, at_once=12, seed=2)
    assert used.refused == 0
