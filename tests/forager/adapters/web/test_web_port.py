"""The Web port over real HTTP: pages open once, and surveyed sites rank their pages."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, aclosing, closing

import pytest
from pydantic import SecretStr

from forager.adapters.memory.embeddings.word_vectors import open_word_vectors
from forager.adapters.store.blob_store import open_blob_store
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.shared_crawls import open_crawls
from forager.adapters.web.fetch.politeness import Traffic
from forager.adapters.web.web_port import WebAdapter
from forager.budget import start_meter
from forager.domain.spend import Budget
from forager.domain.state import SubQuestion
from forager.domain.survey import TermStatistics
from forager.errors import ContentError, StatusError, WebError
from forager.questions.subquestions import PlannedLookup, SubQuestionBuilder
from forager.ranking.gloss import Glossary
from forager.settings import Settings
from forager.text.tokens import keywords
from forager.util.place import Server
from tests.fakes import FakeEmbedder
from tests.forager.adapters.web import hostile
from tests.observatory import ANOTHER, PAGES
from tests.servers import Reply, Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as served:
        yield served


@pytest.fixture
async def adapter(settings: Settings, blobs: SqliteBlobs) -> AsyncIterator[WebAdapter]:
    opened = WebAdapter(settings, blobs, FakeEmbedder())
    yield opened
    await opened.aclose()


async def parts_for(adapter: WebAdapter, site: str, *asks: str) -> list[SubQuestion]:
    known = [await adapter.term_statistics(site, ask) for ask in asks]
    return [
        SubQuestion(id=f"p{n}", text=ask, query=ask, site=site, terms=terms.idf)
        for n, (ask, terms) in enumerate(zip(asks, known, strict=True), start=1)
    ]


async def test_a_page_is_opened_once_and_counted(adapter: WebAdapter, site: Site) -> None:
    with start_meter() as used:
        first = await adapter.open(site.url("/visits.html"))
        second = await adapter.open(site.url("/visits.html"))
    assert first.document == second.document
    assert (first.cached, second.cached) == (False, True)
    assert second.fetched == first.fetched > 0
    assert (used.pages_fetched, used.pages_cached) == (1, 1)
    assert site.paths() == ["/visits.html"]


async def test_a_missing_page_raises_an_error(adapter: WebAdapter, site: Site) -> None:
    with start_meter() as used, pytest.raises(StatusError):
        await adapter.open(site.url("/gone.html"))
    assert used.pages_fetched == 0


async def test_a_site_is_surveyed_once_and_its_pages_open_from_the_map(
    adapter: WebAdapter, site: Site
) -> None:
    with start_meter() as used:
        found = await adapter.survey(site.url(), 100)
        again = await adapter.survey(site.url(), 100)
        opened = await adapter.open(site.url("/archive/lens.html"))
    assert found.site == site.url()
    assert found.pages == again.pages == len(PAGES)
    assert opened.cached
    assert used.pages_fetched == len(PAGES)


async def test_the_answering_page_ranks_first(adapter: WebAdapter, site: Site) -> None:
    await adapter.survey(site.url(), 100)
    parts = await parts_for(adapter, site.url(), ANOTHER, "Who ground the lens?")
    hits = await adapter.rank(ANOTHER, parts, 3)
    by_part = {part.id: [hit for hit in hits if hit.part == part.id] for part in parts}
    assert by_part["p1"][0].url == site.url("/visits.html")
    assert by_part["p2"][0].url == site.url("/telescope.html")
    for ranked in by_part.values():
        assert 1 <= len(ranked) <= 3
        assert [hit.score for hit in ranked] == sorted((hit.score for hit in ranked), reverse=True)
        assert len({hit.url for hit in ranked}) == len(ranked)


async def test_a_machine_ranks_the_pages_of_a_site_that_another_has_surveyed(
    site: Site, settings: Settings, postgres: Server
) -> None:
    shared = {"database_url": SecretStr(postgres.url), "blobs": str(settings.data / "pages")}
    async with AsyncExitStack() as stack:
        machines: list[WebAdapter] = []
        for name in ("one", "two"):
            own = settings.model_copy(update={"data": settings.data / name, **shared})
            blobs = stack.enter_context(open_blob_store(own))
            traffic = Traffic(crawls=open_crawls(own))
            opened = WebAdapter(own, blobs, FakeEmbedder(), traffic=traffic)
            machines.append(await stack.enter_async_context(aclosing(opened)))
        await machines[0].survey(site.url(), 100)
        asked = len(site.asked)
        found = [
            await each.rank("", await parts_for(each, site.url(), ANOTHER), 3) for each in machines
        ]
        assert len(site.asked) == asked
    assert found[0] == found[1] != ()


async def test_term_statistics_of_a_surveyed_site(adapter: WebAdapter, site: Site) -> None:
    await adapter.survey(site.url(), 100)
    terms = await adapter.term_statistics(site.url(), "the history of Admission and submarines")
    [history, admission, submarines] = keywords("history Admission submarines")
    assert terms.idf[admission] > 0
    assert terms.idf[submarines] == 0
    assert 0 < terms.share[admission] < 1
    assert terms.share[history] > 0
    assert terms.unit_length > 0
    assert terms.page_length > 0


GERMAN = {
    "/": '<html lang="de"><p>Die <a href="/bau.html">Bauten</a>, der <a href="/tor.html">Tor</a>.',
    "/bau.html": '<html lang="de-AT"><p>Das Haus am Markt wurde im Jahr 1887 gebaut. Es ist rot.',
    "/tor.html": '<html lang="de"><p>Das Tor am Hafen wurde im Jahr 1911 gebaut. Es ist grau.',
}


async def test_words_match_by_the_stems_of_the_page_language(
    settings: Settings, blobs: SqliteBlobs
) -> None:
    ask = "Wann wurden die Häuser gebaut?"
    with Site(GERMAN) as german:
        allowed = settings.model_copy(update={"allow_private": (f"127.0.0.1:{german.port}",)})
        adapter = WebAdapter(allowed, blobs, FakeEmbedder())
        site = german.url()
        await adapter.survey(site, 10)
        known = await adapter.term_statistics(site, ask)
        terms, near = known.idf, known.variants
        part = SubQuestion(id="p1", text=ask, query=ask, site=site, terms=terms, variants=near)
        [first, *_] = await adapter.rank(ask, [part], 3)
        await adapter.aclose()
    assert near["hauser"] == {"haus": 1.0}
    assert terms["hauser"] > 0
    assert known.share["hauser"] == pytest.approx(1 / 3)
    assert "die" not in terms
    assert first.url == german.url("/bau.html")


async def test_a_question_of_stop_words_only_is_ranked_by_them(
    adapter: WebAdapter, site: Site
) -> None:
    await adapter.survey(site.url(), 100)
    terms = await adapter.term_statistics(site.url(), "Who is who?")
    assert terms.idf.keys() == {"who", "is"}


async def test_an_unsurveyed_site_has_no_statistics(adapter: WebAdapter, site: Site) -> None:
    assert await adapter.term_statistics(site.url(), "history") == TermStatistics()
    part = SubQuestion(id="p1", text="Who?", query="Who?", site=site.url())
    assert await adapter.rank("Who?", [part], 5) == ()
    assert site.asked == []


async def test_a_site_that_is_down_raises_an_error(settings: Settings, blobs: SqliteBlobs) -> None:
    with Site(PAGES) as gone:
        address = gone.url()
        allowed = settings.model_copy(update={"allow_private": (f"127.0.0.1:{gone.port}",)})
    adapter = WebAdapter(allowed, blobs, FakeEmbedder())
    with pytest.raises(WebError):
        await adapter.survey(address, 5)
    await adapter.aclose()


async def test_a_page_that_takes_too_long_to_read_raises_an_error(
    adapter: WebAdapter, site: Site
) -> None:
    site.routes["/nested.html"] = Reply(hostile.nested_links())
    with start_meter(Budget(seconds=3)), pytest.raises(ContentError, match="took too long"):
        await adapter.open(site.url("/nested.html"))
    opened = await adapter.open(site.url())
    assert opened.document.text


async def test_a_question_in_another_language_is_ranked_by_words_of_the_site(
    settings: Settings, blobs: SqliteBlobs
) -> None:
    ask = "When was the house built?"
    with Site(GERMAN) as german, closing(open_word_vectors(settings)) as words:
        allowed = settings.model_copy(update={"allow_private": (f"127.0.0.1:{german.port}",)})
        adapter = WebAdapter(allowed, blobs, FakeEmbedder(), glossary=Glossary(words))
        site = german.url()
        await adapter.survey(site, 10)
        terms = {site: await adapter.term_statistics(site, ask)}
        [part] = SubQuestionBuilder(ask, "", terms).build([PlannedLookup(ask=ask)])
        [first, *_] = await adapter.rank(ask, [part], 3)
        await adapter.aclose()
    assert part.text == ask
    assert "haus gebaut" in part.gloss
    assert {"haus", "gebaut"} <= part.terms.keys()
    assert first.url == german.url("/bau.html")
