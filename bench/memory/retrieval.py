"""How well steps like a step are found, facet by facet, on the tasks of Mind2Web (CC BY 4.0).

Each step of each task is kept. For sampled steps the task and the actions so far are the question;
the task's own steps are left out. A hit has the next element, or the website, among the best three
(Self-MAP, arXiv 2402.15057, asks with both facets).
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
"""TF-IDF of words and pairs of words, measured on the same file with 600 steps of seed 0."""


class Score(Frozen):
    """Shares of the questions with a hit, and how long an answer takes (ms)."""

    facets: Facets
    element: float
    site: float
    median: float
    p95: float


def load(path: Path) -> tuple[Snippet, ...]:
    """The steps of the tasks, in the file's order, the last one the newest. Raises UsageError."""
    try:
        made = list(_read(json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} holds no tasks of Mind2Web ({error!r}).",
            "Name a JSON file: a list of tasks with website, confirmed_task and action_reprs.",
        ) from error
    first = time.time() - len(made)
    return tuple(each.model_copy(update={"time": first + place}) for place, each in enumerate(made))


def run(path: Path, settings: Settings, samples: int, seed: int, say: Say) -> list[Score]:
    """Keep all steps in a folder of their own, then ask by each facet.

    Embeddings are kept in the settings' data folder. Raises UsageError, StoreError, ModelError.
    """
    steps = load(path)
    embedder = open_embedder(settings)
    with TemporaryDirectory() as folder:
        chroma = Chroma(settings.model_copy(update={"data": Path(folder), "chroma_url": ""}))
        try:
            return _asked(Multifaceted(chroma, embedder), steps, samples, seed, say)
        finally:
            chroma.close()
            if isinstance(embedder, CachedEmbedder):
                embedder.close()


def lines(scores: Sequence[Score]) -> Iterator[str]:
    """A table of the ablation, with the baseline beside it."""
    yield f"{'facets':14} {'element':>8} {'website':>8}   {'TF-IDF':>13}   {'median':>8} {'p95':>8}"
    for each in scores:
        known = BASELINE.get(each.facets)
        beside = f"{known[0]:.3f} / {known[1]:.3f}" if known else ""
        yield (
            f"{each.facets:14} {each.element:8.3f} {each.site:8.3f}   {beside:>13}   "
            f"{each.median:5.1f} ms {each.p95:5.1f} ms"
        )


def _read(tasks: object) -> Iterator[Snippet]:
    if not isinstance(tasks, list):
        raise TypeError("not a list")
    for number, task in enumerate(tasks):
        yield from _steps(number, task)


def _steps(number: int, task: Mapping[str, object]) -> Iterator[Snippet]:
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
            action=_action(str(each)),
            told=str(each),
        )


def _action(told: str) -> Action:
    """Such as `[button]  Search -> CLICK`."""
    found = ACTION.fullmatch(told.strip())
    if not found:
        raise ValueError(f"{told!r} is no action")
    element = Element(role=found["role"], name=found["name"])
    return Action(
        kind=KINDS.get(found["kind"], "click"), value=found["value"] or "", element=element
    )


def _asked(
    memory: Multifaceted, steps: Sequence[Snippet], samples: int, seed: int, say: Say
) -> list[Score]:
    began = time.perf_counter()
    for start in range(0, len(steps), ROWS):
        memory.keep(steps[start : start + ROWS])
    say(f"{len(steps)} steps kept in {time.perf_counter() - began:.0f} s")
    asked = random.Random(seed).sample(steps, min(samples, len(steps)))
    return [_score(memory, facets, asked) for facets in get_args(Facets)]


def _score(memory: Multifaceted, facets: Facets, asked: Sequence[Snippet]) -> Score:
    elements = sites = 0
    took: list[float] = []
    for step in asked:
        began = time.perf_counter()
        unplaced = step.moment.model_copy(update={"site": ""})
        found = memory.like(unplaced, facets, TOP, apart=step.session)
        took.append(1000 * (time.perf_counter() - began))
        elements += any(each.action.element == step.action.element for each in found)
        sites += any(each.moment.site == step.moment.site for each in found)
    return Score(
        facets=facets,
        element=elements / len(asked),
        site=sites / len(asked),
        median=float(np.median(took)),
        p95=float(np.percentile(took, 95)),
    )
