"""Turns of hosts and surveys of sites, as the processes of an installation share them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from forager.adapters.store.shared_crawls import StoredCrawls
from forager.util.place import Place, Tables

PlaceOf = Callable[[Tables], Place]


@contextmanager
def opened(table_place: PlaceOf, tmp_path: Path) -> Iterator[StoredCrawls]:
    place = table_place("crawls")
    leases = tmp_path / "leases" if isinstance(place, Path) else place
    with closing(StoredCrawls(place, leases, shares_pages=True)) as crawls:
        yield crawls


async def wait_quietly() -> None:
    """Nobody is told."""


async def test_turns_of_a_host_keep_their_distance(table_place: PlaceOf, tmp_path: Path) -> None:
    with opened(table_place, tmp_path) as one, opened(table_place, tmp_path) as two:
        waits = [await each.take_turn("a.example", 100.0) for each in (one, two, one)]
        assert waits == [pytest.approx(turn * 100, abs=20) for turn in range(3)]
        assert await two.take_turn("b.example", 100.0) <= 0


async def test_a_host_that_is_held_off_waits_for_all(table_place: PlaceOf, tmp_path: Path) -> None:
    with opened(table_place, tmp_path) as one, opened(table_place, tmp_path) as two:
        await one.hold_off("a.example", 200.0)
        await two.hold_off("a.example", 100.0)
        assert await two.take_turn("a.example", 1.0) == pytest.approx(200, abs=20)


async def test_one_alone_surveys_a_site(table_place: PlaceOf, tmp_path: Path) -> None:
    told = asyncio.Event()

    async def tell() -> None:
        told.set()

    with opened(table_place, tmp_path) as one, opened(table_place, tmp_path) as two:
        async with one.surveying("http://a.example/", None, wait_quietly):
            async with two.surveying("http://b.example/", None, wait_quietly):
                pass
            async with two.surveying("http://a.example/", 0.0, tell):
                assert told.is_set()  # its time was over
            waiting = asyncio.create_task(enter(two))
            cancelled = asyncio.create_task(enter(two))
            await asyncio.sleep(0)
            cancelled.cancel()
        async with asyncio.timeout(60):
            await waiting


async def enter(crawls: StoredCrawls) -> None:
    async with crawls.surveying("http://a.example/", None, wait_quietly):
        pass


def test_a_survey_is_kept_for_others(table_place: PlaceOf, tmp_path: Path) -> None:
    with opened(table_place, tmp_path) as one, opened(table_place, tmp_path) as two:
        assert two.load_survey("http://a.example/", 0.0) == ""
        one.keep_survey("http://a.example/", 5.0, lambda: "first")
        one.keep_survey("http://a.example/", 7.0, lambda: "second")
        assert two.load_survey("http://a.example/", 5.0) == "second"
        assert two.load_survey("http://a.example/", 7.0) == ""


async def test_what_a_user_forgets_is_gone(table_place: PlaceOf, tmp_path: Path) -> None:
    with opened(table_place, tmp_path) as crawls:
        for host in ("a.example", "b.example"):
            await crawls.take_turn(host, 100.0)
            crawls.keep_survey(f"http://{host}/", 5.0, lambda: "map")
        crawls.forget(lambda name: "a.example" in name)
        assert crawls.load_survey("http://a.example/", 0.0) == ""
        assert crawls.load_survey("http://b.example/", 0.0) == "map"
        assert await crawls.take_turn("a.example", 1.0) <= 0
        assert await crawls.take_turn("b.example", 1.0) > 50


async def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "crawls.sqlite"
    path.write_bytes(b"no database, but long enough to be looked at" * 50)
    with closing(StoredCrawls(path, tmp_path / "leases", shares_pages=False)) as crawls:
        assert await crawls.take_turn("a.example", 1.0) <= 0
