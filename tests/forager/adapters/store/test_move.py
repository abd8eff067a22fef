"""An installation in files is copied to a server, whole or not at all."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.adapters.store.database import look_into
from forager.adapters.store.graphs.saved_graphs import GraphRow, SavedGraphs
from forager.adapters.store.move import move_tables
from forager.adapters.store.recipe_store import Recipes
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.experience import Recipe
from forager.errors import UsageError
from forager.settings import Settings
from forager.util.place import Server
from graphs.runtime.branches import JoiningState
from tests.forager.adapters.store.opener import session
from tests.old_data import ARCHIVE, unpack

SAID: list[str] = []


def recipe(question: str) -> Recipe:
    return Recipe(question=question, site="http://site/", actions=())


async def test_a_folder_of_version_0_1_is_moved_with_all_its_steps(
    tmp_path: Path, postgres: Server
) -> None:
    folder = unpack(tmp_path / "old", ARCHIVE)
    moved = {each.name: each for each in move_tables(folder, postgres, JoiningState, SAID.append)}
    assert all(each.rows == each.copied for each in moved.values())
    for name in ("sessions", "events", "checkpoints", "channel_values", "pieces"):
        assert moved[name].copied > 0
    files = Settings(data=folder, database_url=None)
    with (
        closing(SessionStore(files.place("sessions"))) as old,
        closing(SessionStore(postgres)) as new,
    ):
        assert new.list() == old.list()
        for each in old.list():
            assert new.read_chronicle(each.id) == old.read_chronicle(each.id)
    async with (
        open_checkpoints(files.place("checkpoints"), JoiningState) as old_steps,
        open_checkpoints(postgres, JoiningState) as new_steps,
    ):
        threads = await old_steps.list_threads()
        assert await new_steps.list_threads() == threads
        for thread in threads:
            rows = await Lineage(old_steps).read_rows(thread)
            copied = await Lineage(new_steps).read_rows(thread)
            assert [row.id for row in copied] == [row.id for row in rows]
            values = await Lineage(old_steps).newest_values(thread)
            assert await Lineage(new_steps).newest_values(thread) == values


async def test_graphs_and_recipes_go_on_counting_where_they_were(
    tmp_path: Path, postgres: Server
) -> None:
    graphs = SavedGraphs(tmp_path / "graphs.sqlite")
    graphs.save(GraphRow(name="Mine", text="a", spec="{}", hash="h"), None)
    graphs.save(GraphRow(name="mine", text="b", spec="{}", hash="i"), 1)
    with closing(Recipes(tmp_path / "recipes.sqlite")) as recipes:
        for question in ("One?", "Two?"):
            await recipes.keep(recipe(question))
    move_tables(tmp_path, postgres, JoiningState, SAID.append)
    moved = SavedGraphs(postgres)
    assert [row.text for row in moved.versions("MINE")] == ["b", "a"]
    assert moved.save(GraphRow(name="mine", text="c", spec="{}", hash="j"), 2).number == 3
    with closing(Recipes(postgres)) as recipes:
        await recipes.keep(recipe("Three?"))
        assert len({each.id for each in recipes.list()}) == 3


def test_a_database_in_use_is_left_as_it_is(tmp_path: Path, postgres: Server) -> None:
    with closing(SessionStore(tmp_path / "sessions.sqlite")) as old:
        old.create(session("mine"))
    with closing(SessionStore(postgres)) as new:
        new.create(session("theirs"))
        with pytest.raises(UsageError, match="in use: its table sessions has 1 rows"):
            move_tables(tmp_path, postgres, JoiningState, SAID.append)
        assert [each.id for each in new.list()] == ["theirs"]


def test_what_breaks_off_leaves_nothing(tmp_path: Path, postgres: Server) -> None:
    with closing(SessionStore(tmp_path / "sessions.sqlite")) as old:
        old.create(session("mine"))

    def give_up(told: str) -> None:
        if told.startswith("turns"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_tables(tmp_path, postgres, JoiningState, give_up)
    with look_into(postgres) as db:
        assert db.execute(text("SELECT count(*) FROM sessions")).scalar() == 0
    move_tables(tmp_path, postgres, JoiningState, SAID.append)
    with closing(SessionStore(postgres)) as new:
        assert [each.id for each in new.list()] == ["mine"]
