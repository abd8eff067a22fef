"""Snippets in Chroma: found by facets, one per content, and the latest by time."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.adapters.memory.multifaceted import Multifaceted
from forager.domain.actions import Action, Element
from forager.domain.experience import Moment, Snippet
from forager.settings import Settings

NOW = time.time()
BOOK = Moment(instruction="Book a flight to Oslo", before=("Click the link “Flights”",), site="a")


def snippet(id: str, moment: Moment, name: str = "Search", age: float = 0.0) -> Snippet:
    """A click on the button of a name, `age` seconds ago."""
    click = Action(kind="click", target="e1", element=Element(role="button", name=name))
    told = f"Click the button “{name}”"
    return Snippet(id=id, session=f"s{id}", time=NOW - age, moment=moment, action=click, told=told)


WISH = snippet("wish", BOOK.model_copy(update={"before": ("Open the shop",)}), "Wish")
WAY = snippet("way", BOOK.model_copy(update={"instruction": "Rent a bicycle"}), "Way", age=9e4)
SAME = snippet("same", BOOK, "Same", age=1e3)
OTHER = snippet("other", Moment(instruction="Read news", before=("Open sports",)), "Other")
ALL = (WISH, WAY, SAME, OTHER)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Multifaceted]:
    chroma = Chroma(Settings(data=tmp_path))
    yield Multifaceted(chroma, LexicalOnly("a test"))
    chroma.close()


def ids(found: tuple[Snippet, ...]) -> list[str]:
    return [each.id for each in found]


def test_each_facet_finds_its_snippets(memory: Multifaceted) -> None:
    memory.keep(ALL)
    memory.keep(ALL)
    assert memory.collection.count() == len(ALL)
    assert ids(memory.find_similar(BOOK, "both", 1)) == ["same"]
    assert set(ids(memory.find_similar(BOOK, "semantic", 2))) == {"wish", "same"}
    assert set(ids(memory.find_similar(BOOK, "trajectory", 2))) == {"way", "same"}
    assert ids(memory.find_similar(BOOK, "chronological", 3)) == ["other", "wish", "same"]
    assert memory.find_similar(BOOK, "none", 3) == ()
    assert memory.find_similar(BOOK, "both", 1, apart="ssame")[0].id != "same"
    assert memory.find_similar(BOOK, "both", 1) == (SAME,)


def test_equal_content_is_found_once(memory: Multifaceted) -> None:
    twice = [snippet(str(number), BOOK) for number in range(5)]
    memory.keep([*twice, OTHER])
    assert len(memory.find_similar(BOOK, "both", 3)) == 2


def test_stored_and_deleted_snippets_show_at_once(memory: Multifaceted) -> None:
    memory.keep([SAME, OTHER])
    assert ids(memory.find_similar(BOOK, "both", 1)) == ["same"]
    memory.keep([SAME.model_copy(update={"moment": OTHER.moment.model_copy(update={"site": "c"})})])
    assert memory.find_similar(BOOK, "both", 1)[0].moment.instruction == "Read news"
    memory.delete(["same", "other"])
    assert memory.find_similar(BOOK, "both", 1) == ()


def test_search_ranks_by_instruction(memory: Multifaceted) -> None:
    memory.keep(ALL)
    (first, likeness), *_ = memory.find_by_instruction("Rent a bicycle", 2)
    assert first == WAY
    assert likeness == pytest.approx(0.387, abs=0.01)
