"""A node with a meter around it: what it used, how long it took, and what it had to tell."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from time import perf_counter
from typing import Protocol, cast

from forager.budget import meter
from forager.errors import ForagerError
from forager.state import Question, Spend, State, Update
from graphs.events import Emit, shorten, tell


class Run(Protocol):
    """A node as LangGraph runs it."""

    async def __call__(self, state: State) -> dict[str, object]:
        """The keys that changed."""


def metered(name: str, work: Callable[[State], Awaitable[Update]], emit: Emit) -> Run:
    """The node as LangGraph runs it: it adds the `spend` key, failed attempts included."""
    owed = Spend()

    async def run(state: State) -> dict[str, object]:
        nonlocal owed
        await emit(name, "started", "", {})
        began = perf_counter()
        with meter() as used:
            try:
                # A Question stays what it is; LangGraph's server hands in plain JSON.
                question = Question.model_validate(state.question)
                update = await work(replace(state, question=question))
            except ForagerError as error:
                owed += used.spend(perf_counter() - began)
                await emit(name, "failed", shorten(str(error)), {"error": type(error).__name__})
                raise
        spend, owed = owed + used.spend(perf_counter() - began), Spend()
        message, data = tell(update)
        await emit(name, "finished", message, data)
        return {**cast(dict[str, object], update), "spend": spend}

    return run
