"""What the commands of accounts and tokens do."""

import math
import sys
import time

import typer
from rich.console import Console

from forager.accounts import Account, Role, Scope
from forager.errors import UsageError
from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from ui.cli.printing.session_lists import print_rows
from ui.server.access.password_hash import hash_password

HEADINGS = ("account", "role", "e-mail", "spent this month", "limits")
TOKEN_HEADINGS = ("id", "for", "scope", "last used", "expires")
NONE = "No accounts: who reaches the server uses it. Add: forager user add NAME --role admin"
NO_LIMIT = "none"


def list_all(settings: Settings) -> None:
    """Print the accounts."""
    accounts = Accounts(settings)
    spent = accounts.spent_this_month()
    rows = [
        (
            each.name,
            f"{each.role} (disabled)" if each.disabled else each.role,
            each.email,
            f"${spent.get(each.id, 0):.2f}",
            _describe_limits(each),
        )
        for each in accounts.list()
    ]
    print_rows(Console(highlight=False), HEADINGS, rows, NONE)


def add(settings: Settings, name: str, role: Role, email: str, *, with_password: bool) -> None:
    """Add an account."""
    password = hash_password(_ask_password()) if with_password else ""
    account = Accounts(settings).add(name, role, email=email, password=password)
    typer.echo(f"Added {account.name}, {account.role}.")
    if account.home:
        typer.echo("What this installation holds is theirs. From now on everybody has to log in.")


def change_role(settings: Settings, name: str, role: Role) -> None:
    """Change a role."""
    accounts = Accounts(settings)
    accounts.set_role(accounts.named(name).id, role)
    typer.echo(f"{name} is {role}.")


def turn(settings: Settings, name: str, *, disabled: bool) -> None:
    """Disable or enable an account."""
    accounts = Accounts(settings)
    accounts.set_disabled(accounts.named(name).id, disabled=disabled)
    typer.echo(f"{name} is {'disabled' if disabled else 'enabled'}.")


def change_password(settings: Settings, name: str) -> None:
    """Set a password."""
    accounts = Accounts(settings)
    account = accounts.named(name)
    accounts.set_password(account.id, hash_password(_ask_password()))
    typer.echo(f"{name} has a new password, and is logged out everywhere.")


def limit(settings: Settings, name: str, usd: str, sessions: str) -> None:
    """Set limits; what is empty stays."""
    accounts = Accounts(settings)
    account = accounts.named(name)
    most = account.usd_per_month if not usd else _read_limit("--usd", usd)
    many = _read_limit("--sessions", sessions) if sessions else account.sessions_at_once
    accounts.set_limits(account.id, most, None if many is None else int(many))
    typer.echo(f"{name}: {_describe_limits(accounts.named(name))}.")


def remove(settings: Settings, name: str, *, asked: bool) -> None:
    """Remove an account, after a question."""
    accounts = Accounts(settings)
    account = accounts.named(name)
    accounts.refuse_removal(account)
    if asked:
        typer.confirm(f"Delete {name} with all sessions, memory and graphs?", abort=True)
    accounts.remove(account.id)
    typer.echo(f"{name} is removed, with all that was stored.")


def create_token(
    settings: Settings, account: str, name: str, scope: Scope, days: float | None
) -> None:
    """Create a token and print its value."""
    accounts = Accounts(settings)
    _, value = accounts.create_token(_owner(accounts, account).id, name, scope, days)
    typer.echo(value)


def list_tokens(settings: Settings, account: str) -> None:
    """Print the tokens of an account."""
    accounts = Accounts(settings)
    rows = [
        (each.id, each.name, each.scope, _moment(each.used), _moment(each.expires))
        for each in accounts.list_tokens(_owner(accounts, account).id)
    ]
    print_rows(Console(highlight=False), TOKEN_HEADINGS, rows, "No tokens.")


def revoke_token(settings: Settings, account: str, id: str) -> None:
    """End a token."""
    accounts = Accounts(settings)
    accounts.revoke_token(_owner(accounts, account).id, id)
    typer.echo(f"The token {id} is revoked.")


def _owner(accounts: Accounts, name: str) -> Account:
    if name:
        return accounts.named(name)
    first = next((each for each in accounts.list() if each.home), None)
    if first is None:
        raise UsageError("There are no accounts.", "Add one: forager user add NAME --role admin")
    return first


def _ask_password() -> str:
    if sys.stdin.isatty():
        password: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return password
    return sys.stdin.readline().rstrip("\r\n")


def _read_limit(option: str, text: str) -> float | None:
    if text == NO_LIMIT:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{option} is {text!r}.", "Write a number, or none.")
    return number


def _describe_limits(account: Account) -> str:
    usd, many = account.usd_per_month, account.sessions_at_once
    limits = [f"${usd:g} a month"] if usd is not None else []
    limits += [f"{many} at once"] if many is not None else []
    return ", ".join(limits) or "no limits"


def _moment(time_: float | None) -> str:
    return "never" if time_ is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(time_))
