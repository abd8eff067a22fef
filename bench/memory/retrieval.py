"""Retrieval of similar steps by facet, on the tasks of Mind2Web (CC BY 4.0).

Every step of every task is stored. For sampled steps, the query is the task and the actions so far;
the task's own steps are excluded. A hit has the same next element, or the same website, among the
best three (Self-MAP, arXiv 2402.15057, queries with both facets).
"""

import json
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import get_args

import numpy as np

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder
from forager.adapters.memory.multifaceted import Multifaceted
from forager.domain.actions import Action, BrowserKind, Element
from forager.domain.base import Frozen
from forager.domain.experience import Facets, Moment, Snippet
from forager.errors import UsageError
from forager.settings import Settings

Say = Callable[[str], None]
TOP = 3
ROWS = 1000
ACTION = re.compile(
    r"(?P<element>\[(?P<role>[^]]*)\] *(?P<name>.*?)) *-> *(?P<kind>\w+)(?:: *(?P<value>.*))?"
)
KINDS: Mapping[str, BrowserKind] = MappingProxyType(
    {"CLICK": "click", "TYPE": "type", "SELECT": "select", "HOVER": "hover", "ENTER": "press"}
)
BASELINE: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"semantic": (0.060, 0.332), "trajectory": (0.182, 0.813), "both": (0.197, 0.778)}
)
"""Element and website shares of TF-IDF over words and word pairs: same file, 600 steps, seed 0."""


class FacetScore(Frozen):
    """Shares of the queries with a hit, and the time of a query (ms)."""

    facets: Facets
    element: float
    site: float
    median: float
    p95: float


def load_steps(path: Path) -> tuple[Snippet, ...]:
    """Load the steps of all tasks in file order, the last one newest. Raises UsageError."""
    try:
        made = list(_read_tasks(json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} holds no tasks of Mind2Web ({error!r}).",
            "Name a JSON file: a list of tasks with website, confirmed_task and action_reprs.",
        ) from error
    first = time.time() - len(made)
    return tuple(each.model_copy(update={"time": first + place}) for place, each in enumerate(made))


def measure_retrieval(
    path: Path, settings: Settings, samples: int, seed: int, say: Say
) -> list[FacetScore]:
    """Store all steps in a temporary folder, then query by each facet.

    Embeddings are cached in the settings' data folder. Raises UsageError, StoreError, ModelError.
    """
    steps = load_steps(path)
    embedder = open_embedder(settings)
    with TemporaryDirectory() as folder:
        chroma = Chroma(settings.model_copy(update={"data": Path(folder), "chroma_url": ""}))
        try:
            return _keep_and_score(Multifaceted(chroma, embedder), steps, samples, seed, say)
        finally:
            chroma.close()
            if isinstance(embedder, CachedEmbedder):
                embedder.close()


def retrieval_lines(scores: Sequence[FacetScore]) -> Iterator[str]:
    """Yield a table of the scores by facet, with the baseline."""
    yield f"{'facets':14} {'element':>8} {'website':>8}   {'TF-IDF':>13}   {'median':>8} {'p95':>8}"
    for each in scores:
        known = BASELINE.get(each.facets)
        beside = f"{known[0]:.3f} / {known[1]:.3f}" if known else ""
        yield (
            f"{each.facets:14} {each.element:8.3f} {each.site:8.3f}   {beside:>13}   "
            f"{each.median:5.1f} ms {each.p95:5.1f} ms"
        )


def _read_tasks(tasks: object) -> Iterator[Snippet]:
    if not isinstance(tasks, list):
        raise TypeError("not a list")
    for number, task in enumerate(tasks):
        yield from _task_steps(number, task)


def _task_steps(number: int, task: Mapping[str, object]) -> Iterator[Snippet]:
    told = task["action_reprs"]
    if not isinstance(told, list):
        raise TypeError("action_reprs is not a list")
    for place, each in enumerate(told):
        moment = Moment(
            instruction=str(task["confirmed_task"]),
            before=tuple(map(str, told[:place])),
            site=str(task["website"]),
        )
        yield Snippet(
            id=f"{number}:{place}",
            session=str(number),
            time=0.0,
            moment=moment,
            action=_parse_action(str(each)),
            told=str(each),
        )


def _parse_action(told: str) -> Action:
    """Such as `[button]  Search -> CLICK`."""
    found = ACTION.fullmatch(told.strip())
    if not found:
        raise ValueError(f"{told!r} is no action")
    element = Element(role=found["role"], name=found["name"])
    return Action(
        kind=KINDS.get(found["kind"], "click"), value=found["value"] or "", element=element
    )


def _keep_and_score(
    memory: Multifaceted, steps: Sequence[Snippet], samples: int, seed: int, say: Say
) -> list[FacetScore]:
    began = time.perf_counter()
    for start in range(0, len(steps), ROWS):
        memory.keep(steps[start : start + ROWS])
    say(f"{len(steps)} steps stored in {time.perf_counter() - began:.0f} s")
    asked = random.Random(seed).sample(steps, min(samples, len(steps)))
    return [_score_facets(memory, facets, asked) for facets in get_args(Facets)]


def _score_facets(memory: Multifaceted, facets: Facets, asked: Sequence[Snippet]) -> FacetScore:
    elements = sites = 0
    took: list[float] = []
    for step in asked:
        began = time.perf_counter()
        unplaced = step.moment.model_copy(update={"site": ""})
        found = memory.like(unplaced, facets, TOP, apart=step.session)
        took.append(1000 * (time.perf_counter() - began))
        elements += any(each.action.element == step.action.element for each in found)
        sites += any(each.moment.site == step.moment.site for each in found)
    return FacetScore(
        facets=facets,
        element=elements / len(asked),
        site=sites / len(asked),
        median=float(np.median(took)),
        p95=float(np.percentile(took, 95)),
    )
