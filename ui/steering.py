"""The verbs that change a session's course: resume from a step, fork."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import typer

from forager.errors import AddressError, UsageError
from forager.settings import Settings
from graphs.models import changed, settle
from graphs.sessions import Otherwise, Sessions, Steer
from ui.asking import with_sessions
from ui.options import read_budget

T = TypeVar("T")


def steer_of(hint: str, sites: Sequence[str], forbid: Sequence[str], budget: str) -> Steer:
    """What stands on the command line. Raises UsageError for a budget that cannot be read."""
    limits = read_budget(budget) if budget else None
    return Steer(hint=hint, sites=tuple(sites), forbid=tuple(forbid), budget=limits)


def go_on(settings: Settings, id: str, step: int | None, budget: str) -> None:
    """Let a session go on from a step, or with another budget."""
    change = steer_of("", (), (), budget)
    _with(settings, lambda to: to.go_on(id, step, change))


def fork(  # noqa: PLR0913
    settings: Settings,
    id: str,
    step: int | None,
    change: Steer,
    *,
    graph: str = "",
    model: str = "",
    base_url: str = "",
    new: str | None = None,
) -> str:
    """Lay down a fork of a session; its id."""

    async def forking(to: Sessions) -> str:
        session = await to.get(id)
        line = changed(session.model, model, base_url) if model or base_url else session.model
        budget = change.budget or session.question.budget
        other = Otherwise(
            **change.model_dump(exclude={"budget"}),
            budget=change.budget,
            graph=graph,
            model=settle(line, settings, budget),
        )
        return await to.fork(id, step, other, new=new)

    made = _with(settings, forking)
    typer.echo(f"Session {made} goes on from {id}.", err=True)
    return made


def _with(settings: Settings, work: Callable[[Sessions], Coroutine[Any, Any, T]]) -> T:
    """A site that is no address is a bad usage here."""
    try:
        return with_sessions(settings, work)
    except AddressError as error:
        raise UsageError(error.what, error.mend) from error
