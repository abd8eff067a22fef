"""The commands that look into a session's course and change it. Each imports what it needs."""

from pathlib import Path
from typing import Annotated

import typer

from ui.flags import ALLOW, BASE_URL, BRAVE, BUDGET, GRAPH, HEADED, ID, JSON, MODEL, RECORD, SECRETS

HINT = typer.Option(metavar="TEXT", help="A hint for what is chosen from now on.")
TOO = typer.Option(metavar="ADDRESS", help="A site to read too; repeatable.")
FORBID = typer.Option(
    metavar="HOST|ADDRESS", help="A host, or an address and all below it, not to read; repeatable."
)
PLEA = typer.Argument(metavar="[PLEA]", help="Which, where it asks several things.")
MAP = typer.Option(
    metavar="OLD=NEW", help="Where a node that is to run next goes on in --graph; repeatable."
)
TURN = typer.Option(metavar="N", min=1, help="An earlier turn of the conversation, from 1.")


def resume(
    id: Annotated[str, ID],
    step: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Go back to this step first: forager history ID."),
    ] = None,
    budget: Annotated[str, BUDGET] = "",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    record: Annotated[Path | None, RECORD] = None,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    yes_destructive: Annotated[bool, BRAVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Go on with a session that was left, with another model if one is named.

    With a step it goes back to it; with more budget, to where it turned to its end for want of it.
    """
    from ui import asking, steering
    from ui.options import read_settings

    settings = read_settings(allow_private or (), base_url, record, headed=headed, secrets=secrets)
    if step is not None or budget:
        steering.go_on(settings, id, step, budget)
    asking.change(settings, id, " ".join(model or []), base_url)
    asking.run(settings, id, as_json=as_json, brave=yes_destructive)


def history(
    id: Annotated[str, ID],
    step: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="What this step changed.")
    ] = None,
    turn: Annotated[int | None, TURN] = None,
) -> None:
    """List the steps of a session, or say what one of them changed."""
    from ui import looking
    from ui.options import read_settings

    if step is None:
        looking.list_history(read_settings(), id, turn)
    else:
        looking.show_step(read_settings(), id, step, turn)


def fork(
    id: Annotated[str, ID],
    step: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The step to go on from.")
    ] = None,
    hint: Annotated[str, HINT] = "",
    site: Annotated[list[str] | None, TOO] = None,
    forbid: Annotated[list[str] | None, FORBID] = None,
    budget: Annotated[str, BUDGET] = "",
    graph: Annotated[str, GRAPH] = "",
    map: Annotated[list[str] | None, MAP] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="A name for the new session.")
    ] = None,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    yes_destructive: Annotated[bool, BRAVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Go on from a step of a session in a new one; the old one stays as it is.

    In another graph it goes on at the node of the same name, or at the one that --map names.
    """
    from ui import asking, steering
    from ui.options import read_settings

    settings = read_settings(allow_private or (), base_url, headed=headed, secrets=secrets)
    change = steering.steer_of(hint, site or (), forbid or (), budget)
    made = steering.fork(
        settings,
        id,
        step,
        change,
        graph=graph,
        mapping=steering.read_mapping(map or ()),
        model=" ".join(model or []),
        base_url=base_url,
        new=session,
    )
    asking.run(settings, made, as_json=as_json, brave=yes_destructive)


def steer(
    id: Annotated[str, ID],
    hint: Annotated[str, HINT] = "",
    site: Annotated[list[str] | None, TOO] = None,
    forbid: Annotated[list[str] | None, FORBID] = None,
    budget: Annotated[str, BUDGET] = "",
    allow_private: Annotated[list[str] | None, ALLOW] = None,
) -> None:
    """Change what a session that is under way reads, chooses and may spend, without leaving it."""
    from ui import steering
    from ui.options import read_settings

    change = steering.steer_of(hint, site or (), forbid or (), budget)
    steering.steer(read_settings(allow_private or ()), id, change)


def pause(id: Annotated[str, ID]) -> None:
    """Leave a session that runs elsewhere after its present step, to be resumed."""
    from ui import steering
    from ui.options import read_settings

    steering.pause(read_settings(), id)


def stop(
    id: Annotated[str, ID],
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """End a session with an answer from what it has."""
    from ui import steering
    from ui.options import read_settings

    steering.stop(read_settings(allow_private or ()), id, as_json=as_json)


def approve(id: Annotated[str, ID], plea: Annotated[str, PLEA] = "") -> None:
    """Say yes to what a session asks: an action that may change something, or a take-over."""
    from ui import steering
    from ui.options import read_settings

    steering.decide(read_settings(), id, plea, yes=True)


def refuse(id: Annotated[str, ID], plea: Annotated[str, PLEA] = "") -> None:
    """Say no to what a session asks."""
    from ui import steering
    from ui.options import read_settings

    steering.decide(read_settings(), id, plea, yes=False)


def rename(
    id: Annotated[str, ID],
    title: Annotated[
        str, typer.Argument(metavar="[TITLE]", help="Without one, its question.")
    ] = "",
) -> None:
    """Call a session something in lists."""
    from ui import steering
    from ui.options import read_settings

    steering.rename(read_settings(), id, title)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session exported as zip.")],
) -> None:
    """Take in a session that was exported whole, with its steps and pages."""
    from ui.exporting import import_session
    from ui.options import read_settings

    import_session(read_settings(), file)


VERBS = (resume, history, fork, steer, pause, stop, approve, refuse, rename)
