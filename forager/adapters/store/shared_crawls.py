"""What all processes of an installation share of their crawls: turns of hosts, surveys of sites."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Double,
    MetaData,
    Table,
    Text,
    case,
    cast,
    delete,
    extract,
    func,
    literal,
    select,
)

from forager.adapters.store.database import Database, Result, insert_on, insert_or_replace
from forager.adapters.store.leases import hold_lease
from forager.adapters.store.server import without_schema
from forager.errors import SessionError
from forager.settings import Settings
from forager.util.place import Place

Waits = Callable[[], Awaitable[None]]
TABLES = MetaData()
HOSTS = Table(
    "hosts",
    TABLES,
    Column("host", Text, primary_key=True),
    Column("next", Double, nullable=False),
)
SURVEYS = Table(
    "surveys",
    TABLES,
    Column("site", Text, primary_key=True),
    Column("surveyed", Double, nullable=False),
    Column("body", Text, nullable=False),
)
KEPT_SECONDS = 600.0
"""How long a host is kept that is not asked any more; no pause is that long."""
LOOK_SECONDS = 0.2
"""How often a survey by another process is looked at."""


class StoredCrawls:
    """Safe for threads and for several processes. Every method raises StoreError.

    A damaged file is made anew: what it held is good for minutes.
    """

    def __init__(
        self, place: Place, leases: Place, *, shares_pages: bool, turns: Place | None = None
    ) -> None:
        """`leases` is where it stands who surveys a site; surveys are kept with shared pages.

        `turns` is where the turns of hosts are, if not in the same place.
        """
        self._tables = Database(place, "crawls", pooled=True)
        self._turns = Database(turns, "crawls", pooled=True) if turns else self._tables
        self._leases = leases
        self._shares_pages = shares_pages

    async def take_turn(self, host: str, pause: float) -> float:
        """Take the next turn of a host, a pause before the one after it; the seconds until then."""
        return await asyncio.to_thread(_use, self._turns, lambda db: _take_turn(db, host, pause))

    async def hold_off(self, host: str, seconds: float) -> None:
        """Let nobody ask a host before so many seconds have passed."""
        await asyncio.to_thread(_use, self._turns, lambda db: _hold_off(db, host, seconds))

    @asynccontextmanager
    async def surveying(
        self, site: str, seconds: float | None, waits: Waits
    ) -> AsyncIterator[None]:
        """Nobody else surveys a site in the body, unless another does so for all these seconds.

        `waits` is awaited once if another does.
        """
        lease = f"survey-{blake2b(site.encode(), digest_size=12).hexdigest()}"
        end = None if seconds is None else time.monotonic() + seconds
        with ExitStack() as held:
            told = False
            while not await _try_lease(held, self._leases, lease):
                if not told:
                    await waits()
                told = True
                if end is not None and time.monotonic() >= end:
                    break
                await asyncio.sleep(LOOK_SECONDS)
            yield

    def load_survey(self, site: str, after: float) -> str:
        """The survey of a site that another process has kept after that; empty without one."""
        if not self._shares_pages:
            return ""
        newer = (SURVEYS.c.site == site) & (SURVEYS.c.surveyed > after)
        query = select(SURVEYS.c.body).where(newer)
        return _use(self._tables, lambda db: db.execute(query).scalar()) or ""

    def keep_survey(self, site: str, surveyed: float, make_body: Callable[[], str]) -> None:
        """Keep the survey of a site for others, where they have its pages, too."""
        if self._shares_pages:
            row = {"site": site, "surveyed": surveyed, "body": make_body()}
            _use(self._tables, lambda db: db.execute(insert_or_replace(db, SURVEYS), row))

    def forget(self, is_gone: Callable[[str], bool]) -> None:
        """Forget the hosts and sites of which that is true."""
        for tables, column in ((self._turns, HOSTS.c.host), (self._tables, SURVEYS.c.site)):
            if tables.exists():
                _use(tables, partial(_forget, column=column, is_gone=is_gone))

    def close(self) -> None:
        """Close the files."""
        self._tables.close()
        self._turns.close()


def open_crawls(settings: Settings) -> StoredCrawls:
    """What the processes of the settings' database or data folder share.

    Surveys are shared within the space of an account, turns of hosts by all accounts.
    """
    place = settings.place("crawls")
    several_folders = not isinstance(place, Path)
    return StoredCrawls(
        place,
        settings.leases,
        shares_pages=several_folders and bool(settings.blobs),
        turns=_installation_place(settings, place) if settings.space else None,
    )


def _installation_place(settings: Settings, place: Place) -> Place:
    """The place of the installation in which the space of these settings is."""
    if isinstance(place, Path):
        return settings.data.parents[len(PurePath(settings.space).parts) - 1] / place.name
    return without_schema(place)


def _use(tables: Database, work: Callable[[Connection], Result]) -> Result:
    return tables.mended(lambda: tables.run(work, ()))


async def _try_lease(held: ExitStack, leases: Place, lease: str) -> bool:
    """Hold a lease if nobody does; one that is taken as the call is cancelled is given back."""
    taking = asyncio.create_task(
        asyncio.to_thread(held.enter_context, hold_lease(leases, lease, attempts=1))
    )
    try:
        await asyncio.shield(taking)
    except SessionError:
        return False
    except asyncio.CancelledError:
        await asyncio.wait([taking])
        raise
    return True


def _take_turn(db: Connection, host: str, pause: float) -> float:
    now = _now(db)
    own = insert_on(db, HOSTS).values(host=host, next=now + pause)
    taken = own.on_conflict_do_update(
        index_elements=[HOSTS.c.host], set_={"next": _later(HOSTS.c.next, now) + pause}
    ).returning(HOSTS.c.next - pause - now)
    wait = float(db.execute(taken).scalar_one())
    if wait <= 0:  # the host was not asked for a while: a time to look at others
        db.execute(delete(HOSTS).where(HOSTS.c.next < now - KEPT_SECONDS))
    return wait


def _hold_off(db: Connection, host: str, seconds: float) -> None:
    until = _now(db) + seconds
    own = insert_on(db, HOSTS).values(host=host, next=until)
    later = {"next": _later(HOSTS.c.next, until)}
    db.execute(own.on_conflict_do_update(index_elements=[HOSTS.c.host], set_=later))


def _forget(db: Connection, column: Column[str], is_gone: Callable[[str], bool]) -> None:
    gone = [name for name in db.execute(select(column)).scalars() if is_gone(name)]
    db.execute(delete(column.table).where(column.in_(gone)))


def _now(db: Connection) -> ColumnElement[float]:
    """Seconds since the epoch by one clock: that of the server, or of this machine."""
    if db.dialect.name == "postgresql":
        return cast(extract("epoch", func.clock_timestamp()), Double)
    return literal(time.time())


def _later(one: ColumnElement[Any], other: ColumnElement[Any]) -> ColumnElement[Any]:
    return case((one > other, one), else_=other)
