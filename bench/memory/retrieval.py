"""Retrieval of similar steps by facet, on the tasks of Mind2Web (CC BY 4.0).

Every step of every task is stored. For sampled steps, the query is the task and the actions so far;
the task's own steps are excluded. A hit has the same next element, or the same website, among the
best three (Self-MAP, arXiv 2402.15057, queries with both facets).
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import get_args

import numpy as np

from bench.sets.mind2web import KINDS, WebTask, load_tasks
from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder
from forager.adapters.memory.multifaceted import Multifaceted
from forager.domain.actions import Action, Element
from forager.domain.base import Frozen
from forager.domain.experience import Facets, Moment, Snippet
from forager.settings import Settings

Say = Callable[[str], None]
TOP = 3
ROWS = 1000
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
    tasks = load_tasks(path)
    first = time.time() - sum(len(task.actions) for task in tasks)
    steps = (step for number, task in enumerate(tasks) for step in _task_steps(number, task))
    return tuple(
        step.model_copy(update={"time": first + place}) for place, step in enumerate(steps)
    )


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


def _task_steps(number: int, task: WebTask) -> Iterator[Snippet]:
    told = tuple(action.text for action in task.actions)
    for place, action in enumerate(task.actions):
        element = Element(role=action.role, name=action.name)
        yield Snippet(
            id=f"{number}:{place}",
            session=str(number),
            time=0.0,
            moment=Moment(instruction=task.task, before=told[:place], site=task.website),
            action=Action(kind=KINDS[action.op], value=action.value, element=element),
            told=action.text,
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
        found = memory.find_similar(unplaced, facets, TOP, apart=step.session)
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
