"""The verbs that run a session, or look into one: ask, resume, show, delete."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from shlex import quote
from typing import Any, TypeVar

import typer
from rich.console import Console

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import AddressError, UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean
from graphs.sessions.listing import listed
from graphs.sessions.model_choice import changed, settle
from graphs.sessions.service import Report, Sessions, open_sessions
from ui.approving import Approving
from ui.faults import EXITS, INTERRUPTED, say_error
from ui.plain import clean
from ui.progress import Watching
from ui.show import show

T = TypeVar("T")
SETTLED = ("site", "graph", "model", "base_url", "seed")
"""Options that a session's first question has settled for those after it."""


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Sessions]:
    """The sessions of the data folder."""
    async with open_sessions(settings) as sessions:
        yield sessions


def with_sessions(settings: Settings, work: Callable[[Sessions], Coroutine[Any, Any, T]]) -> T:
    """Do something with the sessions of the data folder, in an event loop of its own."""

    async def run() -> T:
        async with opened(settings) as sessions:
            return await work(sessions)

    return asyncio.run(run())


def with_sites(settings: Settings, work: Callable[[Sessions], Coroutine[Any, Any, T]]) -> T:
    """The same; a site that is no address is a bad usage."""
    try:
        return with_sessions(settings, work)
    except AddressError as error:
        raise UsageError(error.what, error.mend) from error


def start(settings: Settings, question: Question, graph: str, model: str, id: str | None) -> str:
    """Lay down a session; its id."""
    line = settle(model, settings, question.budget)
    return with_sites(settings, lambda to: to.start(question, graph, line, id))


def is_there(settings: Settings, id: str) -> bool:
    """Is there a session of this name?"""
    return any(each.session.id == id for each in listed(settings))


def say_new(settings: Settings, id: str) -> None:
    """Tell whoever named a session that it is a new one, beside others whose name may be meant."""
    others = {each.session.id for each in listed(settings)} - {id}
    hint = did_you_mean(id, others)
    near = f" {hint}" if hint.startswith("Did") else ""
    typer.echo(clean(f"A new session {id!r} begins.{near}"), err=True)


def given(context: typer.Context, option: str) -> bool:
    """Was an option named on the command line?"""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def follow(
    settings: Settings, id: str, text: str, budget: Budget | None, given: Sequence[str]
) -> None:
    """Lay down the next turn of a session. Raises UsageError for what the first one has settled."""
    if given:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(
            f"The session {id!r} goes on as it began: leave out {names}.",
            "To ask otherwise, begin another session with another --session ID.",
        )
    with_sessions(settings, lambda to: to.follow(id, text, budget))


def change(settings: Settings, id: str, model: str, base_url: str) -> None:
    """Let a session go on with another model or at another address, if one is named."""

    async def changing(to: Sessions) -> None:
        session = await to.get(id)
        line = changed(session.model, model, base_url)
        await to.change_model(id, settle(line, settings, session.question.budget))

    if model or base_url or settings.record:
        with_sessions(settings, changing)


def run(settings: Settings, id: str, *, as_json: bool, brave: bool = False) -> None:
    """Run a session to its end and print its report. Exits with the status.

    Who is `brave` approves unasked of all that an action may change on a site.
    """
    errors = Console(stderr=True, highlight=False)
    try:
        with Watching(errors) as watching:
            decide = Approving(watching, brave=brave, headed=settings.headed)
            report = with_sessions(settings, lambda to: to.run(id, watching, decide))
    except KeyboardInterrupt:
        say_error(f"Interrupted. Go on with: {again(settings, id)}")
        raise typer.Exit(INTERRUPTED) from None
    put(report, as_json=as_json, whole=False)
    if report.error:
        say_error(report.error)
    raise typer.Exit(EXITS.get(report.status, 0))


def again(settings: Settings, id: str) -> str:
    """The command that goes on with a session."""
    hosts = "".join(f" --allow-private {host}" for host in settings.allow_private)
    headed = " --headed" if settings.headed else ""
    secrets = f" --secrets {quote(str(settings.secrets))}" if settings.secrets else ""
    return f"forager resume {id}{hosts}{headed}{secrets}"


def put(report: Report, *, as_json: bool, whole: bool = True) -> None:
    """A report on standard output; of a conversation all turns, or the last one."""
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        show(report, Console(highlight=False), whole=whole)


def show_session(settings: Settings, id: str, *, as_json: bool) -> None:
    """Print a session as far as it has come."""
    put(with_sessions(settings, lambda to: to.show(id)), as_json=as_json)


def delete_session(settings: Settings, id: str) -> None:
    """Forget a session."""
    with_sessions(settings, lambda to: to.delete(id))
    typer.echo(f"Session {id} is deleted.")
