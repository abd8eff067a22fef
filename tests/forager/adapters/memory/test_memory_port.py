"""The Memory port: what is found, what is forgotten, and how faults are handled."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.adapters.memory.memory_port import ChromaMemory, SiteCounts
from forager.domain.actions import Action
from forager.domain.experience import Episode, Moment, Snippet
from forager.errors import StoreError
from forager.settings import Settings

NOW = time.time()
QUESTION = "When does the museum open on Sundays?"
SITE = "https://museum.example/"
MOMENT = Moment(instruction=QUESTION, before=("Open the page Visit",), site=SITE)


def episode(id: str, **changes: Any) -> Episode:
    made = Episode(
        id=id,
        session="s1",
        time=NOW,
        question=QUESTION,
        url=f"{SITE}visit",
        site=SITE,
        outcome="adequate",
    )
    return made.model_copy(update=changes)


def snippet(id: str, **changes: Any) -> Snippet:
    made = Snippet(
        id=id,
        session="s1",
        time=NOW,
        moment=MOMENT,
        action=Action(kind="visit", target=f"{SITE}hours"),
        told="Open the page Hours",
    )
    return made.model_copy(update=changes)


def opened(folder: Path, **settings: Any) -> closing[ChromaMemory]:
    made = Settings(data=folder, memory=True, **settings)
    return closing(ChromaMemory(made, LexicalOnly("none in this test")))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[ChromaMemory]:
    with opened(tmp_path) as memory:
        yield memory


async def test_kept_items_are_found(memory: ChromaMemory, tmp_path: Path) -> None:
    assert await memory.keep([episode("e")], [snippet("n")]) == ()
    [recalled] = (await memory.find_episodes(QUESTION, [SITE])).episodes
    assert (recalled.episode, recalled.likeness) == (episode("e"), 1.0)
    assert (await memory.find_snippets(MOMENT, "both", 3)).snippets == (snippet("n"),)
    before = await memory.generation()
    memory.close()
    assert (await memory.find_episodes(QUESTION, [SITE])).episodes[0].episode == episode("e")
    assert await memory.generation() == before


async def test_a_person_looks_searches_and_forgets(memory: ChromaMemory) -> None:
    other = {"site": "https://sea.example/", "url": "https://sea.example/a", "session": "s2"}
    await memory.keep(
        [episode("e1"), episode("e2", time=NOW - 60, **other)], [snippet("n1", time=NOW - 30)]
    )
    assert [each.id for each in await memory.list()] == ["e1", "n1", "e2"]
    assert [each.id for each in await memory.list("museum.example")] == ["e1", "n1"]
    assert await memory.count_by_site() == {
        "museum.example": SiteCounts(episodes=1, snippets=1),
        "sea.example": SiteCounts(episodes=1),
    }
    found = await memory.search(QUESTION)
    assert {each.id for each, _ in found.episodes} == {"e1", "e2"}
    assert [each.id for each, _ in found.snippets] == ["n1"]
    assert await memory.forget(session="s2") == 1
    assert await memory.forget(["n1"]) == 1
    assert [each.id for each in await memory.list()] == ["e1"]
    assert await memory.forget(all=True) == 1
    assert await memory.list() == ()


async def test_what_is_too_old_is_forgotten_when_the_memory_is_opened(tmp_path: Path) -> None:
    old = NOW - 10 * 24 * 3600
    with opened(tmp_path) as memory:
        await memory.keep([episode("e"), episode("old", time=old)], [snippet("old", time=old)])
        assert len(await memory.list()) == 3
    with opened(tmp_path, memory_days=5) as memory:
        assert [
            each.episode.id for each in (await memory.find_episodes(QUESTION, [])).episodes
        ] == ["e"]
        assert [each.id for each in await memory.list()] == ["e"]


async def test_users_do_not_see_one_another(tmp_path: Path) -> None:
    with opened(tmp_path, user="ann") as memory:
        await memory.keep([episode("e")], [snippet("n")])
    with opened(tmp_path, user="bob") as memory:
        assert (await memory.find_episodes(QUESTION, [SITE])).episodes == ()
        assert (await memory.find_snippets(MOMENT, "both", 3)).snippets == ()
        assert await memory.forget(all=True) == 0
    with opened(tmp_path, user="ann") as memory:
        assert len(await memory.list()) == 2


async def test_damaged_memory_gives_notes_raises_and_can_be_cleared(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as memory:
        await memory.keep([episode("e")], [])
        before = await memory.generation()
    (tmp_path / "memory" / "chroma" / "chroma.sqlite3").unlink()
    with opened(tmp_path) as memory:
        for noted in (
            (await memory.find_episodes(QUESTION, [SITE])).notes,
            (await memory.find_snippets(MOMENT, "both", 3)).notes,
            await memory.keep([episode("e")], []),
        ):
            [note] = noted
            assert note.startswith("The run continues without memory. The memory in ")
            assert note.endswith("forager memory rebuild.")
        for told in (memory.list(), memory.search(QUESTION), memory.forget(all=True)):
            with pytest.raises(StoreError, match="damaged"):
                await told
        await memory.clear()
        assert await memory.generation() != before
        assert await memory.keep([episode("e")], []) == ()


async def test_memory_that_is_open_elsewhere_is_shared(
    memory: ChromaMemory, tmp_path: Path
) -> None:
    await memory.keep([episode("e")], [])
    with opened(tmp_path) as other:
        assert await other.keep([episode("f")], []) == ()
        assert await other.generation() == await memory.generation()
    assert {each.id for each in await memory.list()} == {"e", "f"}
