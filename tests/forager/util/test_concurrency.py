"""Running coroutines concurrently."""

import asyncio

import pytest

from forager.errors import ModelError
from forager.util.concurrency import run_both, run_concurrently


async def test_results_come_in_order() -> None:
    gate = asyncio.Event()

    async def first() -> int:
        await gate.wait()
        return 1

    async def second() -> int:
        gate.set()
        return 2

    assert await run_concurrently([first(), second()]) == [1, 2]
    assert await run_concurrently([]) == []


async def test_an_error_cancels_the_others_and_is_raised_itself() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def fails() -> None:
        raise ModelError("The model is away.")

    with pytest.raises(ModelError):
        await run_concurrently([waits(), fails()])
    assert ended == ["cancelled"]


async def test_two_coroutines_with_different_result_types() -> None:
    async def number() -> int:
        return 1

    async def word() -> str:
        return "one"

    assert await run_both(number(), word()) == (1, "one")
