"""A site is indexed once per map, and the index is loaded from its file."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from forager.adapters.web.crawl.site_indexes import (
    INDEXING,
    MAX_PROMISING,
    IndexWork,
    SiteIndexes,
    promising_pages,
)
from forager.adapters.web.crawl.site_maps import CrawlMap, MapPage
from forager.domain.documents import Document, Heading
from forager.errors import LateError, StoreError
from forager.ranking.index import Index
from tests.fakes import FakeEmbedder, MemoryBlobs

TEXT = "# Cache\n\nThe cache keeps pages. The cache is small.\n\nA page is kept for a day."


class Counting(MemoryBlobs):
    """Blobs that count their reads."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def get(self, digest: str) -> bytes:
        self.reads += 1
        return super().get(digest)


@pytest.fixture
def blobs() -> Counting:
    return Counting()


def mapped(blobs: MemoryBlobs, *texts: str) -> CrawlMap:
    pages: list[MapPage] = []
    for number, text in enumerate(texts):
        url = f"http://host/{number}"
        headings = (Heading(level=1, text="Cache", start=0),) if text.startswith("#") else ()
        document = Document(url=url, title="Guide", text=text, headings=headings)
        blob = blobs.put(document.model_dump_json().encode(), "document")
        pages.append(MapPage(url, number, "Guide", blob, ("the guide",)))
    return CrawlMap(site="http://host/", pages=tuple(pages))


def test_the_pages_of_a_map_are_indexed(blobs: Counting, tmp_path: Path) -> None:
    index = SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(mapped(blobs, TEXT, "More."))
    assert index.urls == ("http://host/0", "http://host/1")
    assert index.depths == (0, 1)
    assert index.texts == (TEXT, "More.")
    assert index.headings == ("Cache",)
    assert "guid" in index.terms


def test_it_is_known_how_far_an_index_is_and_it_ends_where_it_is_unwanted(
    blobs: Counting, tmp_path: Path
) -> None:
    work = IndexWork()
    SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(mapped(blobs, TEXT, "More."), work)
    assert work.pages == 2
    with pytest.raises(LateError, match="not wanted any more"):
        SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(
            mapped(blobs, "Other."), IndexWork(unwanted=True)
        )


def test_a_map_is_indexed_once(blobs: Counting, tmp_path: Path) -> None:
    found = mapped(blobs, TEXT)
    atlas = SiteIndexes(tmp_path, blobs, FakeEmbedder())
    assert atlas.index_site(found) is atlas.index_site(found)
    again = SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(found)
    assert blobs.reads == 1
    assert again.texts == (TEXT,)


def test_nothing_is_kept_of_maps_that_nobody_indexes(blobs: Counting, tmp_path: Path) -> None:
    for number in range(3):
        SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(mapped(blobs, f"Page {number}."))
    assert len(INDEXING) == 0


@pytest.mark.parametrize("texts", [(), ("",), ("黄帝发明了历法。",)])
def test_a_site_without_plain_words_is_indexed(
    blobs: Counting, tmp_path: Path, texts: tuple[str, ...]
) -> None:
    found = mapped(blobs, *texts)
    for _ in range(2):
        assert SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(found).texts == texts


def test_a_changed_map_is_indexed_again_and_the_old_index_is_deleted(
    blobs: Counting, tmp_path: Path
) -> None:
    atlas = SiteIndexes(tmp_path, blobs, FakeEmbedder())
    atlas.index_site(mapped(blobs, TEXT))
    before = set(tmp_path.iterdir())
    assert atlas.index_site(mapped(blobs, TEXT, "More.")).texts == (TEXT, "More.")
    assert not before & set(tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"", b"PK", b"nothing of the kind"])
def test_a_damaged_file_is_rebuilt_with_a_note(
    blobs: Counting, tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    found = mapped(blobs, TEXT)
    embedder = FakeEmbedder()
    SiteIndexes(tmp_path, blobs, embedder).index_site(found)
    for path in tmp_path.iterdir():
        path.write_bytes(damage)
    charted = SiteIndexes(tmp_path, blobs, embedder).index_site(found)
    assert charted.texts == (TEXT,)
    assert "was damaged and is made anew" in caplog.text


def test_a_truncated_file_is_rebuilt(blobs: Counting, tmp_path: Path) -> None:
    found = mapped(blobs, TEXT)
    SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(found)
    [path] = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-200])
    assert SiteIndexes(tmp_path, blobs, FakeEmbedder()).index_site(found).texts == (TEXT,)


def test_an_unwritable_folder_raises_an_error(blobs: Counting, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    with pytest.raises(StoreError, match="cannot be"):
        SiteIndexes(taken / "index", blobs, FakeEmbedder()).index_site(mapped(blobs, TEXT))


def test_concurrent_sessions_index_a_site_once(blobs: Counting, tmp_path: Path) -> None:
    sessions, pages = 8, 20
    found = mapped(blobs, *(f"Page {number} of the guide." for number in range(pages)))
    gate = Barrier(sessions, timeout=60)

    def session(_: int) -> Index:
        atlas = SiteIndexes(tmp_path, blobs, FakeEmbedder())
        gate.wait()
        return atlas.index_site(found)

    with ThreadPoolExecutor(sessions) as threads:
        charted = list(threads.map(session, range(sessions)))
    assert blobs.reads == pages
    assert all(each.texts == charted[0].texts for each in charted)


def test_threads_of_a_session_share_an_index(blobs: Counting, tmp_path: Path) -> None:
    threads = 8
    atlas = SiteIndexes(tmp_path, blobs, FakeEmbedder())
    maps = [mapped(blobs, f"Site {number}.") for number in range(3)]
    gate = Barrier(threads, timeout=60)

    def rank(number: int) -> Index:
        gate.wait()
        return atlas.index_site(maps[number % len(maps)])

    with ThreadPoolExecutor(threads) as pool:
        charted = list(pool.map(rank, range(threads)))
    assert len({id(each) for each in charted}) == len(maps)


def test_in_a_hurry_the_pages_whose_names_hold_the_rarest_words_come_first(
    blobs: Counting, tmp_path: Path
) -> None:
    pages = [MapPage(f"http://host/{n}", n, "Guide to caches", "", ()) for n in range(300)]
    pages[250] = MapPage("http://host/250", 3, "Guide", "", ("evicting pages",))
    best = promising_pages(CrawlMap("http://host/", tuple(pages)), "Which guide evicts pages?")
    assert len(best.pages) == MAX_PROMISING
    assert [page.url for page in best.pages[:2]] == ["http://host/250", "http://host/0"]


def test_an_index_made_in_a_hurry_is_not_stored(blobs: Counting, tmp_path: Path) -> None:
    indexes, found = SiteIndexes(tmp_path, blobs, FakeEmbedder()), mapped(blobs, TEXT, "More.")
    index = indexes.index_site(found, IndexWork(hurried=True))
    assert index.urls[0] == "http://host/0"
    assert not list(tmp_path.iterdir())
    assert indexes.index_site(found) is index
