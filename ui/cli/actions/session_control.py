"""Changes the course of a session: resume from a step, fork, steer, pause, stop, approve."""

import json
import re
import sys
from collections.abc import Mapping, Sequence

import typer
from pydantic import JsonValue

from forager.errors import SessionError, UsageError
from forager.settings import Settings
from graphs.cluster.session_runs import stop_as_set
from graphs.sessions.listing import find_sessions
from graphs.sessions.model_choice import change_models, settle_models
from graphs.sessions.service import ApprovalRow, ForkChange, Report, Sessions, Steer
from graphs.system.retention import Cleaned, clean_data, sweep_leftovers
from ui.cli.actions.session_run import print_result, with_sessions, with_sites
from ui.cli.options import read_budget
from ui.cli.printing.terminal_text import one_line, strip_controls
from ui.server.live.session_status import ENDED

AGE = re.compile(r"(\d{1,6}(?:\.\d+)?)([hdw])")
DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}
SHORT_ID = 8
"""Characters of a request's id that are shown; they are enough to name it."""


def read_steer(hint: str, sites: Sequence[str], forbid: Sequence[str], budget: str) -> Steer:
    """The change that the command line describes. Raises UsageError for an invalid budget."""
    limits = read_budget(budget) if budget else None
    return Steer(hint=hint, sites=tuple(sites), forbid=tuple(forbid), budget=limits)


def read_node_mapping(entries: Sequence[str]) -> dict[str, str]:
    """Read `judge=verify` entries as a mapping. Raises UsageError."""
    mapping: dict[str, str] = {}
    for entry in entries:
        old, equals, new = (part.strip() for part in entry.partition("="))
        if not (old and equals and new) or old in mapping:
            raise UsageError(
                f"--map {entry!r} is invalid, or is given twice.", "Write --map OLD=NEW."
            )
        mapping[old] = new
    return mapping


def read_state_values(entries: Sequence[str]) -> dict[str, JsonValue]:
    """Read `evidence=[]` entries as keys of the state and their values. Raises UsageError."""
    values: dict[str, JsonValue] = {}
    for entry in entries:
        key, equals, text = entry.partition("=")
        key = key.strip()
        if not (key and equals) or key in values:
            raise UsageError(f"--set {entry!r} is invalid, or is given twice.", "Write KEY=JSON.")
        try:
            values[key] = json.loads(text)
        except ValueError as error:
            raise UsageError(
                f"--set {key}: {text!r} is not JSON.",
                f"Write text in double quotes, and the whole in single ones: '{key}=\"…\"'.",
            ) from error
    return values


def continue_from_step(
    settings: Settings, id: str, step: int | None, budget: str, set_aside: Sequence[str]
) -> None:
    """Set a session to continue from a step, with another budget, or without some quotes."""
    change = read_steer("", (), (), budget).model_copy(update={"set_aside": tuple(set_aside)})
    with_sites(settings, lambda sessions: sessions.forks.continue_from(id, step, change))


def pin_session(settings: Settings, id: str, *, pinned: bool) -> None:
    """Keep a session from clean-ups, or no longer."""
    with_sessions(settings, lambda sessions: sessions.listing.pin(id, pinned=pinned))
    typer.echo(f"{'Pinned' if pinned else 'Unpinned'} {id}.")


def change_tags(
    settings: Settings, id: str, add: Sequence[str] = (), remove: Sequence[str] = ()
) -> None:
    """Add tags to a session or remove some, and print those that it has then."""
    tags = with_sessions(settings, lambda to: to.listing.change_tags(id, add, remove))
    told = f"Tags of {id}: {', '.join(tags)}." if tags else f"{id} has no tags."
    typer.echo(strip_controls(told))


def confirm_deletion(settings: Settings, id: str) -> None:
    """Ask on a terminal whether to delete a session. Raises typer.Abort for a no."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    name = next((each.line.name for each in find_sessions(settings) if each.line.id == id), "")
    if name:
        what = strip_controls(f"Delete session {id}, “{one_line(name)}”? This cannot be undone.")
        typer.confirm(what, abort=True)


def clean_up(settings: Settings, older: str, *, keep_pinned: bool) -> None:
    """Delete old sessions and pages beyond the limit, and say which."""
    days = read_days(older) if older else settings.keep_days

    async def clean(sessions: Sessions) -> Cleaned:
        done = await clean_data(sessions, days, keep_pinned=keep_pinned)
        await sweep_leftovers(sessions)
        return done

    done = with_sessions(settings, clean)
    for id in done.sessions:
        typer.echo(f"Deleted session {id}.")
    for site in done.sites:
        typer.echo(strip_controls(f"Deleted the stored pages of {site}."))
    if not (done.sessions or done.sites):
        typer.echo("Nothing to delete.")


def read_days(age: str) -> float:
    """The days of an age such as `90d`, `12w` or `36h`. Raises UsageError."""
    found = AGE.fullmatch(age.strip().lower())
    if not found or not float(found[1]):
        raise UsageError(f"--older {age!r} is not an age.", "Write 90d, 12w or 36h.")
    return float(found[1]) * DAYS[found[2]]


def fork_session(  # noqa: PLR0913
    settings: Settings,
    id: str,
    step: int | None,
    change: Steer,
    *,
    graph: str = "",
    mapping: Mapping[str, str] | None = None,
    values: Mapping[str, JsonValue] | None = None,
    model: str = "",
    base_url: str = "",
    new: str | None = None,
) -> str:
    """Create a fork of a session, without running it, and return its id."""

    async def fork(sessions: Sessions) -> str:
        session = await sessions.get(id)
        line = change_models(session.model, model, base_url) if model or base_url else session.model
        settled = settle_models(line, settings, change.budget or session.question.budget)
        other = ForkChange(
            **dict(change), graph=graph, mapping=mapping or {}, model=settled, values=values or {}
        )
        if graph or mapping:
            move = await sessions.forks.plan_move(id, graph, mapping, step)
            notes = [each.note for each in move.pending if each.note]
            for difference in (*map(str, move.differences), *notes):
                typer.echo(strip_controls(difference), err=True)
        return await sessions.forks.fork(id, step, other, new=new)

    made = with_sites(settings, fork)
    typer.echo(f"Session {made} continues from {id}.", err=True)
    return made


def steer_session(settings: Settings, id: str, change: Steer) -> None:
    """Change the question of a running session."""
    if change == Steer():
        raise UsageError(
            "There is nothing to change.", "Name a --hint, --site, --forbid or --budget."
        )
    with_sites(settings, lambda sessions: sessions.steering.steer(id, change))
    typer.echo(f"Session {id}: {change.describe_change()}")


def pause_session(settings: Settings, id: str) -> None:
    """Pause a session after its present step. Raises SessionError for one that has ended."""

    async def pause(sessions: Sessions) -> None:
        status = (await sessions.get(id)).status
        if status in ENDED:
            raise SessionError(f"Session {id} has already ended ({status}).", "Nothing to pause.")
        await sessions.pause(id)

    with_sessions(settings, pause)
    typer.echo(f"Session {id} pauses after its present step. Resume with: forager resume {id}")


def stop_session(settings: Settings, id: str, *, as_json: bool) -> None:
    """End a session with the best answer from what it has; one that is ending already, at once."""

    async def stop(sessions: Sessions) -> tuple[bool, Report]:
        return await sessions.request_next_stop(id), await stop_as_set(sessions, id)

    again, report = with_sessions(settings, stop)
    if report.status == "running" and again:
        typer.echo(f"Session {id} ends now, with what was read.")
    elif report.status == "running":
        typer.echo(f"Session {id} ends after its present step. To end it now, repeat the command.")
    else:
        print_result(report, as_json=as_json)


def rename_session(settings: Settings, id: str, title: str) -> None:
    """Give a session a title, or take it away."""
    with_sessions(settings, lambda sessions: sessions.listing.rename(id, title))
    name = " ".join(strip_controls(title).split())
    typer.echo(f'Renamed {id} to "{name}".' if name else f"{id} is listed by its question again.")


def answer_request(settings: Settings, id: str, request: str, *, yes: bool) -> None:
    """Answer what a session asks: the request that is named, or the only one that waits."""

    async def answer(sessions: Sessions) -> str:
        waiting = await sessions.approval_requests(id)
        wanted = [each for each in waiting if not request or each.id.startswith(request)]
        if len(wanted) != 1:
            raise UsageError(*_explain_unclear_request(id, waiting, wanted))
        await sessions.decide(id, wanted[0].id, yes=yes)
        return wanted[0].plea.what

    what = strip_controls(with_sessions(settings, answer))
    typer.echo(f"{'Approved' if yes else 'Refused'}: {what}")


def _explain_unclear_request(
    id: str, waiting: Sequence[ApprovalRow], wanted: Sequence[ApprovalRow]
) -> tuple[str, str]:
    """What is wrong, and how to mend it."""
    if not waiting:
        return f"Session {id!r} has no open request.", "See what it does: forager show " + id
    shown = "; ".join(
        f"{each.id[:SHORT_ID]} ({strip_controls(each.plea.what)})" for each in waiting
    )
    fault = "several open requests" if len(wanted) > 1 else "no request of that name"
    return f"Session {id!r} has {fault}.", f"Name one of these: {shown}."
