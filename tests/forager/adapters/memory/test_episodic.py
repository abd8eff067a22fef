"""Episodes in a real Chroma, with hashed word vectors."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import DAY, Record, ShelfUpkeep, address_host
from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.adapters.memory.episodic import Episodic, hash_vectors
from forager.domain.experience import Episode
from forager.settings import Settings

NOW = time.time()
MOON = "How many moons does the planet have?"
BREAD = "Which flour is best for rye bread?"
SITE = "https://sky.example/"


def episode(id: str, **changes: Any) -> Episode:
    made = Episode(
        id=id,
        session=f"s-{id}",
        time=time.time(),
        question=MOON,
        url=f"{SITE}planets/{id}",
        site=SITE,
        outcome="partial",
        lesson="The table is on the second page.",
    )
    return made.model_copy(update=changes)


@pytest.fixture
def episodic(tmp_path: Path) -> Iterator[Episodic]:
    with closing(Chroma(Settings(data=tmp_path))) as chroma:
        yield Episodic(chroma, LexicalOnly("none in this test"), days=365.0)


def test_same_question_comes_first_and_unrelated_ones_are_left_out(episodic: Episodic) -> None:
    alike = episode("like", question="How many moons does that other planet have?")
    same = episode("same", question="how  many moons does the planet have")
    episodic.keep([alike, episode("bread", question=BREAD), same])
    first, second = episodic.find_similar(MOON, [SITE])
    assert first.episode == same
    assert first.likeness == 1.0
    assert first.why == "the same question, on sky.example, just now"
    assert second.episode == alike
    assert 0.0 < second.likeness < 1.0
    assert second.why.startswith("a similar question (0.")


def test_other_sites_are_left_out_unless_no_site_is_given(episodic: Episodic) -> None:
    here = episode("here", site="http://www.sky.example/")
    there = episode("there", site="https://sea.example:8443/", url="https://sea.example:8443/a")
    episodic.keep([here, there])
    assert [each.episode for each in episodic.find_similar(MOON, [SITE])] == [here]
    assert [each.episode for each in episodic.find_similar(MOON, ["https://sea.example/"])] == []
    assert {each.episode.id for each in episodic.find_similar(MOON)} == {"here", "there"}


def test_a_page_has_all_of_its_episodes(episodic: Episodic) -> None:
    url = f"{SITE}list?b=2&a=1"
    episodic.keep([episode("one", url=url, question=BREAD), episode("two")])
    [found] = episodic.find_similar(MOON, [], f"{SITE}list?a=1&b=2")
    assert found.episode.id == "one"
    assert found.likeness == 0.0
    assert found.why == "another question, on this page, just now"


def test_age_takes_half_of_the_weight_four_times_before_it_is_forgotten(
    episodic: Episodic,
) -> None:
    quarter = episode("old", time=NOW - 365 / 4 * DAY)
    episodic.keep([quarter, episode("new")])
    new, old = episodic.find_similar(MOON, [SITE])
    assert new.fresh == pytest.approx(1.0, abs=1e-3)
    assert old.fresh == pytest.approx(0.5, abs=1e-3)
    assert old.weight == pytest.approx(0.5, abs=1e-3)
    assert old.why.endswith("91 days ago")


def test_an_episode_kept_twice_is_there_once(episodic: Episodic) -> None:
    episodic.keep([episode("one")])
    episodic.keep([episode("one", lesson="Another lesson.")])
    episodic.keep([])
    [found] = episodic.find_similar(MOON, [SITE])
    assert found.episode.lesson == "Another lesson."


def test_what_is_old_or_too_much_is_forgotten(episodic: Episodic) -> None:
    ages = [episode(f"e{day}", time=NOW - day * DAY) for day in range(12)]
    episodic.keep(ages)
    keeping = ShelfUpkeep(episodic)
    assert keeping.prune(days=9.5, items=100) == 2
    assert [each.id for each in keeping.list_newest()] == [f"e{day}" for day in range(10)]
    assert keeping.prune(days=9.5, items=4) == 7
    assert [each.id for each in keeping.list_newest()] == ["e0", "e1", "e2"]
    assert keeping.prune(days=9.5, items=4) == 0


def test_a_person_lists_counts_and_forgets(episodic: Episodic) -> None:
    sea = {"site": "https://sea.example/", "url": "https://sea.example/a"}
    kept = [episode("a"), episode("b"), episode("c", **sea), episode("d", session="s-a", **sea)]
    episodic.keep([each.model_copy(update={"time": NOW}) for each in kept])
    keeping = ShelfUpkeep(episodic)
    assert keeping.count_by_site() == {"sky.example": 2, "sea.example": 2}
    assert [each.id for each in keeping.list_newest("www.sky.example")] == ["a", "b"]
    assert keeping.forget_matching((), session="s-a") == 2
    assert keeping.forget_matching(["b", "never there"]) == 1
    assert keeping.forget_matching((), site="sea.example") == 1
    assert keeping.list_newest() == ()
    assert keeping.forget_all() == 0


def test_what_cannot_be_read_any_more_is_passed_over(episodic: Episodic) -> None:
    episodic.keep([episode("a")])
    [record] = episodic.collection.get()
    broken = Record("b", '{"id": "b", "of": "another version"}', record.about)
    episodic.collection.upsert([broken], hash_vectors([MOON]))
    assert [each.episode.id for each in episodic.find_similar(MOON, [SITE])] == ["a"]
    assert [each.id for each in ShelfUpkeep(episodic).list_newest()] == ["a"]


def test_a_site_is_its_host() -> None:
    assert address_host("https://www.sky.example/a/b") == "sky.example"
    assert address_host("sky.example") == "sky.example"
    assert address_host("127.0.0.1:8101") == "127.0.0.1:8101"
    assert address_host("http://127.0.0.1:8101/x") == "127.0.0.1:8101"
