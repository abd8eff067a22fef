"""Accounts with their password hashes, and what each has spent in a month."""

from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from forager.accounts import Account
from forager.adapters.store.accounts.account_tables import ACCOUNTS, SHARES, SPENDING, TOKENS
from forager.adapters.store.database import Database
from forager.errors import NoAccountError, UsageError
from forager.util.place import Place

VALUES = [column for column in ACCOUNTS.c if column.name != "password"]


class AccountStore:
    """The accounts of an installation; safe for threads and for several processes.

    The first account creates the file. Every method raises StoreError.
    """

    def __init__(self, place: Place) -> None:
        self.tables = Database(place, "accounts")

    def any(self) -> bool:
        """Whether there is an account."""
        if not self.tables.exists():
            return False
        with self.tables.transaction() as db:
            return db.execute(select(ACCOUNTS.c.id).limit(1)).first() is not None

    def list(self) -> tuple[Account, ...]:
        """All accounts by name."""
        if not self.tables.exists():
            return ()
        with self.tables.transaction() as db:
            rows = db.execute(select(*VALUES).order_by(ACCOUNTS.c.name)).mappings()
            return tuple(map(_account, rows))

    def find(self, value: str, by: str = "id") -> Account | None:
        """The account with this `id`, `name` or `email`."""
        if not value or not self.tables.exists():
            return None
        with self.tables.transaction() as db:
            row = db.execute(select(*VALUES).where(ACCOUNTS.c[by] == value)).mappings().first()
            return _account(row) if row else None

    def password_of(self, id: str) -> str:
        """The hash of an account's password; empty if it has none."""
        with self.tables.transaction() as db:
            found = db.execute(select(ACCOUNTS.c.password).where(ACCOUNTS.c.id == id)).scalar()
            return found or ""

    def add(self, account: Account, password: str) -> Account:
        """Add an account; the first one has the installation's own space.

        Raises UsageError for a name or an address that is taken, and if the first is no admin.
        """
        with self.tables.transaction(alone="accounts") as db:
            first = db.execute(select(ACCOUNTS.c.id).limit(1)).first() is None
            if first and account.role != "admin":
                raise UsageError("The first account has to be an admin.", "Use --role admin.")
            added = account.model_copy(update={"home": first})
            values = {**_values(added), "password": password or None}
            try:
                db.execute(insert(ACCOUNTS).values(values))
            except IntegrityError as error:
                raise UsageError(
                    f"There is an account with the name {account.name} or that address already.",
                    "Choose another one.",
                ) from error
        return added

    def change(self, id: str, values: dict[str, Any], *, ends_logins: bool = False) -> None:
        """Change columns of an account. Raises NoAccountError, and UsageError for the last admin.

        `ends_logins` ends what is logged in.
        """
        with self.tables.transaction(alone="accounts") as db:
            change = values | ({"stamp": ACCOUNTS.c.stamp + 1} if ends_logins else {})
            done = db.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == id).values(change))
            if not done.rowcount:
                raise no_account(id)
            _keep_an_admin(db)

    def remove(self, id: str) -> None:
        """Remove an account with its tokens, shares and spending.

        Raises NoAccountError, and UsageError for the last admin.
        """
        with self.tables.transaction(alone="accounts") as db:
            if not db.execute(delete(ACCOUNTS).where(ACCOUNTS.c.id == id)).rowcount:
                raise no_account(id)
            _keep_an_admin(db)
            own = (SHARES.c.owner == id) | (SHARES.c.recipient == id)
            db.execute(delete(SHARES).where(own))
            for table in (TOKENS, SPENDING):
                db.execute(delete(table).where(table.c.account == id))

    def spend(self, account: str, month: str, usd: float) -> None:
        """Book US dollars of a month."""
        own = (SPENDING.c.account == account) & (SPENDING.c.month == month)
        with self.tables.transaction(alone="spending") as db:
            more = update(SPENDING).where(own).values(usd=SPENDING.c.usd + usd)
            if not db.execute(more).rowcount:
                db.execute(insert(SPENDING), {"account": account, "month": month, "usd": usd})

    def spent(self, month: str) -> dict[str, float]:
        """The US dollars of a month by account."""
        if not self.tables.exists():
            return {}
        query = select(SPENDING.c.account, SPENDING.c.usd).where(SPENDING.c.month == month)
        with self.tables.transaction() as db:
            return {str(account): float(usd) for account, usd in db.execute(query)}


def no_account(name: str) -> NoAccountError:
    """The error for a name or an ID that no account has."""
    return NoAccountError(f"There is no account {name!r}.", "forager user list shows all.")


def _keep_an_admin(db: Connection) -> None:
    admins = (ACCOUNTS.c.role == "admin") & (ACCOUNTS.c.disabled == 0)
    if db.execute(select(ACCOUNTS.c.id).where(admins).limit(1)).first() is None:
        raise UsageError(
            "This is the only admin who can log in.", "Make another account an admin first."
        )


def _account(row: RowMapping) -> Account:
    flags = {name: bool(row[name]) for name in ("disabled", "home")}
    return Account.model_validate({**row, **flags, "email": row["email"] or ""})


def _values(account: Account) -> dict[str, Any]:
    values = account.model_dump()
    flags = {name: int(values[name]) for name in ("disabled", "home")}
    return {**values, **flags, "email": account.email or None}
