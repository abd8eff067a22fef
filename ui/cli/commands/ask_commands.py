"""The commands that search, or run a question."""

from pathlib import Path
from typing import Annotated

import typer

from forager.text.unicode import escape_json
from ui.cli.flags import (
    ALLOW_PRIVATE,
    BASE_URL,
    BUDGET,
    FORBID,
    GRAPH,
    HEADED,
    HINT,
    ID,
    JSON,
    MODEL,
    MORE_SITES,
    QUESTION,
    RECORD,
    SECRETS,
    SEED,
    SET,
    SITE,
    YES_DESTRUCTIVE,
)


def ask(
    context: typer.Context,
    question: Annotated[str, QUESTION],
    site: Annotated[list[str] | None, SITE] = None,
    graph: Annotated[str, GRAPH] = "forager",
    set: Annotated[list[str] | None, SET] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    record: Annotated[Path | None, RECORD] = None,
    budget: Annotated[str, BUDGET] = "",
    seed: Annotated[int, SEED] = 0,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Name a new session, or continue an existing one."),
    ] = None,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    yes_destructive: Annotated[bool, YES_DESTRUCTIVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask sites, or the web, a question and print the cited answer.

    With the id of an existing session, the question is a follow-up: it is understood from the
    earlier questions and answers, uses the same sites, graph and model, and starts from what was
    read.

    Exit codes: 0 answered, 3 partial, 4 abstained, 1 failed, 2 bad usage.
    """
    from forager.domain.state import Question
    from ui.cli.actions import session_run
    from ui.cli.options import choose_model, read_budget, read_settings, read_values

    settings = read_settings(allow_private or (), base_url, record, headed=headed, secrets=secrets)
    line, values = choose_model(model, settings), read_values(set or ())
    asked = Question(text=question, sites=tuple(site or ()), budget=read_budget(budget), seed=seed)
    if session and session_run.session_exists(settings, session):
        given = [
            name
            for name in session_run.FIXED_OPTIONS
            if session_run.is_on_command_line(context, name)
        ]
        options = session_run.FollowUpOptions(asked, graph, line, values, given)
        session_run.add_follow_up(settings, session, options, asked.budget if budget else None)
        session_run.run_session(settings, session, as_json=as_json, approve_all=yes_destructive)
        return
    id = session_run.create_session(settings, asked, graph, line, session, values)
    if session:
        session_run.warn_of_similar_id(settings, session)
    session_run.run_session(settings, id, as_json=as_json, approve_all=yes_destructive)


def resume(
    id: Annotated[str, ID],
    step: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Go back to this step first: forager history ID."),
    ] = None,
    set_aside: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Read on without this quote, such as e1; repeatable."),
    ] = None,
    budget: Annotated[str, BUDGET] = "",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    record: Annotated[Path | None, RECORD] = None,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    yes_destructive: Annotated[bool, YES_DESTRUCTIVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Resume a session, with another model if one is named.

    With --step N, go back to that step first. With a larger --budget, continue from where the
    budget ran out. With --set-aside, look further: the quotes named do not answer.
    """
    from ui.cli.actions import session_control, session_run
    from ui.cli.options import read_settings

    settings = read_settings(allow_private or (), base_url, record, headed=headed, secrets=secrets)
    if step is not None or budget or set_aside:
        session_control.continue_from_step(settings, id, step, budget, set_aside or ())
    session_run.change_model(settings, id, " ".join(model or []), base_url)
    session_run.run_session(settings, id, as_json=as_json, approve_all=yes_destructive)


def fork(
    id: Annotated[str, ID],
    step: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The step to continue from.")
    ] = None,
    hint: Annotated[str, HINT] = "",
    site: Annotated[list[str] | None, MORE_SITES] = None,
    forbid: Annotated[list[str] | None, FORBID] = None,
    budget: Annotated[str, BUDGET] = "",
    graph: Annotated[str, GRAPH] = "",
    map: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OLD=NEW",
            help="Continue at node NEW of --graph instead of node OLD; repeatable.",
        ),
    ] = None,
    set: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=JSON",
            help="Change a key of the state by hand, such as evidence=[]; repeatable.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="The id of the new session.")
    ] = None,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    yes_destructive: Annotated[bool, YES_DESTRUCTIVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Continue from a step of a session in a new one; the old one stays as it is.

    In another graph, it continues at the node of the same name, or at the one that --map names.
    With --set, its state is another one there, which the fork says.
    """
    from ui.cli.actions import session_control, session_run
    from ui.cli.options import read_settings

    settings = read_settings(allow_private or (), base_url, headed=headed, secrets=secrets)
    change = session_control.read_steer(hint, site or (), forbid or (), budget)
    made = session_control.fork_session(
        settings,
        id,
        step,
        change,
        graph=graph,
        mapping=session_control.read_node_mapping(map or ()),
        values=session_control.read_state_values(set or ()),
        model=" ".join(model or []),
        base_url=base_url,
        new=session,
    )
    session_run.run_session(settings, made, as_json=as_json, approve_all=yes_destructive)


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to search for.")],
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="Search only this site.")] = "",
    provider: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A search provider; repeatable, tried in this order."),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many results.")] = 10,
    allow_private: Annotated[list[str] | None, ALLOW_PRIVATE] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Search the web, or the pages that were crawled, and print the results.

    Exit codes: 0 found, 4 nothing found, 1 failed, 2 bad usage.
    """
    import asyncio

    from forager.errors import UsageError
    from graphs.system.search import search_web
    from ui.cli.exit_codes import NOTHING_FOUND
    from ui.cli.logs import log_to_file
    from ui.cli.options import read_settings
    from ui.cli.printing.search_results import print_results

    if not query.strip():
        raise UsageError("There is nothing to search for.", "Write some words.")
    settings = read_settings(allow_private or ())
    log_to_file(settings)
    found = asyncio.run(search_web(settings, query, count, site, provider or ()))
    if as_json:
        typer.echo(escape_json(found.model_dump_json(indent=2)))
    else:
        print_results(found)
    if not found.results:
        raise typer.Exit(NOTHING_FOUND)
