"""Paths that led to an answer before, by question and site, in one SQLite file."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from forager.adapters.store.store_files import open_tables, translate_errors
from forager.domain.actions import Action
from forager.domain.base import Frozen
from forager.domain.experience import Recipe
from forager.domain.urls import site_host
from forager.errors import StoreError, UsageError
from forager.util.sqlite import discard_cache, is_damage

RECIPES = "recipes.sqlite"
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

    def __init__(self, path: Path) -> None:
        """Raises StoreError."""
        self._path = path
        self._lock = threading.Lock()
        self._db = self._open()

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
        query = "SELECT id, kept, question, site, actions FROM recipes ORDER BY kept DESC, id DESC"
        rows = self._use_file(lambda db: db.execute(query).fetchall())
        return tuple(
            KeptRecipe(id=id, kept=kept, recipe=_make_recipe(*columns))
            for id, kept, *columns in rows
        )

    def forget(self, id: int) -> None:
        """Delete a recipe. Raises UsageError if there is no such recipe, and StoreError."""
        sql = "DELETE FROM recipes WHERE id = ?"
        deleted = self._use_file(lambda db: db.execute(sql, (id,)).rowcount)
        if not deleted:
            raise UsageError(f"There is no recipe {id}.", "See `forager recipes list`.")

    def forget_traces(self, questions: Iterable[str], hosts: Iterable[str]) -> None:
        """Delete the recipes of these questions, and of these hosts (`HOST:PORT`).

        Raises StoreError.
        """
        keys = [(_question_key(question),) for question in questions]
        names = [(host,) for host in hosts]

        def forget(db: sqlite3.Connection) -> None:
            db.executemany("DELETE FROM recipes WHERE asked = ?", keys)
            db.executemany("DELETE FROM recipes WHERE host = ?", names)

        self._use_file(forget)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _find_recipe(self, question: str, site: str) -> Recipe | None:
        query = "SELECT question, site, actions FROM recipes WHERE asked = ? AND host = ?"
        key = (_question_key(question), _site_host(site))
        row = self._use_file(lambda db: db.execute(query, key).fetchone())
        return _make_recipe(*row) if row else None

    def _keep_recipe(self, recipe: Recipe) -> None:
        actions = ACTIONS.dump_json(recipe.actions).decode()
        row = (
            _question_key(recipe.question),
            _site_host(recipe.site),
            recipe.question,
            recipe.site,
            actions,
            time.time(),
        )
        sql = (
            "INSERT OR REPLACE INTO recipes (asked, host, question, site, actions, kept) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )
        self._use_file(lambda db: db.execute(sql, row))

    def _open(self) -> sqlite3.Connection:
        try:
            return open_tables(self._path, "recipes")
        except StoreError as error:
            if not is_damage(error.__cause__, self._path):
                raise
        with translate_errors(self._path):
            discard_cache(self._path)
        return open_tables(self._path, "recipes")

    def _use_file(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Do the work; a damaged file is made anew once. Raises StoreError."""
        with translate_errors(self._path), self._lock:
            try:
                return work(self._db)
            except sqlite3.Error as error:
                if not is_damage(error, self._path):
                    raise
            self._db.close()
            discard_cache(self._path)
            self._db = self._open()
            return work(self._db)


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
