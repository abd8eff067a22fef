import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.recipe_store import NoRecipes, Recipes
from forager.domain.actions import Action, Element
from forager.domain.experience import Recipe
from forager.errors import UsageError
from forager.util.place import Place, Tables

BOX = Element(role="searchbox", name="Suche", ancestors=("search Seite",))


def recipe(question: str = "Wer baute es?", site: str = "http://site/", to: str = "a") -> Recipe:
    actions = (
        Action(kind="goto", target=f"http://site/{to}"),
        Action(kind="type", value="{{name}} 誰", submit=True, element=BOX),
    )
    return Recipe(question=question, site=site, actions=actions)


@pytest.fixture
def recipes(table_place: Callable[[Tables], Place]) -> Iterator[Recipes]:
    with closing(Recipes(table_place("recipes"))) as recipes:
        yield recipes


@pytest.mark.parametrize(
    ("question", "site"),
    [
        ("Wer baute es?", "http://site/"),
        ("  wer  BAUTE es ", "https://www.site/deeper/page.html?x=1"),
    ],
)
async def test_recipe_is_found_for_the_same_question_and_site(
    recipes: Recipes, question: str, site: str
) -> None:
    await recipes.keep(recipe())
    assert await recipes.find(question, site) == recipe()


@pytest.mark.parametrize(
    ("question", "site"),
    [("Wer baute sie?", "http://site/"), ("Wer baute es?", "http://site:8080/")],
)
async def test_another_has_not(recipes: Recipes, question: str, site: str) -> None:
    await recipes.keep(recipe())
    assert await recipes.find(question, site) is None


async def test_the_newest_wins_and_can_be_forgotten(recipes: Recipes) -> None:
    await recipes.keep(recipe())
    await recipes.keep(recipe("Wann?"))
    await recipes.keep(recipe("WER baute es", to="b"))
    assert await recipes.find("Wer baute es?", "http://site/") == recipe("WER baute es", to="b")
    newest, other = recipes.list()
    assert newest.recipe.question == "WER baute es"
    recipes.forget(newest.id)
    assert [each.id for each in recipes.list()] == [other.id]
    with pytest.raises(UsageError, match="no recipe"):
        recipes.forget(newest.id)


async def test_a_file_that_is_damaged_while_it_is_open_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "recipes.sqlite"
    with closing(Recipes(path)) as recipes:
        await recipes.keep(recipe())
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            file.write(b"no database at all" * 1000)
        await recipes.keep(recipe(to="b"))
        assert await recipes.find("Wer baute es?", "http://site/") == recipe(to="b")


async def test_no_recipes_finds_nothing() -> None:
    await NoRecipes().keep(recipe())
    assert await NoRecipes().find("Wer baute es?", "http://site/") is None
