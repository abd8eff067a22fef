"""Paths that led to an answer before, by question and site."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from pydantic import TypeAdapter
from sqlalchemy import (
    Column,
    Connection,
    Double,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    delete,
    insert,
    select,
)

from forager.adapters.store.database import Database
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.experience import Recipe
from forager.domain.urls import site_host
from forager.errors import NoRecipeError
from forager.util.place import Place

TABLES = MetaData()
RECIPES = Table(
    "recipes",
    TABLES,
    Column("id", Integer, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("asked", "host", "question")),
    *(Column(name, Text, nullable=False) for name in ("site", "actions")),
    Column("kept", Double, nullable=False),
    UniqueConstraint("asked", "host"),
)
ACTIONS = TypeAdapter(tuple[Action, ...])
Result = TypeVar("Result")
END_MARKS = " \t?!.。？！"


class KeptRecipe(Frozen):
    """A recipe with its number; `kept` is when it was stored, in seconds since the epoch."""

    id: int
    kept: float
    recipe: Recipe


class Recipes:
    """The Recipes port; safe for threads and for several processes.

    A damaged file is made anew: recipes are learned again.
    """

    def __init__(self, place: Place) -> None:
        """Raises StoreError."""
        self._lock = threading.Lock()
        self._tables = Database(place, "recipes", pooled=True)
        self._tables.mended(self._tables.prepare)

    async def find(self, question: str, site: str) -> Recipe | None:
        """The recipe of a question (spacing and case do not matter) on a site, or None.

        Raises StoreError.
        """
        return await asyncio.to_thread(self._find_recipe, question, site)

    async def keep(self, recipe: Recipe) -> None:
        """Store a recipe; it replaces one of the same question and site. Raises StoreError."""
        await asyncio.to_thread(self._keep_recipe, recipe)

    def list(self) -> tuple[KeptRecipe, ...]:
        """All recipes, newest first. Raises StoreError."""
        query = select(RECIPES).order_by(RECIPES.c.kept.desc(), RECIPES.c.id.desc())
        rows = self._use_tables(lambda db: db.execute(query).all())
        return tuple(
            KeptRecipe(
                id=row.id, kept=row.kept, recipe=_make_recipe(row.question, row.site, row.actions)
            )
            for row in rows
        )

    def forget(self, id: int) -> None:
        """Delete a recipe. Raises NoRecipeError if there is no such recipe, and StoreError."""
        own = delete(RECIPES).where(RECIPES.c.id == id)
        deleted = self._use_tables(lambda db: db.execute(own).rowcount)
        if not deleted:
            raise NoRecipeError(f"There is no recipe {id}.", "See `forager recipes list`.")

    def forget_traces(self, questions: Iterable[str], hosts: Iterable[str]) -> None:
        """Delete the recipes of these questions, and of these hosts (`HOST:PORT`).

        Raises StoreError.
        """
        keys, names = [_question_key(question) for question in questions], list(hosts)

        def forget(db: Connection) -> None:
            for key in keys:
                db.execute(delete(RECIPES).where(RECIPES.c.asked == key))
            for name in names:
                db.execute(delete(RECIPES).where(RECIPES.c.host == name))

        self._use_tables(forget)

    def close(self) -> None:
        """Close the file."""
        self._tables.close()

    def _find_recipe(self, question: str, site: str) -> Recipe | None:
        query = select(RECIPES.c.question, RECIPES.c.site, RECIPES.c.actions).where(
            RECIPES.c.asked == _question_key(question), RECIPES.c.host == _site_host(site)
        )
        row = self._use_tables(lambda db: db.execute(query).first())
        return _make_recipe(*row) if row else None

    def _keep_recipe(self, recipe: Recipe) -> None:
        actions = ACTIONS.dump_json(recipe.actions).decode()
        row = {
            "asked": _question_key(recipe.question),
            "host": _site_host(recipe.site),
            "question": recipe.question,
            "site": recipe.site,
            "actions": actions,
            "kept": time.time(),
        }
        same = (RECIPES.c.asked == row["asked"]) & (RECIPES.c.host == row["host"])

        def keep(db: Connection) -> None:
            db.execute(delete(RECIPES).where(same))
            db.execute(insert(RECIPES), row)

        self._use_tables(keep)

    def _use_tables(self, work: Callable[[Connection], Result]) -> Result:
        """Do the work; a damaged file is made anew once. Raises StoreError."""

        def use() -> Result:
            with self._tables.transaction(alone="recipes") as db:
                return work(db)

        with self._lock:
            return self._tables.mended(use)


class NoRecipes:
    """A Recipes port that stores nothing: recorded runs must not depend on earlier runs."""

    async def find(self, question: str, site: str) -> Recipe | None:
        """None."""

    async def keep(self, recipe: Recipe) -> None:
        """Do nothing."""


def _make_recipe(question: str, site: str, actions: str) -> Recipe:
    return Recipe(question=question, site=site, actions=ACTIONS.validate_json(actions))


def _question_key(question: str) -> str:
    """The question without case, extra spaces and final punctuation."""
    return " ".join(question.casefold().split()).strip(END_MARKS)


def _site_host(site: str) -> str:
    name, port = site_host(site)
    return f"{name}:{port or ''}"
