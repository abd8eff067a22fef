"""What an observation takes beside the whole snapshot, and whether what is needed is in it."""

import math
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple
from urllib.parse import urldefrag, urljoin

from bench.browsers import chromium
from bench.kept import KEPT, Holds, Kept, element, elements, kept, passage
from bench.miniwob.episode import Episode
from bench.miniwob.pages import folder, names, served
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import parse
from forager.browsing.page.observation import observe, sought
from forager.domain.browser import Snapshot
from forager.domain.urls import same_site
from forager.prompts.token_count import count_tokens
from graphs.experiments.question_set import Record, Sites
from graphs.experiments.text_table import NOTHING, align_columns, format_figure

Say = Callable[[str], None]
Of = Literal["sites", "miniwob"]
SEED: Final = 42
MOST = 0.9
HEAD = ("set", "n", "whole", "ours", "ratio %", "median %", "snap ms", "ms", "p90", "needs", *KEPT)
LEGEND = """\
n         observations: one for each page and question, in tokens by our estimate
whole     the snapshot as Playwright writes it; ours: what a model is shown of it, both in all
ratio     of ours to the whole: of all tokens, and the median observation's
snap ms   for Playwright to take the snapshot, median; ms: to make an observation of it, CPU time
needs     passages that answer a question, elements that a goal names; of these in percent:
shown     in the observation; found: by a search for the whole question; by words: by a search for
          one of its words, or two that stand together; lost: by none of these"""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How many pages of the sites and of MiniWoB, and what seeds their choice."""

    pages: int = 50
    tasks: int = 1000
    seed: int = 0


@dataclass(frozen=True)
class Asked:
    """A page, and questions about it, each with the quote that answers it or nothing."""

    url: str
    needs: tuple[tuple[str, str], ...]


class Whole(NamedTuple):
    """A page, the tokens of Playwright's snapshot of it and the seconds it took, and ours."""

    page: str
    tokens: int
    taken: float
    snapshot: Snapshot


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A page observed for one question."""

    of: Of
    page: str
    question: str
    whole: int
    ours: int
    taken: float
    made: float
    kept: tuple[Kept, ...]


def drawn(records: Sequence[Record], sites: Sites, plan: Plan) -> list[Asked]:
    """The gold pages in an order drawn at random, at most so many."""
    needs: dict[str, list[tuple[str, str]]] = {}
    for record in records:
        for page in record.pages:
            url = urljoin(sites[page.site], page.path)
            needs.setdefault(url, []).append((record.question, page.quote))
    found = [Asked(url, tuple(each)) for url, each in needs.items()]
    random.Random(plan.seed).shuffle(found)
    return found[: plan.pages]


async def look(records: Sequence[Record], sites: Sites, plan: Plan, say: Say) -> list[Seen]:
    """Observe pages of the sites, gold ones first, and tasks of MiniWoB. Raises UsageError."""
    gold = drawn(records, sites, plan)
    async with chromium() as browser:
        context = await browser.new_context()
        tabs = Tabs(context)
        seen: list[Seen] = []
        ways: dict[str, str] = {}
        for asked in gold:
            seen += await _page(tabs, asked, ways, say)
        for asked in _further(ways, gold, sites, plan):
            seen += await _page(tabs, asked, {}, say)
        await tabs.close()
        if not plan.tasks:
            return seen
        where = folder()
        with served(where) as root:
            tasks = names(where)[: plan.tasks]
            return seen + [await _task(Tabs(context), root, name) for name in tasks]


def _further(
    ways: Mapping[str, str], gold: Sequence[Asked], sites: Sites, plan: Plan
) -> list[Asked]:
    """Pages that the gold pages lead to, each with the question of the page that led there."""
    known = {asked.url for asked in gold}
    new = [url for url in sorted(ways) if url not in known and _on(url, sites)]
    random.Random(plan.seed).shuffle(new)
    return [Asked(url, ((ways[url], ""),)) for url in new[: plan.pages - len(gold)]]


def _on(url: str, sites: Sites) -> bool:
    return any(same_site(root, url) for root in sites.values())


async def _page(tabs: Tabs, asked: Asked, ways: dict[str, str], say: Say) -> list[Seen]:
    await tabs.open_url(asked.url)
    whole = await _whole(asked.url, tabs)
    for node in parse(whole.snapshot.tree).walk():
        if node.url.partition("#")[0].endswith((".html", ".htm", "/")):
            way = urldefrag(urljoin(whole.snapshot.url, node.url)).url
            ways.setdefault(way, asked.needs[0][0])
    seen = [
        _seen("sites", whole, question, [partial(passage, quote)] if quote else [])
        for question, quote in asked.needs
    ]
    say(f"{asked.url}: {seen[0].whole:,} → {seen[0].ours:,} tokens")
    return seen


async def _task(tabs: Tabs, root: str, name: str) -> Seen:
    episode = Episode(tabs)
    await episode.start(f"{root}{name}.html", SEED)
    whole = await _whole(name, tabs)
    needed = elements(parse(whole.snapshot.tree), episode.goal)
    seen = _seen("miniwob", whole, episode.goal, [partial(element, node) for node in needed])
    await tabs.close()
    return seen


async def _whole(page: str, tabs: Tabs) -> Whole:
    began = time.perf_counter()
    tree = await tabs.page.aria_snapshot(mode="ai")
    taken = time.perf_counter() - began
    return Whole(page, count_tokens(tree), taken, await tabs.take_snapshot())


def _seen(of: Of, whole: Whole, question: str, needs: Sequence[Holds]) -> Seen:
    began = time.process_time()
    observed = observe(whole.snapshot, asked=sought([question]))
    made = time.process_time() - began
    return Seen(
        of=of,
        page=whole.page,
        question=question,
        whole=whole.tokens,
        ours=count_tokens("\n".join(item.text for item in observed.lines)),
        taken=whole.taken,
        made=made,
        kept=tuple(kept(observed, whole.snapshot, question, holds) for holds in needs),
    )


def lines(seen: Sequence[Seen]) -> list[str]:
    """The figures of each set and of all, and what was lost."""
    sets = [("sites", "sites"), ("miniwob", "miniwob"), ("all", "")]
    body = [(name, [one for one in seen if one.of == of or not of]) for name, of in sets]
    lost = [f"lost: {one.page}: {one.question}" for one in seen if "lost" in one.kept]
    table = align_columns(HEAD, [_cells(name, ones) for name, ones in body if ones])
    return [*table, "", *LEGEND.splitlines(), *[""] * bool(lost), *lost]


def _cells(name: str, seen: Sequence[Seen]) -> tuple[str, ...]:
    needs = [each for one in seen for each in one.kept]
    whole, ours = sum(one.whole for one in seen), sum(one.ours for one in seen)
    made = sorted(one.made for one in seen)
    return (
        name,
        str(len(seen)),
        f"{whole:,}",
        f"{ours:,}",
        format_figure(100 * ours / whole),
        format_figure(100 * statistics.median(one.ours / one.whole for one in seen)),
        format_figure(1000 * statistics.median(one.taken for one in seen), 0),
        format_figure(1000 * statistics.median(made)),
        format_figure(1000 * made[math.ceil(MOST * len(made)) - 1]),
        str(len(needs)),
        *(format_figure(100 * needs.count(way) / len(needs)) if needs else NOTHING for way in KEPT),
    )
