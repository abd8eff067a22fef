"""Several things at once, of which all are done or none goes on."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar, cast

T = TypeVar("T")
One = TypeVar("One")
Other = TypeVar("Other")


async def run_concurrently(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order; the first error ends the others and is raised by itself."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


async def run_both(
    one: Coroutine[Any, Any, One], other: Coroutine[Any, Any, Other]
) -> tuple[One, Other]:
    """The same for two things of different kinds."""
    return cast(
        tuple[One, Other],
        tuple(await run_concurrently(cast(list[Coroutine[Any, Any, Any]], [one, other]))),
    )
