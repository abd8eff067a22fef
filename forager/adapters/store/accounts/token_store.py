"""Tokens of accounts; only a digest of each is kept."""

from sqlalchemy import delete, insert, select, update

from forager.accounts import AccountToken
from forager.adapters.store.accounts.account_tables import TOKENS
from forager.adapters.store.database import Database
from forager.errors import NoTokenError
from forager.util.place import Place

VALUES = [column for column in TOKENS.c if column.name != "digest"]
NOTED_SECONDS = 60.0
"""The last use of a token is noted once in this time."""


class TokenStore:
    """The tokens of an installation; safe for threads and for several processes.

    Every method raises StoreError.
    """

    def __init__(self, place: Place) -> None:
        self._tables = Database(place, "accounts")

    def add(self, token: AccountToken, digest: str) -> None:
        """Keep a token by its digest."""
        with self._tables.transaction() as db:
            db.execute(insert(TOKENS), {**token.model_dump(), "digest": digest})

    def list(self, account: str) -> tuple[AccountToken, ...]:
        """The tokens of an account, oldest first."""
        if not self._tables.exists():
            return ()
        query = select(*VALUES).where(TOKENS.c.account == account).order_by(TOKENS.c.created)
        with self._tables.transaction() as db:
            return tuple(AccountToken.model_validate(row) for row in db.execute(query).mappings())

    def find(self, digest: str, now: float) -> AccountToken | None:
        """The token with this digest, unless it has expired; its use is noted."""
        if not self._tables.exists():
            return None
        with self._tables.transaction() as db:
            query = select(*VALUES).where(TOKENS.c.digest == digest)
            row = db.execute(query).mappings().first()
            if row is None:
                return None
            token = AccountToken.model_validate(row)
            if token.expires is not None and token.expires <= now:
                return None
            if token.used is None or now - token.used > NOTED_SECONDS:
                db.execute(update(TOKENS).where(TOKENS.c.id == token.id).values(used=now))
            return token

    def revoke(self, id: str, account: str) -> None:
        """End a token of an account. Raises NoTokenError."""
        own = (TOKENS.c.id == id) & (TOKENS.c.account == account)
        if self._tables.exists():
            with self._tables.transaction() as db:
                if db.execute(delete(TOKENS).where(own)).rowcount:
                    return
        raise NoTokenError(f"There is no token {id!r}.", "forager token list shows all.")
