"""The verbs that change a session's course: resume from a step, fork, steer, pause, answer."""

from collections.abc import Mapping, Sequence

import typer

from forager.errors import UsageError
from forager.settings import Settings
from graphs.sessions.model_choice import changed, settle
from graphs.sessions.service import Asked, Otherwise, Sessions, Steer
from ui.asking import put, with_sessions, with_sites
from ui.options import read_budget
from ui.plain import clean

SHORT = 8
"""Characters of a plea's id that are shown; its beginning is enough to name it."""


def steer_of(hint: str, sites: Sequence[str], forbid: Sequence[str], budget: str) -> Steer:
    """What stands on the command line. Raises UsageError for a budget that cannot be read."""
    limits = read_budget(budget) if budget else None
    return Steer(hint=hint, sites=tuple(sites), forbid=tuple(forbid), budget=limits)


def read_mapping(entries: Sequence[str]) -> dict[str, str]:
    """`judge=verify` as a mapping. Raises UsageError."""
    found: dict[str, str] = {}
    for entry in entries:
        old, equals, new = (part.strip() for part in entry.partition("="))
        if not (old and equals and new) or old in found:
            raise UsageError(
                f"--map {entry!r} cannot be read, or stands twice.", "Write --map OLD=NEW."
            )
        found[old] = new
    return found


def go_on(settings: Settings, id: str, step: int | None, budget: str) -> None:
    """Let a session go on from a step, or with another budget."""
    change = steer_of("", (), (), budget)
    with_sites(settings, lambda to: to.go_on(id, step, change))


def fork(  # noqa: PLR0913
    settings: Settings,
    id: str,
    step: int | None,
    change: Steer,
    *,
    graph: str = "",
    mapping: Mapping[str, str] | None = None,
    model: str = "",
    base_url: str = "",
    new: str | None = None,
) -> str:
    """Lay down a fork of a session; its id."""

    async def forking(to: Sessions) -> str:
        session = await to.get(id)
        line = changed(session.model, model, base_url) if model or base_url else session.model
        settled = settle(line, settings, change.budget or session.question.budget)
        other = Otherwise(**dict(change), graph=graph, mapping=mapping or {}, model=settled)
        if graph or mapping:
            move = await to.moving(id, graph, mapping, step)
            notes = [each.note for each in move.pending if each.note]
            for line in (*map(str, move.differences), *notes):
                typer.echo(clean(line), err=True)
        return await to.fork(id, step, other, new=new)

    made = with_sites(settings, forking)
    typer.echo(f"Session {made} goes on from {id}.", err=True)
    return made


def steer(settings: Settings, id: str, change: Steer) -> None:
    """Change the question of a session that is under way."""
    if change == Steer():
        raise UsageError(
            "Nothing was said to change.", "Name a --hint, --site, --forbid or --budget."
        )
    with_sites(settings, lambda to: to.steer(id, change))
    typer.echo(f"Session {id}: {change.told()}")


def pause(settings: Settings, id: str) -> None:
    """Leave a session after its present node."""
    with_sessions(settings, lambda to: to.pause(id))
    typer.echo(f"Session {id} is left after its present step. Go on with: forager resume {id}")


def stop(settings: Settings, id: str, *, as_json: bool) -> None:
    """End a session with an answer from what it has."""
    report = with_sessions(settings, lambda to: to.stop(id))
    if report.status == "running":
        typer.echo(f"Session {id} ends after its present step.")
    else:
        put(report, as_json=as_json)


def rename(settings: Settings, id: str, title: str) -> None:
    """Call a session so."""
    with_sessions(settings, lambda to: to.rename(id, title))
    typer.echo(f"Session {id} is called by its {'title' if title.strip() else 'question'} now.")


def decide(settings: Settings, id: str, plea: str, *, yes: bool) -> None:
    """Answer what a session asks: the plea that is named, or the only one that waits."""

    async def deciding(to: Sessions) -> str:
        waiting = await to.pleas(id)
        wanted = [each for each in waiting if not plea or each.id.startswith(plea)]
        if len(wanted) != 1:
            raise UsageError(*_unclear(id, waiting, wanted))
        await to.decide(id, wanted[0].id, yes=yes)
        return wanted[0].plea.what

    what = clean(with_sessions(settings, deciding))
    typer.echo(f"{'Approved' if yes else 'Refused'}: {what}")


def _unclear(id: str, waiting: Sequence[Asked], wanted: Sequence[Asked]) -> tuple[str, str]:
    if not waiting:
        return f"Session {id!r} asks nothing now.", "See what it does: forager show " + id
    shown = "; ".join(f"{each.id[:SHORT]} ({clean(each.plea.what)})" for each in waiting)
    much = "several things" if len(wanted) > 1 else "nothing of that name"
    return f"Session {id!r} asks {much}.", f"Name one of these: {shown}."
