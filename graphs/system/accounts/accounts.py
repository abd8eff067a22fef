"""Makes and changes accounts, their tokens, and what they share."""

import asyncio
import hashlib
import re
import secrets
import time
from collections.abc import Callable
from typing import Final

from forager.accounts import Account, AccountToken, Role, Scope, Share, ShareKind
from forager.adapters.store.accounts.account_store import AccountStore, no_account
from forager.adapters.store.accounts.share_store import ShareStore, no_share
from forager.adapters.store.accounts.token_store import TokenStore
from forager.errors import SessionError, UsageError
from forager.settings import Settings
from graphs.learning.admin import open_memory
from graphs.sessions.listing import find_sessions
from graphs.system.accounts.account_spaces import delete_space, prepare_space, space_settings

NAME: Final = re.compile(r"[\w][\w.-]{0,39}")
EMAIL: Final = re.compile(r"[^\s@]+@[^\s@]+")
TOKEN_PREFIX: Final = "fgr_"  # noqa: S105  how a token begins
DAY: Final = 24 * 3600.0
Clock = Callable[[], float]


class Accounts:
    """The accounts of an installation, whose settings are given. Every method raises StoreError."""

    def __init__(self, settings: Settings, clock: Clock = time.time) -> None:
        place = settings.place("accounts")
        self.settings = settings
        self._clock = clock
        self._store = AccountStore(place)
        self._tokens = TokenStore(place)
        self._shares = ShareStore(place)

    @property
    def are_in_file(self) -> bool:
        """Whether they are in a file, not on a database server."""
        return self.settings.database_url is None

    def are_on(self) -> bool:
        """Whether there is an account; else nobody has to log in with one."""
        return self._store.any()

    def list(self) -> tuple[Account, ...]:
        """All accounts by name."""
        return self._store.list()

    def find(self, id: str) -> Account | None:
        """The account with this ID."""
        return self._store.find(id)

    def named(self, name: str) -> Account:
        """The account of this name. Raises NoAccountError."""
        if (found := self._store.find(name.lower(), "name")) is None:
            raise no_account(name)
        return found

    def with_name(self, name: str) -> Account | None:
        """The account of this name, if there is one."""
        return self._store.find(name.strip().lower(), "name")

    def with_email(self, email: str) -> Account | None:
        """The account with this address, if there is one."""
        return self._store.find(email.strip().lower(), "email")

    def add(self, name: str, role: Role, *, email: str = "", password: str = "") -> Account:
        """Add an account; `password` is the hash of one. Raises UsageError."""
        name, email = name.strip().lower(), email.strip().lower()
        if not NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} is not the name of an account.",
                "Use at most 40 letters, digits, dots, underscores and hyphens.",
            )
        if email and not EMAIL.fullmatch(email):
            raise UsageError(f"{email!r} is not an e-mail address.", "Write it as name@host.")
        if not (email or password):
            raise UsageError("Nobody could log in.", "Give a password, or an e-mail address.")
        new = Account(
            id=secrets.token_hex(6), name=name, email=email, role=role, created=self._clock()
        )
        account = self._store.add(new, password)
        prepare_space(self.settings, account)
        return account

    def add_for_email(self, email: str) -> Account:
        """The account of a person whom the settings admit by address, made at the first login."""
        if found := self.with_email(email):
            return found
        stem = re.sub(r"[^\w.-]", "-", email.partition("@")[0].lower())[:30].strip(".-") or "user"
        taken = {each.name for each in self.list()}
        names = (f"{stem}{number or ''}" for number in range(len(taken) + 1))
        return self.add(next(name for name in names if name not in taken), "asker", email=email)

    def set_role(self, id: str, role: Role) -> None:
        """Change the role of an account. Raises NoAccountError, UsageError for the last admin."""
        self._store.change(id, {"role": role})

    def set_disabled(self, id: str, *, disabled: bool) -> None:
        """Disable an account, which ends its logins, or enable it. Raises as `set_role` does."""
        self._store.change(id, {"disabled": int(disabled)}, ends_logins=disabled)

    def set_password(self, id: str, password: str) -> None:
        """Set the hash of a password, which ends all logins of the account."""
        self._store.change(id, {"password": password}, ends_logins=True)

    def set_limits(self, id: str, usd_per_month: float | None, at_once: int | None) -> None:
        """Set the limits of an account; None is no limit. Raises NoAccountError, UsageError."""
        if (usd_per_month is not None and usd_per_month < 0) or (
            at_once is not None and at_once < 1
        ):
            raise UsageError("A limit is too low.", "Use dollars from 0 and sessions from 1.")
        self._store.change(id, {"usd_per_month": usd_per_month, "sessions_at_once": at_once})

    def password_of(self, id: str) -> str:
        """The hash of an account's password; empty if it has none."""
        return self._store.password_of(id)

    def refuse_removal(self, account: Account) -> None:
        """Raise UsageError for the first account."""
        if account.home:
            raise UsageError(
                f"The space of {account.name} is the installation's own.", "Disable the account."
            )

    def remove(self, id: str) -> None:
        """Remove an account with all that it has stored.

        Raises NoAccountError, SessionError while it runs a session, and UsageError for the last
        admin and for the first account, whose space is the installation's own.
        """
        account = self._store.find(id)
        if account is None:
            raise no_account(id)
        self.refuse_removal(account)
        space = space_settings(self.settings, account)
        if find_sessions(space, statuses=("running",)):
            raise SessionError(
                f"{account.name} runs a session.", "Disable the account, and wait for 5 seconds."
            )
        self._store.remove(id)
        if self.settings.chroma_url:
            asyncio.run(_forget_all(space))
        delete_space(self.settings, account)

    # Tokens

    def create_token(
        self, account: str, name: str, scope: Scope, days: float | None = None
    ) -> tuple[AccountToken, str]:
        """A new token, and its value, which is told only once. Raises UsageError."""
        name = " ".join(name.split())
        if not name or len(name) > 80:  # noqa: PLR2004  the length of a line
            raise UsageError("A token needs a name of at most 80 characters.", "Name its use.")
        if days is not None and days <= 0:
            raise UsageError("A token expires after more than 0 days.", "Leave the days out.")
        now = self._clock()
        value = TOKEN_PREFIX + secrets.token_urlsafe(32)
        token = AccountToken(
            id=secrets.token_hex(6),
            account=account,
            name=name,
            scope=scope,
            created=now,
            expires=None if days is None else now + days * DAY,
        )
        self._tokens.add(token, _digest(value))
        return token, value

    def list_tokens(self, account: str) -> tuple[AccountToken, ...]:
        """The tokens of an account."""
        return self._tokens.list(account)

    def revoke_token(self, account: str, id: str) -> None:
        """End a token of an account. Raises NoTokenError."""
        self._tokens.revoke(id, account)

    def find_token(self, value: str) -> AccountToken | None:
        """The token of this value, if it is one that has not ended."""
        if not value.startswith(TOKEN_PREFIX):
            return None
        return self._tokens.find(_digest(value), self._clock())

    # Shares

    def share(self, owner: str, kind: ShareKind, thing: str, recipient: str) -> Share:
        """Share something with the account of a name, or with everyone (empty).

        The caller has looked whether the thing is there. Raises NoAccountError, UsageError.
        """
        who = self.named(recipient).id if recipient else ""
        if who == owner:
            raise UsageError("It is yours already.", "Name somebody else.")
        return self._shares.add(
            Share(
                id=secrets.token_urlsafe(12),
                owner=owner,
                kind=kind,
                thing=thing,
                recipient=who,
                created=self._clock(),
            )
        )

    def shares_given(self, owner: str) -> tuple[Share, ...]:
        """What an account shares."""
        return self._shares.given(owner)

    def shares_received(self, account: str) -> tuple[Share, ...]:
        """What others share with an account; nothing of those that are disabled."""
        able = {each.id for each in self.list() if not each.disabled}
        return tuple(each for each in self._shares.received(account) if each.owner in able)

    def received(self, account: str, id: str, kind: ShareKind) -> Share:
        """A share that an account was given, or gives itself. Raises NoShareError."""
        found = (*self.shares_received(account), *self.shares_given(account))
        for each in found:
            if each.id == id and each.kind == kind:
                return each
        raise no_share(id)

    def end_share(self, owner: str, id: str) -> None:
        """End a share. Raises NoShareError."""
        self._shares.end(id, owner)

    # Spending

    def spent_this_month(self) -> dict[str, float]:
        """What each account has spent this month, in US dollars, by ID."""
        return self._store.spent(month_of(self._clock()))

    def book(self, account: str, usd: float) -> None:
        """Book what an account has just spent."""
        self._store.spend(account, month_of(self._clock()), usd)


def month_of(moment: float) -> str:
    """The month of a moment, in UTC: limits begin anew with the next."""
    return time.strftime("%Y-%m", time.gmtime(moment))


def _digest(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()


async def _forget_all(settings: Settings) -> None:
    async with open_memory(settings) as memory:
        await memory.forget(all=True)
