"""The login of an account with its name and its password."""

import asyncio
import threading
from contextlib import AsyncExitStack
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from forager.accounts import Account
from forager.errors import UsageError
from graphs.system.accounts.accounts import Accounts
from ui.server.access.attempt_limits import AttemptLimits, Source
from ui.server.access.logins import Holder, Logins
from ui.server.access.password_hash import COST, hash_password, matches_hash
from ui.server.access.password_login import (
    TOO_MANY,
    WRONG_PAIR,
    address_of,
    admit_browser,
    known_device,
    log_browser_out,
    login_page,
    read_fields,
)

NOBODY: Final = "$".join(("scrypt", *map(str, COST), bytes(16).hex(), bytes(32).hex()))
"""The hash of no password: an unknown name takes as long as a known one."""


class AccountLogin:
    """The page that asks for name and password, and the cookies of logged-in browsers.

    Guesses are counted by the browser or the address that they come from, and by the account; a
    browser that knew the account's password before is counted by itself.
    """

    def __init__(self, accounts: Accounts, logins: Logins) -> None:
        self._accounts = accounts
        self._logins = logins
        self._limits = AttemptLimits()
        self._account_limits = AttemptLimits()
        self._hashing = asyncio.Lock()
        self._changing = threading.Lock()

    async def login(self, request: Request) -> Response:
        """The page, or the answer to what was typed there."""
        if request.method == "GET":
            return login_page(request, named=True)
        fields = await read_fields(request)
        name, password = fields.get("name", ""), fields.get("password", "")
        account = await asyncio.to_thread(self._find, name)
        line = await asyncio.to_thread(self._accounts.password_of, account.id) if account else ""
        device = known_device(request, line) if line else ""
        sources = [self._limits.source(device, address_of(request))]
        if not device:
            sources.append(self._guesses_at(account, name))
        async with AsyncExitStack() as stack:
            for source in sources:
                await stack.enter_async_context(source.lock)
            return await self._check(request, account, (password, line or NOBODY), sources)

    async def logout(self, request: Request) -> Response:
        """End the login of this browser."""
        return log_browser_out(request, self._logins)

    def change_password(self, account: Account, old: str, new: str) -> None:
        """Change one's own password, which ends all logins; wrong ones count as guesses.

        Raises UsageError for a wrong, a short or no present password, and StoreError.
        """
        source = self._guesses_at(account)
        with self._changing:  # one after the other, or guesses would not be counted
            if source.wait:
                raise UsageError("Too many wrong passwords.", "Try again in some minutes.")
            line = self._accounts.password_of(account.id)
            if not line:
                raise UsageError("This account has no password.", "Log in through the provider.")
            if not matches_hash(old, line):
                source.count_wrong()
                raise UsageError("The present password is wrong.", "Type it once more.")
            source.reset()
            self._accounts.set_password(account.id, hash_password(new))

    def _guesses_at(self, account: Account | None, name: str = "") -> Source:
        """The guesses at one account, however it is named."""
        return self._account_limits.source(account.id if account else name.strip().lower()[:40], "")

    def _find(self, name: str) -> Account | None:
        return self._accounts.with_name(name) or self._accounts.with_email(name)

    async def _check(
        self,
        request: Request,
        account: Account | None,
        typed: tuple[str, str],
        sources: list[Source],
    ) -> Response:
        if wait := max(source.wait for source in sources):
            return login_page(request, 429, TOO_MANY, named=True, seconds=f"{wait:.0f}")
        async with self._hashing:  # each takes 32 MB
            right = await asyncio.to_thread(matches_hash, *typed)
        if not right or account is None or account.disabled:
            for source in sources:
                source.count_wrong()
            return login_page(request, 401, WRONG_PAIR, named=True)
        for source in sources:
            source.reset()
        return admit_browser(request, self._logins, typed[1], Holder(account.id, account.stamp))
