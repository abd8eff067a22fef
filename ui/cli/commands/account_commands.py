"""The commands of accounts and their tokens."""

from typing import Annotated, Literal

import typer

from ui.cli.exit_codes import CommandGroup

RoleName = Literal["viewer", "asker", "editor", "admin"]
ScopeName = Literal["read", "ask", "edit", "admin"]
NAME = typer.Argument(metavar="NAME", help="The account's name.")
OWNER = typer.Option("--account", metavar="NAME", help="Whose token; by default the first account.")

app = typer.Typer(
    cls=CommandGroup,
    help="List, add and change the accounts of this installation.",
    no_args_is_help=True,
)
token_app = typer.Typer(
    cls=CommandGroup,
    help="Create, list and revoke the tokens by which programs use an account.",
    no_args_is_help=True,
)


@app.command("list")
def list_accounts() -> None:
    """List the accounts with roles, limits, and what each has spent this month."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.list_all(read_settings())


@app.command()
def add(
    name: Annotated[str, NAME],
    role: Annotated[RoleName, typer.Option(help="What it may do; each includes those before it.")],
    email: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address a login provider vouches for.")
    ] = "",
    no_password: Annotated[
        bool, typer.Option("--no-password", help="It logs in through a provider alone.")
    ] = False,
) -> None:
    """Add an account; from the first one on, everybody has to log in.

    The password is asked for twice, or read from standard input where that is no terminal.
    """
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.add(read_settings(), name, role, email, with_password=not no_password)


@app.command("role")
def set_role(
    name: Annotated[str, NAME],
    role: Annotated[RoleName, typer.Argument(metavar="ROLE", help="Its new role.")],
) -> None:
    """Change the role of an account, which counts at once."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.change_role(read_settings(), name, role)


@app.command()
def disable(name: Annotated[str, NAME]) -> None:
    """Disable an account: its logins and tokens end, what it has stored stays."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.turn(read_settings(), name, disabled=True)


@app.command()
def enable(name: Annotated[str, NAME]) -> None:
    """Enable an account that was disabled."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.turn(read_settings(), name, disabled=False)


@app.command("password")
def set_password(name: Annotated[str, NAME]) -> None:
    """Set the password of an account, which ends its logins; its tokens stay."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.change_password(read_settings(), name)


@app.command("limit")
def set_limits(
    name: Annotated[str, NAME],
    usd: Annotated[
        str, typer.Option(metavar="DOLLARS", help="The most US dollars in a month, or none.")
    ] = "",
    sessions: Annotated[
        str, typer.Option(metavar="N", help="The most sessions that run at once, or none.")
    ] = "",
) -> None:
    """Limit what an account may spend in a month, and how many sessions it may run at once."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.limit(read_settings(), name, usd, sessions)


@app.command()
def remove(
    name: Annotated[str, NAME],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove an account with all that it has stored, for good."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.remove(read_settings(), name, asked=not yes)


@token_app.command("create")
def create_token(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the token is for.")],
    scope: Annotated[ScopeName, typer.Option(help="What it may do; each includes those before.")],
    account: Annotated[str, OWNER] = "",
    days: Annotated[
        float | None, typer.Option(metavar="N", help="After so many days it expires.")
    ] = None,
) -> None:
    """Create a token and print its value, which is told only once."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.create_token(read_settings(), account, name, scope, days)


@token_app.command("list")
def list_tokens(account: Annotated[str, OWNER] = "") -> None:
    """List the tokens of an account."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.list_tokens(read_settings(), account)


@token_app.command("revoke")
def revoke_token(
    id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as `list` shows it.")],
    account: Annotated[str, OWNER] = "",
) -> None:
    """End a token at once."""
    from ui.cli.actions import account_admin
    from ui.cli.options import read_settings

    account_admin.revoke_token(read_settings(), account, id)
