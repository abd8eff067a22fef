"""The API of accounts and tokens."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path

from forager.accounts import SCOPES, Account, level_of
from forager.errors import NoAccountError, RoleError
from graphs.system.accounts.accounts import Accounts
from ui.server.access.account_visitors import AccountVisitors, Asker
from ui.server.access.password_hash import hash_password
from ui.server.api.api_errors import describe_errors
from ui.server.api.json_body import ApiRoute
from ui.server.backend import get_installation, known_asker
from ui.server.people.account_bodies import (
    AccountChange,
    AccountLine,
    AccountRef,
    MadeToken,
    NewAccount,
    NewToken,
    PasswordChange,
    TokenLine,
    TokenRef,
)

AccountName = Annotated[str, Path(description="The account's name.", examples=["ada"])]
TokenId = Annotated[str, Path(description="The token's id.", examples=["0c1f9e3ab2d4"])]
router = APIRouter(prefix="/api", tags=["accounts"], route_class=ApiRoute)


def find_people() -> AccountVisitors:
    """Those who have accounts. Raises NoAccountError where there are none."""
    if (people := get_installation().people) is None:
        raise NoAccountError(
            "This installation has no accounts.", "Make one: forager user add NAME --role admin."
        )
    return people


def whoever_asks() -> tuple[Accounts, Asker]:
    """The accounts, and who asks. Raises NoAccountError and RoleError."""
    return find_people().accounts, known_asker()


@router.get("/accounts", summary="List accounts", responses=describe_errors(404, 500))
async def list_accounts() -> list[AccountLine]:
    """All accounts with their limits, and what each has spent this month."""
    accounts, _ = whoever_asks()
    return await asyncio.to_thread(lambda: [_line(accounts, each) for each in accounts.list()])


@router.post(
    "/accounts",
    status_code=201,
    summary="Add an account",
    responses=describe_errors(400, 404, 413, 422, 500),
)
async def add_account(new: NewAccount) -> AccountLine:
    """Add an account with a space of its own."""
    accounts, _ = whoever_asks()

    def add() -> AccountLine:
        password = hash_password(new.password) if new.password else ""
        made = accounts.add(new.name, new.role, email=new.email, password=password)
        return _line(accounts, made)

    return await asyncio.to_thread(add)


@router.patch(
    "/accounts/{name}",
    summary="Change an account",
    responses=describe_errors(400, 404, 413, 422, 500),
)
async def change_account(name: AccountName, change: AccountChange) -> AccountLine:
    """Change role, password and limits of an account, or disable it; that counts at once."""
    accounts, _ = whoever_asks()
    return await asyncio.to_thread(lambda: _line(accounts, apply_change(accounts, name, change)))


@router.delete(
    "/accounts/{name}", summary="Remove an account", responses=describe_errors(400, 404, 409)
)
async def remove_account(name: AccountName) -> AccountRef:
    """Remove an account with all that it has stored, for good."""
    accounts, _ = whoever_asks()
    await asyncio.to_thread(remove_with_space, accounts, name)
    return AccountRef(name=name)


@router.get("/account", summary="Show one's own account", responses=describe_errors(404, 500))
async def show_own_account() -> AccountLine:
    """The account of whoever asks."""
    accounts, asker = whoever_asks()
    return await asyncio.to_thread(_line, accounts, asker.account)


@router.put(
    "/account/password",
    summary="Change one's own password",
    responses=describe_errors(400, 404, 413, 422, 500),
)
async def change_own_password(change: PasswordChange) -> AccountRef:
    """Change the password, which ends all logins of the account; its tokens stay."""
    people, asker = find_people(), known_asker()
    _refuse_token(asker)
    login = people.login.change_password
    await asyncio.to_thread(login, asker.account, change.old, change.new)
    return AccountRef(name=asker.account.name)


@router.get("/tokens", summary="List tokens", responses=describe_errors(404, 500))
async def list_tokens() -> list[TokenLine]:
    """One's own tokens, without their values."""
    accounts, asker = whoever_asks()
    found = await asyncio.to_thread(accounts.list_tokens, asker.account.id)
    return [TokenLine.model_validate(each.model_dump(exclude={"account"})) for each in found]


@router.post(
    "/tokens",
    status_code=201,
    summary="Create a token",
    responses=describe_errors(400, 404, 413, 422, 500),
)
async def create_token(new: NewToken) -> MadeToken:
    """A token for programs, which may do no more than its account. A token makes no other one."""
    accounts, asker = whoever_asks()
    _refuse_token(asker)
    if SCOPES.index(new.scope) > level_of(asker.role):
        raise RoleError(
            f"A token of the scope {new.scope} may do more than you.", "Name a narrower scope."
        )
    args = asker.account.id, new.name, new.scope, new.days
    token, value = await asyncio.to_thread(accounts.create_token, *args)
    return MadeToken.model_validate({**token.model_dump(exclude={"account"}), "token": value})


@router.delete("/tokens/{id}", summary="Revoke a token", responses=describe_errors(404, 500))
async def revoke_token(id: TokenId) -> TokenRef:
    """End one of one's own tokens. A token ends itself alone."""
    accounts, asker = whoever_asks()
    if asker.token != id:
        _refuse_token(asker)
    await asyncio.to_thread(accounts.revoke_token, asker.account.id, id)
    return TokenRef(id=id)


def apply_change(accounts: Accounts, name: str, change: AccountChange) -> Account:
    """Change an account as asked. Raises NoAccountError, UsageError and StoreError."""
    id, given = accounts.named(name).id, change.model_fields_set
    password = hash_password(change.password) if change.password is not None else ""
    if change.role is not None:
        accounts.set_role(id, change.role)
    if password:
        accounts.set_password(id, password)
    now = accounts.named(name)
    if given & {"usd_per_month", "sessions_at_once"}:
        usd = change.usd_per_month if "usd_per_month" in given else now.usd_per_month
        many = change.sessions_at_once if "sessions_at_once" in given else now.sessions_at_once
        accounts.set_limits(id, usd, many)
    if change.disabled is not None:
        accounts.set_disabled(id, disabled=change.disabled)
        if change.disabled:
            get_installation().close_space(id)
    return accounts.named(name)


def remove_with_space(accounts: Accounts, name: str) -> None:
    """Remove an account with its space. Raises NoAccountError, UsageError and StoreError."""
    account = accounts.named(name)
    accounts.refuse_removal(account)
    accounts.set_disabled(account.id, disabled=True)
    get_installation().close_space(account.id)
    accounts.remove(account.id)


def _refuse_token(asker: Asker) -> None:
    """What a token made or changed would outlive it."""
    if asker.token:
        raise RoleError("A token may not do this.", "Log in, or use forager in a terminal.")


def _line(accounts: Accounts, account: Account) -> AccountLine:
    spent = round(accounts.spent_this_month().get(account.id, 0.0), 6)
    return AccountLine(spent=spent, **account.model_dump(exclude={"id", "home", "stamp"}))
