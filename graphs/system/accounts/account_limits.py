"""The limits of an account: what it may still spend this month, applied to every run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from forager.accounts import Account
from forager.adapters.store.sessions.session_records import UNDER_WAY
from forager.domain.spend import Budget
from forager.errors import LimitError
from forager.ports import OFFLINE
from graphs.cluster.session_runs import runs_here
from graphs.runtime.steers import Steer
from graphs.sessions.service import Sessions
from graphs.system.accounts.accounts import Accounts

LEAST_USD = 1e-6
"""The least budget that a question can have."""


@dataclass(frozen=True)
class AccountAllowance:
    """What an account may spend: asked before every call of a model, and told of each after it."""

    accounts: Accounts
    account: str

    def left(self) -> float | None:
        """The US dollars that are left this month, perhaps less than 0; None for no limit.

        Nothing is left for an account that is disabled or removed while it asks.
        """
        found = self.accounts.find(self.account)
        may_ask = found is not None and (found.home or not found.disabled)
        limit = found.usd_per_month if found and may_ask else 0.0
        if limit is None:
            return None
        return limit - self.accounts.spent_this_month().get(self.account, 0.0)

    def pay(self, usd: float) -> None:
        """Book the cost of a call."""
        self.accounts.book(self.account, usd)

    def refuse_spent(self) -> None:
        """Raise LimitError if nothing is left."""
        left = self.left()
        if left is not None and left <= 0:
            raise LimitError(
                "The limit of this account for this month is spent.",
                "It begins anew with the next month (UTC); an admin can raise it.",
            )

    async def limit_budget(self, sessions: Sessions, id: str) -> None:
        """Lower the budget of a session to what is left, if it is larger. Raises LimitError."""
        await asyncio.to_thread(self.refuse_spent)
        left = await asyncio.to_thread(self.left)
        if left is None:
            return
        session, report = await sessions.show_session(id)
        question = session.question
        if session.model == OFFLINE or session.status not in UNDER_WAY:
            return
        most = report.spent.usd + max(left, LEAST_USD)
        if question.budget.usd is None or question.budget.usd > most:
            await sessions.steering.steer(id, Steer(budget=Budget(usd=most)))

    @asynccontextmanager
    async def booking(self, sessions: Sessions, id: str) -> AsyncIterator[None]:
        """Book what a worker of the cluster spends in the body; what runs here books each call."""
        session, before = await sessions.show_session(id)
        try:
            yield
        finally:
            if not runs_here(sessions.context.settings, session.model):
                after = await sessions.show(id)
                spent = max(0.0, after.spent.usd - before.spent.usd)
                await asyncio.to_thread(self.pay, spent)


def refuse_more_at_once(account: Account | None, running: int) -> None:
    """Raise LimitError if an account runs as many sessions as it may."""
    if account is None or account.sessions_at_once is None:
        return
    if running >= account.sessions_at_once:
        raise LimitError(
            f"This account may run {account.sessions_at_once} sessions at once, and does.",
            "Wait until one has ended, or pause it.",
        )
