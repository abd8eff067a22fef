"""Tokens and time of observations compared with whole snapshots, and what observations keep."""

import math
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple
from urllib.parse import urldefrag, urljoin

from bench.browser.chromium import open_chromium
from bench.browser.observation_recall import (
    RETENTIONS,
    ContainsNeed,
    Retention,
    classify_retention,
    contains_element,
    contains_passage,
    goal_elements,
)
from bench.miniwob.episode import Episode
from bench.miniwob.task_pages import find_pages_folder, list_tasks, serve_tasks
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import parse_aria
from forager.browsing.page.observation import observe, weigh_terms
from forager.domain.browser import Snapshot
from forager.domain.urls import same_site
from forager.prompts.token_count import count_tokens
from graphs.experiments.question_set import Record, Sites
from graphs.experiments.text_table import NOTHING, align_columns, format_figure

Say = Callable[[str], None]
SetName = Literal["sites", "miniwob"]
SEED: Final = 42
MOST = 0.9
HEAD = (
    "set",
    "n",
    "whole",
    "ours",
    "ratio %",
    "median %",
    "snap ms",
    "ms",
    "p90",
    "needs",
    *RETENTIONS,
)
LEGEND = """\
n         observations, one per page and question
whole     estimated tokens of all snapshots as Playwright writes them; ours: of all observations
ratio     ours in percent of the whole: of all tokens, and of the median observation
snap ms   median time of Playwright's snapshot; ms, p90: CPU time to make an observation of it
needs     passages that answer a question, and elements that a goal names; of these, in percent:
shown     in the observation; found: by a search for the whole question; by words: by a search for
          one of its words or two adjacent ones; lost: by none of these"""


@dataclass(frozen=True, kw_only=True)
class ObservationPlan:
    """The number of pages of the sites and of MiniWoB, and the seed of their choice."""

    pages: int = 50
    tasks: int = 1000
    seed: int = 0


@dataclass(frozen=True)
class PageNeeds:
    """A page and pairs of a question and the quote that answers it (empty if unknown)."""

    url: str
    needs: tuple[tuple[str, str], ...]


class WholeSnapshot(NamedTuple):
    """A page, the tokens and seconds of Playwright's own snapshot, and Forager's snapshot."""

    page: str
    tokens: int
    taken: float
    snapshot: Snapshot


@dataclass(frozen=True, kw_only=True)
class ObservedPage:
    """A page observed for one question: tokens of both, and seconds to take and to make them."""

    of: SetName
    page: str
    question: str
    whole: int
    ours: int
    taken: float
    made: float
    kept: tuple[Retention, ...]


def draw_pages(records: Sequence[Record], sites: Sites, plan: ObservationPlan) -> list[PageNeeds]:
    """Draw at most `plan.pages` gold pages in random order."""
    needs: dict[str, list[tuple[str, str]]] = {}
    for record in records:
        for page in record.pages:
            url = urljoin(sites[page.site], page.path)
            needs.setdefault(url, []).append((record.question, page.quote))
    found = [PageNeeds(url, tuple(each)) for url, each in needs.items()]
    random.Random(plan.seed).shuffle(found)
    return found[: plan.pages]


async def observe_pages(
    records: Sequence[Record], sites: Sites, plan: ObservationPlan, say: Say
) -> list[ObservedPage]:
    """Observe pages of the sites, gold pages first, and MiniWoB tasks. Raises UsageError."""
    gold = draw_pages(records, sites, plan)
    async with open_chromium() as browser:
        context = await browser.new_context()
        tabs = Tabs(context)
        seen: list[ObservedPage] = []
        links: dict[str, str] = {}
        for page in gold:
            seen += await _observe_page(tabs, page, links, say)
        for page in _linked_pages(links, gold, sites, plan):
            seen += await _observe_page(tabs, page, {}, say)
        await tabs.close()
        if not plan.tasks:
            return seen
        where = find_pages_folder()
        with serve_tasks(where) as root:
            tasks = list_tasks(where)[: plan.tasks]
            return seen + [await _observe_task(Tabs(context), root, name) for name in tasks]


def _linked_pages(
    links: Mapping[str, str], gold: Sequence[PageNeeds], sites: Sites, plan: ObservationPlan
) -> list[PageNeeds]:
    """Choose pages linked from gold pages, each with a question of the linking page."""
    known = {page.url for page in gold}
    new = [url for url in sorted(links) if url not in known and _is_on_sites(url, sites)]
    random.Random(plan.seed).shuffle(new)
    return [PageNeeds(url, ((links[url], ""),)) for url in new[: plan.pages - len(gold)]]


def _is_on_sites(url: str, sites: Sites) -> bool:
    return any(same_site(root, url) for root in sites.values())


async def _observe_page(
    tabs: Tabs, page: PageNeeds, links: dict[str, str], say: Say
) -> list[ObservedPage]:
    await tabs.open_url(page.url)
    whole = await _snapshot_page(page.url, tabs)
    for node in parse_aria(whole.snapshot.tree).walk():
        if node.url.partition("#")[0].endswith((".html", ".htm", "/")):
            link = urldefrag(urljoin(whole.snapshot.url, node.url)).url
            links.setdefault(link, page.needs[0][0])
    seen = [
        _measure_observation(
            "sites", whole, question, [partial(contains_passage, quote)] if quote else []
        )
        for question, quote in page.needs
    ]
    say(f"{page.url}: {seen[0].whole:,} → {seen[0].ours:,} tokens")
    return seen


async def _observe_task(tabs: Tabs, root: str, name: str) -> ObservedPage:
    episode = Episode(tabs)
    await episode.start(f"{root}{name}.html", SEED)
    whole = await _snapshot_page(name, tabs)
    needed = goal_elements(parse_aria(whole.snapshot.tree), episode.goal)
    seen = _measure_observation(
        "miniwob", whole, episode.goal, [partial(contains_element, node) for node in needed]
    )
    await tabs.close()
    return seen


async def _snapshot_page(page: str, tabs: Tabs) -> WholeSnapshot:
    began = time.perf_counter()
    tree = await tabs.page.aria_snapshot(mode="ai")
    taken = time.perf_counter() - began
    return WholeSnapshot(page, count_tokens(tree), taken, await tabs.take_snapshot())


def _measure_observation(
    of: SetName, whole: WholeSnapshot, question: str, needs: Sequence[ContainsNeed]
) -> ObservedPage:
    began = time.process_time()
    observed = observe(whole.snapshot, asked=weigh_terms([question]))
    made = time.process_time() - began
    return ObservedPage(
        of=of,
        page=whole.page,
        question=question,
        whole=whole.tokens,
        ours=count_tokens("\n".join(item.text for item in observed.lines)),
        taken=whole.taken,
        made=made,
        kept=tuple(
            classify_retention(observed, whole.snapshot, question, holds) for holds in needs
        ),
    )


def observation_lines(seen: Sequence[ObservedPage]) -> list[str]:
    """Return a table by set and in all, its legend, and the lost needs."""
    sets = [("sites", "sites"), ("miniwob", "miniwob"), ("all", "")]
    body = [(name, [one for one in seen if one.of == of or not of]) for name, of in sets]
    lost = [f"lost: {one.page}: {one.question}" for one in seen if "lost" in one.kept]
    table = align_columns(HEAD, [_set_cells(name, ones) for name, ones in body if ones])
    return [*table, "", *LEGEND.splitlines(), *[""] * bool(lost), *lost]


def _set_cells(name: str, seen: Sequence[ObservedPage]) -> tuple[str, ...]:
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
        *(
            format_figure(100 * needs.count(status) / len(needs)) if needs else NOTHING
            for status in RETENTIONS
        ),
    )
