"""The command line. Each command imports what it needs itself: `--help` is there at once."""

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from ui import graph as graphs
from ui import memory, pages, verbs
from ui.faults import Commands
from ui.flags import (
    ALLOW,
    BASE_URL,
    BRAVE,
    BUDGET,
    GRAPH,
    HEADED,
    ID,
    JSON,
    MODEL,
    RECORD,
    SECRETS,
    SITE,
)

app = typer.Typer(
    cls=Commands,
    help="Answers questions whose answer is spread over several pages and sites of the web.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(graphs.app, name="graph", rich_help_panel=None)
recipes_app = typer.Typer(
    cls=Commands,
    help="List and forget ways through sites that led to an answer before.",
    no_args_is_help=True,
)
app.add_typer(recipes_app, name="recipes", rich_help_panel=None)
app.add_typer(memory.app, name="memory", rich_help_panel=None)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"forager {version('forager')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Options that belong to no command."""


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.")],
    site: Annotated[list[str] | None, SITE] = None,
    graph: Annotated[str, GRAPH] = "forager",
    model: Annotated[list[str] | None, MODEL] = None,
    base_url: Annotated[str, BASE_URL] = "",
    record: Annotated[Path | None, RECORD] = None,
    budget: Annotated[str, BUDGET] = "",
    seed: Annotated[int, typer.Option(metavar="N", help="Seeds every random draw.")] = 0,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="A name for the session; of one that is there, go on."),
    ] = None,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    yes_destructive: Annotated[bool, BRAVE] = False,
    headed: Annotated[bool, HEADED] = False,
    secrets: Annotated[Path | None, SECRETS] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Ask sites, or the web, a question and print the cited answer.

    With the session of an earlier question it is a follow-up: it is understood from what was asked
    before, on the same sites, with the same graph and model, and starts from what was read.

    Exit codes: 0 answered, 3 partial, 4 abstained, 1 failed, 2 bad usage.
    """
    from forager.domain.state import Question
    from ui.options import read_budget, read_settings

    settings = read_settings(allow_private or (), base_url, record, headed=headed, secrets=secrets)
    asked = Question(text=question, sites=tuple(site or ()), budget=read_budget(budget), seed=seed)
    from ui import asking

    if session and asking.is_there(settings, session):
        given = [name for name in asking.SETTLED if asking.given(context, name)]
        asking.follow(settings, session, question, asked.budget if budget else None, given)
        asking.run(settings, session, as_json=as_json, brave=yes_destructive)
        return
    chosen = " ".join(model or []) or settings.model or "offline"
    id = asking.start(settings, asked, graph, chosen, session)
    if session:
        asking.say_new(settings, session)
    asking.run(settings, id, as_json=as_json, brave=yes_destructive)


app.command()(pages.ui)
for _verb in verbs.VERBS:
    app.command()(_verb)
app.command("import")(verbs.import_)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    site: Annotated[str, typer.Option(metavar="ADDRESS", help="One site to search.")] = "",
    provider: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A search provider; repeatable, asked in this order."),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many results.")] = 10,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Search the web, or the pages that were crawled, and print what is found.

    Exit codes: 0 found, 4 nothing found, 1 failed, 2 bad usage.
    """
    from ui import searching
    from ui.options import read_settings

    settings = read_settings(allow_private or ())
    searching.put(searching.find(settings, query, count, site, provider or ()), as_json=as_json)


@app.command()
def sessions(
    search: Annotated[
        str, typer.Option(metavar="WORDS", help="Those with these in title, question or answer.")
    ] = "",
    status: Annotated[
        list[str] | None, typer.Option(metavar="STATUS", help="Those that stand so; repeatable.")
    ] = None,
) -> None:
    """List the sessions, the newest first."""
    from ui.listing import list_sessions
    from ui.options import read_settings

    list_sessions(read_settings(), search, status or ())


@app.command()
def show(id: Annotated[str, ID], as_json: Annotated[bool, JSON] = False) -> None:
    """Print a session's answer, or how far it has come."""
    from ui import asking
    from ui.options import read_settings

    asking.show_session(read_settings(), id, as_json=as_json)


@app.command()
def export(
    id: Annotated[str, ID],
    form: Annotated[
        str, typer.Option("--format", metavar="md|json|csv|html|pdf|zip", help="The format.")
    ] = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write.")] = None,
) -> None:
    """Write a session as a document: to standard output, or to a file whose name tells the format.

    PDF is printed by Chromium or Chrome.
    """
    from ui.exporting import export_session
    from ui.options import read_settings

    export_session(read_settings(), id, form, out)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A session exported as json.")],
    live: Annotated[
        bool, typer.Option("--live", help="Against the pages as they are now, not as stored.")
    ] = False,
    allow_private: Annotated[list[str] | None, ALLOW] = None,
) -> None:
    """Check that the quotes of an exported session stand word for word in their pages.

    Exit codes: 0 all stand, 5 some do not, 2 the file is no export.
    """
    from ui.options import read_settings
    from ui.verifying import verify_file

    verify_file(read_settings(allow_private or ()), file, live=live)


@app.command()
def delete(
    id: Annotated[str, ID],
    forget: Annotated[
        bool | None, typer.Option("--forget/--keep", help="Forget what it taught, or keep it.")
    ] = None,
) -> None:
    """Forget a session; the pages it read stay in the cache."""
    from ui import asking, remembering
    from ui.options import read_settings

    settings = read_settings()
    asking.delete_session(settings, id)
    remembering.forget_session(settings, id, wanted=forget)


@recipes_app.command("list")
def recipes_list() -> None:
    """List the ways that are walked first when a question is asked again."""
    from ui.listing import list_recipes
    from ui.options import read_settings

    list_recipes(read_settings())


@recipes_app.command("delete")
def recipes_delete(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The recipe's number.")],
) -> None:
    """Forget a way; the question is asked afresh the next time."""
    from ui.listing import delete_recipe
    from ui.options import read_settings

    delete_recipe(read_settings(), number)


@app.command()
def demo() -> None:
    """Ask the handbook three questions; needs no network."""
    from ui.demo import run_demo

    run_demo()


@app.command()
def doctor() -> None:
    """Say what was found on this machine and what is missing."""
    from ui.examining import tell_all
    from ui.options import read_settings

    tell_all(read_settings())
