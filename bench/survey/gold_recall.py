"""Ranks of the gold pages in a survey, compared with plain BM25 over titles and bodies."""

import asyncio
import re
import statistics
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field

from rank_bm25 import BM25Okapi

from bench.survey.node_params import read_surveyor_params
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.domain import urls
from forager.domain.documents import Document
from forager.domain.state import Question, State
from forager.ports import Ports
from forager.settings import Settings
from graphs.experiments.question_set import Record, Sites, allow_sites, refuse_unserved
from graphs.experiments.scoring import count_recalled, ratio
from graphs.experiments.text_table import align_columns, format_figure, format_percent
from graphs.runtime.composition import open_adapters
from nodes.surveyor import SurveyorParams, survey

Say = Callable[[str], None]
TOPS = (1, 5, 10)
WORD = re.compile(r"\w+")
OURS, PLAIN = "survey", "bm25"


@dataclass(frozen=True)
class PlainBm25:
    """rank_bm25 with its defaults over title and body of all pages of some sites."""

    keys: tuple[str, ...]
    ranker: BM25Okapi

    def rank(self, question: str, top: int) -> list[str]:
        """Return the keys of the best pages, best first."""
        scores = self.ranker.get_scores(_split_words(question))
        return [self.keys[place] for place in sorted(range(len(scores)), key=lambda n: -scores[n])][
            :top
        ]


@dataclass(frozen=True)
class RankedQuestion:
    """A question, its gold pages, and for each ranking its pages in order and its seconds."""

    record: Record
    gold: tuple[str, ...]
    pages: Mapping[str, Sequence[str]]
    seconds: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class RankingBench:
    """Makes the rankings; sites are surveyed when first asked about."""

    sites: Sites
    params: SurveyorParams
    ports: Ports
    library: WebLibrary
    blobs: SqliteBlobs
    surveyed: dict[str, int] = field(default_factory=dict)
    plain: dict[tuple[str, ...], PlainBm25] = field(default_factory=dict)

    async def rank_question(self, record: Record, say: Say) -> RankedQuestion:
        """Rank the pages for one question in both ways. Raises WebError and StoreError."""
        roots = tuple(self.sites[name] for name in record.sites)
        for root in roots:
            await self._survey_site(root, say)
        started = time.perf_counter()
        ours = await self._rank_arms(record.question, roots)
        between = time.perf_counter()
        if roots not in self.plain:
            self.plain[roots] = await asyncio.to_thread(self._index_pages, roots)
        begun = time.perf_counter()
        plain = await asyncio.to_thread(self.plain[roots].rank, record.question, max(TOPS))
        seconds = {OURS: between - started, PLAIN: time.perf_counter() - begun}
        return RankedQuestion(
            record, record.gold_keys(self.sites), {OURS: ours, PLAIN: plain}, seconds
        )

    async def _survey_site(self, root: str, say: Say) -> None:
        if root in self.surveyed:
            return
        started = time.perf_counter()
        found = await self.ports.web.survey(root, self.params.pages)
        self.surveyed[root] = found.pages
        say(f"{root}: {found.pages} pages, {time.perf_counter() - started:.1f} s")

    async def _rank_arms(self, question: str, roots: tuple[str, ...]) -> list[str]:
        """Return the keys of the surveyor's arms by descending score."""
        state = State(question=Question(text=question, sites=roots))
        update = await survey(state, self.ports, self.params)
        return [
            urls.page_key(arm.url) for arm in sorted(update["arms"], key=lambda arm: -arm.score)
        ]

    def _index_pages(self, roots: tuple[str, ...]) -> PlainBm25:
        found = [self.library.load_map(root) for root in roots]
        pages = [page for one in found if one for page in one.pages]
        texts = [Document.model_validate_json(self.blobs.get(page.blob)).text for page in pages]
        words = [
            _split_words(f"{page.title} {text}") for page, text in zip(pages, texts, strict=True)
        ]
        return PlainBm25(tuple(urls.page_key(page.url) for page in pages), BM25Okapi(words))


def _split_words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def rank_questions(
    records: Sequence[Record], sites: Sites, graph: str, settings: Settings, say: Say
) -> list[RankedQuestion]:
    """Rank pages for every question with gold pages. Raises UsageError, WebError, StoreError."""
    asked = [record for record in records if record.pages]
    refuse_unserved(asked, sites)
    return asyncio.run(
        _rank_all(asked, sites, read_surveyor_params(graph), allow_sites(settings, sites), say)
    )


async def _rank_all(
    records: Sequence[Record], sites: Sites, params: SurveyorParams, settings: Settings, say: Say
) -> list[RankedQuestion]:
    async with _open_bench(sites, params, settings) as bench:
        return [await bench.rank_question(record, say) for record in records]


@asynccontextmanager
async def _open_bench(
    sites: Sites, params: SurveyorParams, settings: Settings
) -> AsyncIterator[RankingBench]:
    with (
        closing(SqliteBlobs(settings.data / "blobs.sqlite")) as blobs,
        open_adapters(settings) as doors,
    ):
        library = WebLibrary(settings, blobs)
        try:
            async with doors("offline", time.time()) as ports:
                yield RankingBench(
                    sites=sites, params=params, ports=ports, library=library, blobs=blobs
                )
        finally:
            await library.aclose()


HEAD = (
    "type",
    "n",
    *(f"{name} @{top}" for name in (OURS, PLAIN) for top in TOPS),
    *(f"{name} all @{max(TOPS)}" for name in (OURS, PLAIN)),
    *(f"{name} s" for name in (OURS, PLAIN)),
)
LEGEND = f"""\
@k: questions (%) with a gold page among the first k; all @{max(TOPS)}: with every gold page among
the first {max(TOPS)}; s: median seconds to rank the pages of surveyed sites for one question."""


def recall_lines(ranked: Sequence[RankedQuestion]) -> list[str]:
    """Return the table by type and in all, the questions missed, and the legend."""
    kinds = dict.fromkeys(one.record.type for one in ranked)
    body = [
        _type_cells(kind, [one for one in ranked if kind in (one.record.type, "all")])
        for kind in (*kinds, "all")
    ]
    missed = [
        one.record.id for one in ranked if not count_recalled(one.pages[OURS], one.gold, max(TOPS))
    ]
    told = [f"No gold page among the first {max(TOPS)}: {', '.join(missed)}"] if missed else []
    return [*align_columns(HEAD, body), "", *told, *LEGEND.splitlines()]


def _type_cells(kind: str, ranked: Sequence[RankedQuestion]) -> tuple[str, ...]:
    def share(name: str, top: int, *, every: bool = False) -> str:
        found = [
            count_recalled(one.pages[name], one.gold, top) >= (len(one.gold) if every else 1)
            for one in ranked
        ]
        return format_percent(ratio(sum(found), len(found)))

    return (
        kind,
        str(len(ranked)),
        *(share(name, top) for name in (OURS, PLAIN) for top in TOPS),
        *(share(name, max(TOPS), every=True) for name in (OURS, PLAIN)),
        *(
            format_figure(statistics.median(one.seconds[name] for one in ranked), 2)
            for name in (OURS, PLAIN)
        ),
    )
