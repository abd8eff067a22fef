"""The `forager` command: global options, and the commands in the order of its help."""

import gc
from pathlib import Path
from typing import Annotated

import typer

from forager.util.distribution import installed_version
from ui.cli.commands import (
    account_commands,
    ask_commands,
    database_commands,
    graph_commands,
    memory_commands,
    model_commands,
    server_commands,
    session_commands,
    system_commands,
    tool_commands,
)
from ui.cli.exit_codes import CommandGroup, QuestionCommand

ALLOCATIONS = 10_000
"""After so many, garbage is looked for among the newest objects. What imports make is none: with
Python's own 700, a command spends a tenth of its start on looking through it, now half of that."""
GLOBAL_OPTIONS = frozenset({"--verbose", "-v", "-vv", "--quiet", "-q"})


class RootGroup(CommandGroup):
    """The whole command line; its global options may follow the command, too."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        end = args.index("--") if "--" in args else len(args)
        moved = [word for word in args[:end] if word in GLOBAL_OPTIONS]
        rest = [word for word in args[:end] if word not in GLOBAL_OPTIONS]
        return super().parse_args(ctx, [*moved, *rest, *args[end:]])


app = typer.Typer(
    cls=RootGroup,
    help="Answers questions whose answer is spread over several pages and sites of the web.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"forager {installed_version()}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "--verbose",
            "-v",
            count=True,
            show_default=False,
            help="Log to standard error; twice: in more detail.",
        ),
    ] = 0,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress and no warnings.")
    ] = False,
    env: Annotated[
        Path | None,
        typer.Option(
            "--env", metavar="FILE", help="Read settings from this file, before the command."
        ),
    ] = None,
) -> None:
    """Options of every command."""
    from ui.cli import logs

    gc.set_threshold(ALLOCATIONS)
    if env is not None:
        from forager.settings import load_env_file

        load_env_file(env)
    logs.configure_console(verbose=verbose, quiet=quiet)


app.command(cls=QuestionCommand)(ask_commands.ask)
app.command()(tool_commands.batch)
app.command()(system_commands.ui)
app.command()(tool_commands.mcp)
app.command()(ask_commands.resume)
app.command()(ask_commands.fork)
app.command()(session_commands.steer)
app.command()(session_commands.pause)
app.command()(session_commands.stop)
app.command()(session_commands.approve)
app.command()(session_commands.refuse)
app.command("sessions")(session_commands.list_sessions)
app.command()(session_commands.show)
app.command()(session_commands.history)
app.command()(session_commands.rename)
app.command()(session_commands.export)
app.command()(session_commands.verify)
app.command()(session_commands.delete)
app.command()(session_commands.tag)
app.command()(session_commands.untag)
app.command()(session_commands.pin)
app.command()(session_commands.unpin)
app.command()(session_commands.clean)
app.command("import")(session_commands.import_session)
app.command(cls=QuestionCommand)(ask_commands.search)
app.add_typer(graph_commands.app, name="graph", rich_help_panel=None)
app.add_typer(memory_commands.app, name="memory", rich_help_panel=None)
app.add_typer(memory_commands.recipes_app, name="recipes", rich_help_panel=None)
app.add_typer(server_commands.app, name="tools", rich_help_panel=None)
app.add_typer(model_commands.app, name="model", rich_help_panel=None)
app.add_typer(account_commands.app, name="user", rich_help_panel=None)
app.add_typer(account_commands.token_app, name="token", rich_help_panel=None)
app.add_typer(database_commands.app, name="db", rich_help_panel=None)
app.command(cls=QuestionCommand)(system_commands.demo)
app.command()(system_commands.doctor)
