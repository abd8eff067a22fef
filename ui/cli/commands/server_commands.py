"""The commands of tool servers, whose tools graphs may call."""

from typing import Annotated

import typer

from ui.cli.exit_codes import CommandGroup

NAME = typer.Argument(metavar="NAME", help="The server's name.")

app = typer.Typer(
    cls=CommandGroup,
    help="List, add and remove MCP servers whose tools a graph may call.",
    no_args_is_help=True,
)


@app.command("list")
def list_servers() -> None:
    """List the servers, and the file that names them."""
    from ui.cli.actions import tool_servers
    from ui.cli.options import read_settings

    tool_servers.list_all(read_settings())


@app.command()
def show(name: Annotated[str, NAME]) -> None:
    """Connect to a server and list its tools with their arguments.

    Exit codes: 0 listed, 1 it cannot be reached, 2 there is no such server.
    """
    from ui.cli.actions import tool_servers
    from ui.cli.options import read_settings

    tool_servers.show_tools(read_settings(), name)


@app.command()
def add(
    name: Annotated[str, NAME],
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="The program that is started, with its arguments."),
    ] = None,
    url: Annotated[
        str, typer.Option(metavar="ADDRESS", help="A server that is reached by address instead.")
    ] = "",
    secret: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A variable of the program, or a header of the address; repeatable.",
        ),
    ] = None,
) -> None:
    """Add or replace a server: forager tools add papers -- npx -y papers-mcp."""
    from ui.cli.actions import tool_servers
    from ui.cli.options import read_settings

    tool_servers.add(read_settings(), name, command or (), url, secret or ())


@app.command()
def remove(name: Annotated[str, NAME]) -> None:
    """Remove a server; graphs that name it stay as they are."""
    from ui.cli.actions import tool_servers
    from ui.cli.options import read_settings

    tool_servers.remove(read_settings(), name)
