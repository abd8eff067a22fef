"""The commands that look into a session's course and change it. Each imports what it needs."""

from pathlib import Path
from typing import Annotated

import typer

from ui.flags import ALLOW, BASE_URL, BRAVE, HEADED, ID, JSON, MODEL, RECORD, SECRETS

TURN = typer.Option(metavar="N", min=1, help="An earlier turn of the conversation, from 1.")


def resume(
    id: Annotated[str, ID],
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    record: Annotated[Path | None, RECORD] = None,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    yes_destructive: Annotated[bool, BRAVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Go on with a session that was left, with another model if one is named."""
    from ui import asking
    from ui.options import read_settings

    settings = read_settings(allow_private or (), base_url, record, headed=headed, secrets=secrets)
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


VERBS = (resume, history)
