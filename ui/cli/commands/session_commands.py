"""The commands that list sessions, look into one, and change its course."""

from pathlib import Path
from typing import Annotated

import typer

from ui.cli.flags import ALLOW_PRIVATE, BUDGET, FORBID, HINT, ID, JSON, MORE_SITES, YES

TAGS = typer.Argument(metavar="TAG…", help="The tags; put one of several words in quotes.")
REQUEST = typer.Argument(metavar="[REQUEST]", help="Which request, if there are several.")


def list_sessions(
    search: Annotated[
        str, typer.Option(metavar="WORDS", help="Words of title, question, answer or tags.")
    ] = "",
    status: Annotated[
        list[str] | None, typer.Option(metavar="STATUS", help="Only this status; repeatable.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="TAG", help="Only with this tag; repeatable.")
    ] = None,
) -> None:
    """List the sessions, newest first."""
    from ui.cli.options import read_settings
    from ui.cli.printing import session_lists

    session_lists.list_sessions(read_settings(), search, status or (), tag or ())


def show(id: Annotated[str, ID], as_json: Annotated[bool, JSON] = False) -> None:
    """Print a session's answer, or how far it has come."""
    from ui.cli.actions import session_run
    from ui.cli.options import read_settings

    session_run.show_session(read_settings(), id, as_json=as_json)


def history(
    id: Annotated[str, ID],
    step: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Show what this step changed.")
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="An earlier question of the session, from 1."),
    ] = None,
) -> None:
    """List the steps of a session, or show what one of them changed."""
    from rich.console import Console

    from ui.cli.actions.session_run import with_sessions
    from ui.cli.options import read_settings
    from ui.cli.printing.step_list import print_changes, print_steps

    settings = read_settings()
    if step is None:
        points = with_sessions(settings, lambda sessions: sessions.history.checkpoints(id, turn))
        print_steps(points, Console(highlight=False))
    else:
        print_changes(
            with_sessions(settings, lambda sessions: sessions.history.diff(id, step, turn))
        )


def rename(
    id: Annotated[str, ID],
    title: Annotated[
        str, typer.Argument(metavar="[TITLE]", help="The title; without one, its question.")
    ] = "",
) -> None:
    """Give a session a title."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.rename_session(read_settings(), id, title)


def tag(id: Annotated[str, ID], tags: Annotated[list[str], TAGS]) -> None:
    """Add tags to a session, to find it by: `sessions --tag`."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.change_tags(read_settings(), id, add=tags)


def untag(id: Annotated[str, ID], tags: Annotated[list[str], TAGS]) -> None:
    """Remove tags from a session."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.change_tags(read_settings(), id, remove=tags)


def pin(id: Annotated[str, ID]) -> None:
    """Keep a session whatever its age: `clean` does not delete it."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.pin_session(read_settings(), id, pinned=True)


def unpin(id: Annotated[str, ID]) -> None:
    """Let `clean` delete a session that was pinned."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.pin_session(read_settings(), id, pinned=False)


def clean(
    older: Annotated[
        str,
        typer.Option(
            metavar="AGE", help="Delete sessions unchanged for so long, such as 90d or 12w."
        ),
    ] = "",
    keep_pinned: Annotated[
        bool, typer.Option("--keep-pinned/--pinned-too", help="Keep sessions that are pinned.")
    ] = True,
) -> None:
    """Delete old sessions with what they read, and pages beyond the limit of space.

    Without --older, the age is FORAGER_KEEP_DAYS; the limit is FORAGER_CACHE_MEGABYTES.
    """
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.clean_up(read_settings(), older, keep_pinned=keep_pinned)


def delete(
    id: Annotated[str, ID],
    forget: Annotated[
        bool | None,
        typer.Option("--forget/--keep", help="Also delete what it taught and read, or keep it."),
    ] = None,
    yes: Annotated[bool, YES] = False,
) -> None:
    """Delete a session; with --forget, also pages and all else that only it brought here.

    On a terminal it asks first, since it deletes at once and cannot be undone.
    """
    from ui.cli.actions import memory_admin, session_control, session_run
    from ui.cli.options import read_settings

    settings = read_settings()
    if not yes:
        session_control.confirm_deletion(settings, id)
    traces = session_run.delete_session(settings, id)
    memory_admin.forget_session(settings, id, traces, wanted=forget)


def export(
    id: Annotated[str, ID],
    form: Annotated[
        str,
        typer.Option(
            "--format", metavar="md|json|csv|html|pdf|docx|bib|ris|csl|zip", help="The format."
        ),
    ] = "",
    parts: Annotated[
        str,
        typer.Option(
            metavar="PART,…",
            help="Parts: answer, sources, evidence, steps, run; or all. Documents to read have "
            "answer,sources if none is named.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file to write; its ending names the format. In a folder, the file is named "
            "after the session's title.",
        ),
    ] = None,
) -> None:
    """Write a session as a document: to standard output, or to a file.

    PDF is printed by Chromium or Chrome; bib, ris and csl are references for the cited pages; zip
    is the whole session, for `forager import`.
    """
    from ui.cli.actions.session_files import export_session
    from ui.cli.options import read_settings

    export_session(read_settings(), id, form, out, parts)


def import_session(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session exported as zip.")],
    own_nodes: Annotated[
        bool, typer.Option("--own-nodes", help="Its graph may use your own node types.")
    ] = False,
) -> None:
    """Import a session that was exported as zip, with its steps and pages.

    It goes on with your own model, and without its approvals and a larger budget.
    """
    from ui.cli.actions import session_files
    from ui.cli.options import read_settings

    session_files.import_session(read_settings(), file, own_nodes=own_nodes)


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A session exported as json or csv.")
    ],
    live: Annotated[
        bool, typer.Option("--live", help="Check the pages as they are now, not as stored.")
    ] = False,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
) -> None:
    """Check that the quotes of an exported session stand word for word in their pages.

    Exit codes: 0 all found, 5 some are not, 2 the file is not an export.
    """
    from ui.cli.actions.session_files import print_verification
    from ui.cli.options import read_settings

    print_verification(read_settings(allow_private or ()), file, live=live)


def steer(
    id: Annotated[str, ID],
    hint: Annotated[str, HINT] = "",
    site: Annotated[list[str] | None, MORE_SITES] = None,
    forbid: Annotated[list[str] | None, FORBID] = None,
    budget: Annotated[str, BUDGET] = "",
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
) -> None:
    """Change what a running session reads, chooses and may spend, without stopping it."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    change = session_control.read_steer(hint, site or (), forbid or (), budget)
    session_control.steer_session(read_settings(allow_private or ()), id, change)


def pause(id: Annotated[str, ID]) -> None:
    """Pause a session that another process runs, after its present step."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.pause_session(read_settings(), id)


def stop(
    id: Annotated[str, ID],
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """End a session with the best answer from what it has."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.stop_session(read_settings(allow_private or ()), id, as_json=as_json)


def approve(id: Annotated[str, ID], request: Annotated[str, REQUEST] = "") -> None:
    """Approve what a session asks for: an action that may change something, or a take-over."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.answer_request(read_settings(), id, request, yes=True)


def refuse(id: Annotated[str, ID], request: Annotated[str, REQUEST] = "") -> None:
    """Refuse what a session asks for."""
    from ui.cli.actions import session_control
    from ui.cli.options import read_settings

    session_control.answer_request(read_settings(), id, request, yes=False)
