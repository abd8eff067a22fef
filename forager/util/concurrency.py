"""Runs coroutines concurrently, cancelling the rest on the first error, or to their end."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar, cast

T = TypeVar("T")
One = TypeVar("One")
Other = TypeVar("Other")


async def run_concurrently(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines concurrently; returns their results in order.

    The first error cancels the others and is raised itself, without an exception group.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


async def run_both(
    one: Coroutine[Any, Any, One], other: Coroutine[Any, Any, Other]
) -> tuple[One, Other]:
    """Run two coroutines with different result types concurrently, as `run_concurrently` does."""
    return cast(
        tuple[One, Other],
        tuple(await run_concurrently(cast(list[Coroutine[Any, Any, Any]], [one, other]))),
    )


async def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """The result of what must not be left half done: a cancellation takes effect after it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
