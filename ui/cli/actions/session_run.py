"""Starts, continues and shows sessions: what ask, resume, show and delete do."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from shlex import quote
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import typer
from rich.console import Console

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import AddressError, StoreError, UsageError
from forager.settings import Settings
from forager.text.unicode import escape_json
from forager.util.suggest import nearest_name
from graphs.cluster.session_runs import run_as_set
from graphs.runtime.validation import site_address
from graphs.sessions.listing import find_sessions
from graphs.sessions.model_choice import change_models, settle_models
from graphs.sessions.service import Report, Session, Sessions, open_sessions
from graphs.spec.edit import with_values
from graphs.spec.spec import graph_of
from graphs.system.deletion import Traces, delete_and_trace
from graphs.system.retention import clean_as_set
from ui.cli.exit_codes import INTERRUPTED, STATUS_CODES, print_error
from ui.cli.logs import is_quiet, log_to_file
from ui.cli.printing.progress import ApprovalPrompt, RunProgress
from ui.cli.printing.report_text import print_report
from ui.cli.printing.terminal_text import strip_controls

T = TypeVar("T")
FIXED_OPTIONS = ("site", "graph", "set", "model", "base_url", "seed")
"""Options that a session's first question has fixed for its follow-ups."""
SIMILARITY = 0.8
"""The least similarity, 0 to 1, of two session ids of which one may be a typing error."""
DIGITS = re.compile(r"\d+")


def with_sessions(settings: Settings, work: Callable[[Sessions], Coroutine[Any, Any, T]]) -> T:
    """Run `work` on the sessions of the data folder, in an event loop of its own."""
    log_to_file(settings)

    async def run() -> T:
        async with open_sessions(settings) as sessions, sessions.context.sending_webhooks():
            return await work(sessions)

    return asyncio.run(run())


def with_sites(settings: Settings, work: Callable[[Sessions], Coroutine[Any, Any, T]]) -> T:
    """The same; a site that is not an address is a usage error."""
    try:
        return with_sessions(settings, work)
    except AddressError as error:
        raise UsageError(error.what, error.mend) from error


def create_session(  # noqa: PLR0913, PLR0917
    settings: Settings,
    question: Question,
    graph: str,
    model: str,
    id: str | None,
    values: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Create a session, without running it, and return its id; `values` are the graph's."""
    line = settle_models(model, settings, question.budget)
    return with_sites(
        settings, lambda sessions: sessions.start(question, graph, line, id, values=values)
    )


def session_exists(settings: Settings, id: str) -> bool:
    """Whether there is a session of this id."""
    return any(each.line.id == id for each in find_sessions(settings))


def warn_of_similar_id(settings: Settings, id: str) -> None:
    """Point out a session whose id the new one may be a slip for; `q06` and `q07` are not."""
    others = {each.line.id for each in find_sessions(settings)} - {id}
    words = {other for other in others if DIGITS.sub("", other) != DIGITS.sub("", id)}
    if similar := nearest_name(id, words, SIMILARITY):
        message = f"Started a new session {id!r}. Did you mean {similar!r}?"
        typer.echo(strip_controls(message), err=True)


def is_on_command_line(context: typer.Context, option: str) -> bool:
    """Whether an option was given on the command line."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


class FollowUpOptions(NamedTuple):
    """The options of a follow-up; `given` names those that the command line has."""

    question: Question
    graph: str
    model: str
    values: Mapping[str, str]
    given: Sequence[str]


def add_follow_up(
    settings: Settings, id: str, asked: FollowUpOptions, budget: Budget | None
) -> None:
    """Add the next question to a session. Raises UsageError for an option that would change."""

    async def add(sessions: Sessions) -> None:
        session = await sessions.get(id)
        if other := [name for name in asked.given if _differs(name, asked, session, settings)]:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in other)
            raise UsageError(
                f"The session {id!r} keeps the options of its first question: leave out {names}.",
                "To use others, start another session with another --session ID.",
            )
        await sessions.follow(id, asked.question.text, budget)

    with_sites(settings, add)


def _differs(name: str, asked: FollowUpOptions, session: Session, settings: Settings) -> bool:
    """Whether an option has another value than the session."""
    if name == "site":
        return not set(map(site_address, asked.question.sites)) <= set(session.question.sites)
    if name == "graph":
        return asked.graph != session.graph
    if name == "set":
        return with_values(graph_of(session), asked.values).hash != session.graph_hash
    if name == "seed":
        return asked.question.seed != session.question.seed
    return settle_models(asked.model, settings, Budget()) != session.model


def change_model(settings: Settings, id: str, model: str, base_url: str) -> None:
    """Continue a session with another model or at another address, if one is named."""

    async def change(sessions: Sessions) -> None:
        session = await sessions.get(id)
        line = change_models(session.model, model, base_url)
        await sessions.change_model(id, settle_models(line, settings, session.question.budget))

    if model or base_url or settings.record:
        with_sessions(settings, change)


def run_session(settings: Settings, id: str, *, as_json: bool, approve_all: bool = False) -> None:
    """Run a session to its end, print its report, and exit with the code of its status."""
    console = Console(stderr=True, highlight=False)
    progress = RunProgress(console, quiet=is_quiet())
    try:
        with progress:
            decide = ApprovalPrompt(progress, approve_all=approve_all, headed=settings.headed)
            report = with_sessions(settings, lambda to: run_as_set(to, id, progress, decide))
            progress.discard_failure(report.error)
    except KeyboardInterrupt:
        print_error(f"Interrupted. Resume with: {resume_command(settings, id)}")
        raise typer.Exit(INTERRUPTED) from None
    print_result(report, as_json=as_json, whole=False)
    _clean_as_set(settings)
    if report.error:
        print_error(report.error)
    raise typer.Exit(STATUS_CODES.get(report.status, 0))


def _clean_as_set(settings: Settings) -> None:
    """Delete what the settings let go; a fault is said, since the run itself is done."""
    if settings.keep_days or settings.cache_megabytes:
        try:
            gone = with_sessions(settings, clean_as_set).sessions
        except StoreError as error:
            print_error(str(error))
        else:
            for id in gone:
                print_error(f"Deleted session {id}: it is older than FORAGER_KEEP_DAYS.")


def resume_command(settings: Settings, id: str) -> str:
    """The command that resumes a session with the same options."""
    hosts = "".join(f" --allow-private {host}" for host in settings.allow_private)
    headed = " --headed" if settings.headed else ""
    secrets = f" --secrets {quote(str(settings.secrets))}" if settings.secrets else ""
    return f"forager resume {id}{hosts}{headed}{secrets}"


def print_result(report: Report, *, as_json: bool, whole: bool = True) -> None:
    """Print a report on standard output; of a conversation, all turns or the last one."""
    if as_json:
        typer.echo(escape_json(report.model_dump_json(indent=2)))
    else:
        print_report(report, Console(highlight=False), whole=whole)


def show_session(settings: Settings, id: str, *, as_json: bool) -> None:
    """Print a session's answer, or its progress so far."""
    report = with_sessions(settings, lambda sessions: sessions.show(id))
    print_result(report, as_json=as_json)


def delete_session(settings: Settings, id: str) -> Traces:
    """Delete a session; what it leaves elsewhere, for `forget_session`."""
    traces = with_sessions(settings, lambda sessions: delete_and_trace(sessions, id))
    typer.echo(f"Deleted session {id}.")
    return traces
