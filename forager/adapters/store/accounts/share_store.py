"""What accounts share with each other."""

from sqlalchemy import ColumnElement, delete, insert, select

from forager.accounts import Share
from forager.adapters.store.accounts.account_tables import SHARES
from forager.adapters.store.database import Database
from forager.errors import NoShareError
from forager.util.place import Place


class ShareStore:
    """The shares of an installation; safe for threads and for several processes.

    Every method raises StoreError.
    """

    def __init__(self, place: Place) -> None:
        self._tables = Database(place, "accounts")

    def add(self, share: Share) -> Share:
        """Share something; the same share again is the one that is there."""
        same = (
            (SHARES.c.owner == share.owner)
            & (SHARES.c.kind == share.kind)
            & (SHARES.c.thing == share.thing)
            & (SHARES.c.recipient == share.recipient)
        )
        with self._tables.transaction(alone="shares") as db:
            row = db.execute(select(SHARES).where(same)).mappings().first()
            if row is not None:
                return Share.model_validate(row)
            db.execute(insert(SHARES), share.model_dump())
        return share

    def given(self, owner: str) -> tuple[Share, ...]:
        """What an account shares, newest first."""
        return self._list(SHARES.c.owner == owner)

    def received(self, account: str) -> tuple[Share, ...]:
        """What others share with an account or with everyone, newest first."""
        for_them = (SHARES.c.recipient == account) | (SHARES.c.recipient == "")
        return self._list(for_them & (SHARES.c.owner != account))

    def end(self, id: str, owner: str) -> None:
        """End a share of an account. Raises NoShareError."""
        own = (SHARES.c.id == id) & (SHARES.c.owner == owner)
        if self._tables.exists():
            with self._tables.transaction() as db:
                if db.execute(delete(SHARES).where(own)).rowcount:
                    return
        raise no_share(id)

    def _list(self, condition: ColumnElement[bool]) -> tuple[Share, ...]:
        if not self._tables.exists():
            return ()
        query = select(SHARES).where(condition).order_by(SHARES.c.created.desc())
        with self._tables.transaction() as db:
            return tuple(Share.model_validate(row) for row in db.execute(query).mappings())


def no_share(id: str) -> NoShareError:
    """The error for a share that is not there, or that somebody else was given."""
    return NoShareError(f"There is no share {id!r}.", "Ask the person who shared it.")
