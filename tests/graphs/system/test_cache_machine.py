"""The page cache in any order of deeds: documents stay, sizes agree, what is forgotten is gone."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from forager.adapters.web.crawl.site_maps import CrawlMap, MapPage, MapStore
from forager.adapters.web.fetch.fetcher import Fetcher
from forager.adapters.web.web_database import USES, CachedResponse, PageCache, WebDatabase, host_of
from forager.ports import BlobKind
from forager.settings import Settings
from graphs.reports.stored_pages import open_blobs
from graphs.system.deletion import Traces, forget_pages
from graphs.system.page_cache import PageCacheSize, delete_page_cache, measure_page_cache
from graphs.system.retention import MEGA, evict_pages
from tests.servers import Site

HOSTS = st.sampled_from(["one.example", "two.example"])
PATHS = st.integers(0, 2)
WORDS = st.sampled_from(["one", "two", "three"])
NONE = frozenset[str]()
NOBODY = Traces(NONE, NONE, NONE)


class CacheMachine(RuleBasedStateMachine):
    """What the cache must hold: a body and a document for each address, a document for each map."""

    @initialize()
    def open(self) -> None:
        """A fresh folder, and a site that is there."""
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        self.settings = Settings(data=Path(folder), allow_private=("127.0.0.1",))
        self.runner = self.stack.enter_context(asyncio.Runner())
        self.site = self.stack.enter_context(Site(dict.fromkeys(("/0", "/1", "/2"), "<p>here")))
        self.bodies: dict[str, str] = {}
        self.read_from: dict[str, str] = {}
        self.maps: dict[str, str] = {}
        self.documents: set[str] = set()
        self.fresh: set[str] = set()
        self.used: dict[str, float] = {}
        self.time = 1.0

    def teardown(self) -> None:
        """Delete it."""
        if hasattr(self, "stack"):
            self.stack.close()

    @rule(host=HOSTS, path=PATHS, words=WORDS)
    def store(self, host: str, path: int, words: str) -> None:
        """A page, and the document that was read from it."""
        url = f"http://{host}/{path}"
        with open_blobs(self.settings) as blobs:
            body = blobs.put(f"<p>{words}".encode(), "response")
        document = self._put_document(words)
        entry = CachedResponse(url, url, "text/html", "", "", self._use(url), body, document, 1)
        with closing(self._database()) as database:
            PageCache(database).put(entry, [url])
        self.bodies[url], self.read_from[url] = body, document

    @rule(host=HOSTS, path=PATHS, words=WORDS, first=st.sampled_from(["response", "document"]))
    def store_twin(self, host: str, path: int, words: str, first: BlobKind) -> None:
        """A page whose body is, byte for byte, a document, too."""
        url = f"http://{host}/{path}"
        data = f'{{"text": "{words}"}}'.encode()
        with open_blobs(self.settings) as blobs:
            name = blobs.put(data, first)
            blobs.put(data, "document" if first == "response" else "response")
        entry = CachedResponse(url, url, "text/json", "", "", self._use(url), name, name, 1)
        with closing(self._database()) as database:
            PageCache(database).put(entry, [url])
        self.bodies[url] = self.read_from[url] = name
        self.documents.add(name)

    @rule(host=HOSTS, words=WORDS)
    def survey(self, host: str, words: str) -> None:
        """The map of a site, with the document of its first page."""
        site = f"http://{host}/"
        self.maps[site] = self._put_document(words)
        page = MapPage(site, 0, words, self.maps[site])
        with closing(self._database()) as database:
            MapStore(database).replace(CrawlMap(site, (page,), surveyed=self._use(site), asked=1))

    def _use(self, url: str) -> float:
        """A site is used: the time of that, later than any before."""
        self.time += 1
        self.used[host_of(url)] = self.time
        return self.time

    @rule(path=PATHS)
    def fetch(self, path: int) -> None:
        """A page of the site: asked for unless it is fresh and its body is there."""
        url, before = self.site.url(f"/{path}"), len(self.site.paths())
        found = self.runner.run(self._fetch(url))
        assert len(self.site.paths()) - before == (url not in self.fresh)
        self.bodies[url] = found
        self.fresh.add(url)
        self.used[host_of(url)] = time.time()

    async def _fetch(self, url: str) -> str:
        with closing(self._database()) as database, open_blobs(self.settings) as blobs:
            fetcher = Fetcher(self.settings, PageCache(database), blobs)
            try:
                return (await fetcher.get(url)).entry.body
            finally:
                await fetcher.aclose()

    @rule(path=PATHS)
    def expire(self, path: int) -> None:
        """A page of the site grows old; when it was last used stays known."""
        url = self.site.url(f"/{path}")
        used = [(host, at) for host, at in self.used.items() if host == host_of(url)]
        with closing(self._database()) as database:
            database.query(USES)
            database.write(
                ("UPDATE responses SET fetched = 1 WHERE url = ?", [(url,)]),
                ("INSERT OR REPLACE INTO uses VALUES (?, ?)", used),
            )
        self.fresh.discard(url)

    @precondition(lambda self: self.bodies)
    @rule(data=st.data())
    def lose(self, data: st.DataObject) -> None:
        """The body of a page is gone from the disk."""
        alone = {url for url, body in self.bodies.items() if body not in self.documents}
        url = data.draw(st.sampled_from(sorted(alone - self.fresh) or [""]))
        with open_blobs(self.settings) as blobs:
            blobs.delete_blobs([self.bodies[url]] if url else [])

    @rule(host=HOSTS)
    def forget(self, host: str) -> None:
        """Pages and map of a host are gone, with the documents that nothing else names."""
        hosts = {host_of(f"http://{host}/")}
        forget_pages(self.settings, Traces(NONE, frozenset(hosts), NONE), NOBODY)
        self._drop(hosts)

    @rule(share=st.sampled_from([0.0, 0.5, 0.9]))
    def evict(self, share: float) -> None:
        """Less space than there is: the hosts go that were not used for longest, and no more."""
        sizes = self._sizes()
        limit = max(1, int(share * sum(sizes.values())))
        small = self.settings.model_copy(update={"cache_megabytes": limit / MEGA})
        held = {host_of(url) for url in (*self.bodies, *self.maps)}
        order = sorted(held, key=self.used.__getitem__)
        gone = evict_pages(small)
        assert list(gone) == order[: len(gone)]
        assert bool(gone) == bool(held and sum(sizes.values()) > limit)
        self._drop(set(gone))
        assert set(gone) == held or sum(self._sizes().values()) <= limit

    def _drop(self, hosts: set[str]) -> None:
        gone = {url for url in self.bodies if host_of(url) in hosts}
        named = {self.read_from.pop(url) for url in gone if url in self.read_from}
        named |= {self.maps.pop(site) for site in list(self.maps) if host_of(site) in hosts}
        self.bodies = {url: body for url, body in self.bodies.items() if url not in gone}
        self.fresh -= gone
        self.documents -= named - {*self.read_from.values(), *self.maps.values()}

    @rule()
    def delete(self) -> None:
        """Delete the cache: what is told is what was measured, and no body stays."""
        held = measure_page_cache(self.settings)
        assert delete_page_cache(self.settings) == held
        assert measure_page_cache(self.settings) == PageCacheSize()
        with open_blobs(self.settings) as blobs:
            assert set(blobs.read_sizes()) == self.documents
        self.bodies.clear()
        self.read_from.clear()
        self.fresh.clear()

    @invariant()
    def sizes_agree_and_documents_stay(self) -> None:
        """No document is missing; the cache has the pages that were stored, and no others."""
        if not hasattr(self, "stack"):
            return
        with open_blobs(self.settings) as blobs:
            assert blobs.find_missing(self.documents) == frozenset()
            sizes = blobs.read_sizes()
        with closing(self._database()) as database:
            assert dict(database.query("SELECT url, body FROM responses")) == self.bodies
        held = measure_page_cache(self.settings)
        assert held.pages == len(self.bodies)
        assert held.bytes == sum(size for name, size in sizes.items() if name not in self.documents)

    def _sizes(self) -> dict[str, int]:
        with open_blobs(self.settings) as blobs:
            return blobs.read_sizes()

    def _database(self) -> WebDatabase:
        return WebDatabase(self.settings.data / "web.sqlite")

    def _put_document(self, words: str) -> str:
        with open_blobs(self.settings) as blobs:
            document = blobs.put(f'{{"text": "{words}"}}'.encode(), "document")
        self.documents.add(document)
        return document


@contextmanager
def opened() -> Iterator[CacheMachine]:
    """A machine in a fresh folder, looked at once more in the end."""
    machine = CacheMachine()
    machine.open()
    try:
        yield machine
        machine.sizes_agree_and_documents_stay()
    finally:
        machine.teardown()


def test_pages_that_two_sites_share_free_no_space_before_both_are_gone() -> None:
    with opened() as machine:
        machine.store("one.example", 0, "one")
        machine.store("two.example", 0, "one")
        machine.store("two.example", 1, "two")
        machine.evict(0.9)
        assert machine.bodies == {}


def test_every_deed_once() -> None:
    with opened() as machine:
        machine.fetch(0)
        machine.fetch(0)
        machine.expire(0)
        machine.fetch(0)
        machine.survey("one.example", "three")
        machine.store("two.example", 0, "one")
        machine.store("one.example", 0, "one")
        machine.store("one.example", 0, "two")
        machine.survey("two.example", "two")
        machine.store("one.example", 2, "two")
        machine.sizes_agree_and_documents_stay()
        machine.evict(0.9)
        assert set(machine.maps) == {"http://one.example/"}
        machine.survey("two.example", "three")
        machine.forget("one.example")
        assert set(machine.maps) == {"http://two.example/"}
        machine.sizes_agree_and_documents_stay()
        machine.store_twin("one.example", 1, "three", "response")
        machine.store_twin("one.example", 2, "one", "document")
        machine.sizes_agree_and_documents_stay()
        machine.delete()
        machine.store("one.example", 1, "one")
        machine.evict(0.0)


TestPageCache = CacheMachine.TestCase
TestPageCache.settings = settings(
    max_examples=settings().max_examples // 12,  # `./run fuzz` makes more
    stateful_step_count=12,
    suppress_health_check=list(HealthCheck),
)
