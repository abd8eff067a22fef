"""The lists of sessions and of recipes, read without what it takes to run a session."""

from contextlib import closing
from typing import NamedTuple

from forager.settings import Settings
from forager.store.lease import held
from forager.store.recipes import KeptRecipe, Recipes
from forager.store.sessions import Session, SessionStore
from graphs.report import Standing

__all__ = ["RECIPES", "KeptRecipe", "Listed", "forget_recipe", "listed", "recipes", "standing"]

RECIPES = "recipes.sqlite"


class Listed(NamedTuple):
    """A session and how it stands."""

    session: Session
    status: Standing


def listed(settings: Settings) -> tuple[Listed, ...]:
    """All sessions of the data folder, newest first. Raises StoreError."""
    path = settings.data / "sessions.sqlite"
    if not path.exists():
        return ()
    with closing(SessionStore(path)) as store:
        return tuple(
            Listed(session, standing(settings, store, session)) for session in store.list()
        )


def standing(settings: Settings, store: SessionStore, session: Session) -> Standing:
    """The session's status; an unfinished one is running, waiting for a person, or interrupted."""
    if session.status != "unfinished":
        return session.status
    if not held(settings.data / "leases", session.id):
        return "interrupted"
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
