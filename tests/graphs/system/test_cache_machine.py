"""The page cache in any order of deeds: a document stays, and sizes agree with what is stored."""

import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from forager.adapters.web.page_rows import CachedResponse, PageCache
from forager.adapters.web.web_database import WebDatabase
from forager.settings import Settings
from graphs.reports.stored_pages import open_blobs
from graphs.system.page_cache import PageCacheSize, delete_page_cache, measure_page_cache

PATHS = st.integers(0, 4)
WORDS = st.sampled_from(["one", "two", "three"])


class CacheMachine(RuleBasedStateMachine):
    """What was stored, and which blobs were lost."""

    @initialize()
    def open(self) -> None:
        """A fresh folder."""
        self.folder = tempfile.TemporaryDirectory()
        self.settings = Settings(data=Path(self.folder.name))
        self.bodies: dict[str, str] = {}
        self.documents: set[str] = set()

    def teardown(self) -> None:
        """Delete it."""
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(path=PATHS, words=WORDS)
    def store(self, path: int, words: str) -> None:
        """A page, and the document that was read from it."""
        url = f"http://example.org/{path}"
        with open_blobs(self.settings) as blobs:
            body = blobs.put(f"<p>{words}".encode(), "response")
            document = blobs.put(f'{{"text": "{words}"}}'.encode(), "document")
        entry = CachedResponse(url, url, "text/html", "", "", 1.0, body, document, 1)
        with closing(WebDatabase(self.settings.data / "web.sqlite")) as database:
            PageCache(database).put(entry, [url])
        self.bodies[url] = body
        self.documents.add(document)

    @precondition(lambda self: self.bodies)
    @rule(data=st.data())
    def lose(self, data: st.DataObject) -> None:
        """The body of a page is gone from the disk."""
        with open_blobs(self.settings) as blobs:
            blobs.delete_blobs([self.bodies[data.draw(st.sampled_from(sorted(self.bodies)))]])

    @rule()
    def delete(self) -> None:
        """Delete the cache: what is told is what was measured, and no body stays."""
        held = measure_page_cache(self.settings)
        assert delete_page_cache(self.settings) == held
        assert measure_page_cache(self.settings) == PageCacheSize()
        with open_blobs(self.settings) as blobs:
            assert set(blobs.read_sizes()) == self.documents
        self.bodies.clear()

    @invariant()
    def sizes_agree_and_documents_stay(self) -> None:
        """No document is missing; the cache has the pages that were stored."""
        if not hasattr(self, "folder"):
            return
        with open_blobs(self.settings) as blobs:
            assert blobs.find_missing(self.documents) == frozenset()
            sizes = blobs.read_sizes()
        held = measure_page_cache(self.settings)
        assert held.pages == len(self.bodies)
        assert held.bytes == sum(size for name, size in sizes.items() if name not in self.documents)


TestPageCache = CacheMachine.TestCase
TestPageCache.settings = settings(
    max_examples=8, stateful_step_count=10, suppress_health_check=list(HealthCheck)
)
