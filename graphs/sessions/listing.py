"""The lists of sessions and of recipes, read without what it takes to run a session."""

import asyncio
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from functools import partial
from typing import NamedTuple, cast

from forager.adapters.store.leases import held
from forager.adapters.store.recipe_store import RECIPES, KeptRecipe, Recipes
from forager.adapters.store.sessions.session_lines import Line
from forager.adapters.store.sessions.session_records import PAUSE, UNDER_WAY, UNFINISHED
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.errors import NoSessionError, UsageError
from forager.settings import Settings
from graphs.reports.report import SessionStatus
from graphs.sessions.context import SessionContext

__all__ = [
    "RECIPES",
    "KeptRecipe",
    "ListedSession",
    "forget_recipe",
    "read_recipes",
    "read_sessions",
    "session_status",
]

IsRunning = Callable[[str], bool]
"""Does a session run now?"""


class ListedSession(NamedTuple):
    """A session and how it stands."""

    session: Session
    status: SessionStatus


class ListedLine(NamedTuple):
    """A session as a line of a list, and how it stands."""

    line: Line
    status: SessionStatus


def read_sessions(settings: Settings) -> tuple[ListedSession, ...]:
    """All sessions of the data folder, newest first. Raises StoreError."""
    path = settings.data / "sessions.sqlite"
    if not path.exists():
        return ()
    runs = running_check(settings)
    with closing(SessionStore(path)) as store:
        return tuple(
            ListedSession(session, session_status(store, runs, session)) for session in store.list()
        )


def find_lines(
    store: SessionStore, runs: IsRunning, text: str = "", statuses: Collection[str] = ()
) -> tuple[ListedLine, ...]:
    """The sessions that say these words in title, question or answer, newest first.

    With statuses, only those that stand so. No checkpoint is read. Raises StoreError.
    """
    found = (ListedLine(line, session_status(store, runs, line)) for line in store.lines.find(text))
    return tuple(each for each in found if not statuses or each.status in statuses)


def find_sessions(
    settings: Settings, text: str = "", statuses: Collection[str] = ()
) -> tuple[ListedLine, ...]:
    """The same of a data folder that may not be there yet. Raises StoreError."""
    path = settings.data / "sessions.sqlite"
    if not path.exists():
        return ()
    with closing(SessionStore(path)) as store:
        return find_lines(store, running_check(settings), text, statuses)


def running_check(settings: Settings) -> IsRunning:
    """What tells of a session whether it runs, here or elsewhere."""
    return partial(held, settings.data / "leases")


def session_status(store: SessionStore, runs: IsRunning, session: Session | Line) -> SessionStatus:
    """The session's status; an unfinished one runs, waits for a person, or was left somehow."""
    if session.status not in UNDER_WAY:
        return cast(SessionStatus, session.status)
    if runs(session.id):
        return "waiting" if store.approvals.waiting(session.thread) else "running"
    with suppress(NoSessionError):
        left = store.get(session.id)  # it may have been left since it was read
        if left.status != UNFINISHED:
            return left.status
        return "paused" if left.asked == PAUSE else "interrupted"
    return "interrupted"


def read_recipes(settings: Settings) -> tuple[KeptRecipe, ...]:
    """All recipes of the data folder, newest first. Raises StoreError."""
    path = settings.data / RECIPES
    if not path.exists():
        return ()
    with closing(Recipes(path)) as kept:
        return kept.list()


def forget_recipe(settings: Settings, number: int) -> None:
    """Raises UsageError when there is no such recipe, and StoreError."""
    with closing(Recipes(settings.data / RECIPES)) as kept:
        kept.forget(number)


MAX_TITLE_CHARACTERS = 200


class SessionList(SessionContext):
    """The verbs of a list of sessions."""

    async def rename(self, id: str, title: str) -> None:
        """Call a session so in lists; without a title, by its question again.

        Raises SessionError when there is none or it is another user's, and UsageError for a title
        that is too long.
        """
        line = " ".join(title.split())
        if len(line) > MAX_TITLE_CHARACTERS:
            raise UsageError(
                f"The title has {len(line):,} characters; at most {MAX_TITLE_CHARACTERS} are kept.",
                "Use fewer words.",
            )
        store = await self._own(id)
        await asyncio.to_thread(store.rename, id, line)

    async def search(
        self, text: str = "", statuses: Collection[str] = ()
    ) -> tuple[ListedLine, ...]:
        """The sessions with all these words in title, question or answer, newest first.

        With statuses, only those that stand so. No checkpoint is read.
        """
        store = await self._sessions()
        return await asyncio.to_thread(find_lines, store, self._runs, text, statuses)
