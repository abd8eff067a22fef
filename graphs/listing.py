"""The lists of sessions and of recipes, read without what it takes to run a session."""

from collections.abc import Collection
from contextlib import closing
from typing import NamedTuple

from forager.settings import Settings
from forager.store.lease import held
from forager.store.lines import Line
from forager.store.recipes import KeptRecipe, Recipes
from forager.store.records import PAUSE
from forager.store.sessions import Session, SessionStore
from graphs.report import Standing

__all__ = ["RECIPES", "KeptRecipe", "Listed", "forget_recipe", "listed", "recipes", "standing"]

RECIPES = "recipes.sqlite"


class Listed(NamedTuple):
    """A session and how it stands."""

    session: Session
    status: Standing


class Lined(NamedTuple):
    """A session as a line of a list, and how it stands."""

    line: Line
    status: str


def listed(settings: Settings) -> tuple[Listed, ...]:
    """All sessions of the data folder, newest first. Raises StoreError."""
    path = settings.data / "sessions.sqlite"
    if not path.exists():
        return ()
    with closing(SessionStore(path)) as store:
        return tuple(
            Listed(session, standing(settings, store, session)) for session in store.list()
        )


def lines(
    settings: Settings, store: SessionStore, text: str = "", statuses: Collection[str] = ()
) -> tuple[Lined, ...]:
    """The sessions that say these words in title, question or answer, newest first.

    With statuses, only those that stand so. No checkpoint is read. Raises StoreError.
    """
    found = (Lined(line, _standing(settings, store, line)) for line in store.lines.find(text))
    return tuple(each for each in found if not statuses or each.status in statuses)


def found(settings: Settings, text: str = "", statuses: Collection[str] = ()) -> tuple[Lined, ...]:
    """The same of a data folder that may not be there yet. Raises StoreError."""
    path = settings.data / "sessions.sqlite"
    if not path.exists():
        return ()
    with closing(SessionStore(path)) as store:
        return lines(settings, store, text, statuses)


def _standing(settings: Settings, store: SessionStore, line: Line) -> str:
    if line.status != "unfinished":
        return line.status
    return _under_way(settings, store, line)


def standing(settings: Settings, store: SessionStore, session: Session) -> Standing:
    """The session's status; an unfinished one runs, waits for a person, or was left somehow."""
    if session.status != "unfinished":
        return session.status
    return _under_way(settings, store, session)


def _under_way(settings: Settings, store: SessionStore, session: Session | Line) -> Standing:
    if not held(settings.data / "leases", session.id):
        return "paused" if session.asked == PAUSE else "interrupted"
    return "waiting" if store.pleas.waiting(session.thread) else "running"


def recipes(settings: Settings) -> tuple[KeptRecipe, ...]:
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
