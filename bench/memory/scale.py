"""Speed and recall of a full memory: Mind2Web steps, recombined within their sites."""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.memory.retrieval import load_steps
from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.embeddings.embedder import open_embedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder, NamedEmbedder
from forager.adapters.memory.multifaceted import Multifaceted
from forager.domain.base import Frozen
from forager.domain.experience import Moment, Snippet
from forager.experience.facets import NO_ACTION, moment_vectors, query_vector
from forager.ports import Vectors
from forager.settings import Settings

Say = Callable[[str], None]
TOP = 3
ROWS = 1000
SWAPPED = 0.25
"""Share of a step's earlier actions that come from another task."""
EQUAL = 1e-5
"""Scores that differ by less are equal, as records of equal content are equally near."""


class MemorySize(Frozen):
    """Numbers of snippets to store and to query for, and the seed of their content."""

    records: int
    samples: int
    seed: int = 0


class ScaleFigures(Frozen):
    """Inserts per second of wall and of CPU time, recall, and query times (ms).

    `nearest` and `whole` are median and p95 of wall time, `whole_busy` the mean CPU time, `opened`
    the seconds to reopen the store, and `load` the machine's load average.
    """

    records: int
    inserts: float
    inserts_busy: float
    recall: float
    nearest: tuple[float, float]
    whole: tuple[float, float]
    whole_busy: float
    opened: float
    load: float


class PrecomputedEmbedder:
    """An embedder with all texts embedded in advance."""

    available = True
    rater = None
    matcher = None

    def __init__(self, inner: NamedEmbedder, texts: Sequence[str]) -> None:
        self.name = inner.name
        self._rows = dict(zip(texts, inner.embed(texts), strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one float32 row of length 1 per text. Raises KeyError for an unknown text."""
        return np.stack([self._rows[text] for text in texts])


def measure_scale(path: Path, settings: Settings, size: MemorySize, say: Say) -> ScaleFigures:
    """Store `size.records` steps and query for others. Raises UsageError, StoreError."""
    steps = load_steps(path)
    embedder = open_embedder(settings)
    texts = {text for step in steps for text in (step.moment.instruction, step.told)}
    say(f"embedding {len(texts)} texts")
    known = PrecomputedEmbedder(embedder, [*sorted(texts), NO_ACTION])
    if isinstance(embedder, CachedEmbedder):
        embedder.close()
    made = list(recombine_steps(steps, size.records + size.samples, size.seed))
    with TemporaryDirectory() as folder:
        alone = settings.model_copy(update={"data": Path(folder), "chroma_url": ""})
        with closing(Chroma(alone)) as chroma:
            memory = Multifaceted(chroma, known)
            inserts, busy = _time_inserts(memory, made[: size.records], say)
            chroma.close()
            began = time.perf_counter()
            memory.collection.count()
            opened = time.perf_counter() - began
            say("querying")
            exact = moment_vectors([step.moment for step in made[: size.records]], known)
            recall, nearest, whole, answering = _time_retrievals(
                memory, made[size.records :], exact, known
            )
    return ScaleFigures(
        records=size.records,
        inserts=inserts,
        inserts_busy=busy,
        recall=recall,
        nearest=nearest,
        whole=whole,
        whole_busy=answering,
        opened=opened,
        load=os.getloadavg()[0],
    )


def scale_lines(scale: ScaleFigures) -> Iterator[str]:
    """Yield the figures as text."""
    yield f"{scale.records} snippets; load average of the machine {scale.load:.1f}"
    yield (
        f"insert, embeddings precomputed: {scale.inserts:.0f}/s, "
        f"{scale.inserts_busy:.0f} per second of CPU time"
    )
    yield f"recall@{TOP} against exact search: {scale.recall:.4f}"
    for name, (median, p95) in (("nearest", scale.nearest), ("retrieval", scale.whole)):
        yield f"{name}: median {median:.1f} ms, p95 {p95:.1f} ms"
    yield f"CPU time of a retrieval: {scale.whole_busy:.1f} ms"
    yield f"reopened in {scale.opened:.1f} s"


def recombine_steps(steps: Sequence[Snippet], count: int, seed: int) -> Iterator[Snippet]:
    """Yield steps with an instruction and some earlier actions from other tasks of their site."""
    draw = random.Random(seed)
    sites: dict[str, list[Snippet]] = {}
    for step in steps:
        sites.setdefault(step.moment.site, []).append(step)
    for number in range(count):
        step = draw.choice(steps)
        others = sites[step.moment.site]
        before = tuple(
            draw.choice(others).told if draw.random() < SWAPPED else told
            for told in step.moment.before
        )
        moment = Moment(
            instruction=draw.choice(others).moment.instruction,
            before=before,
            site=step.moment.site,
        )
        made = {"id": f"made:{number}", "session": f"s{number // 10}", "moment": moment}
        yield step.model_copy(update=made)


def _time_inserts(memory: Multifaceted, steps: Sequence[Snippet], say: Say) -> tuple[float, float]:
    """Store the steps; return inserts per second of wall time and of CPU time."""
    began, busy = time.perf_counter(), time.process_time()
    for start in range(0, len(steps), ROWS):
        memory.keep(steps[start : start + ROWS])
        if not (start // ROWS) % 10:
            say(f"{start} stored, {time.perf_counter() - began:.0f} s")
    return (
        len(steps) / (time.perf_counter() - began),
        len(steps) / (time.process_time() - busy),
    )


def _time_retrievals(
    memory: Multifaceted, steps: Sequence[Snippet], exact: Vectors, known: PrecomputedEmbedder
) -> tuple[float, tuple[float, float], tuple[float, float], float]:
    """Return recall, median and p95 (ms) of search and of retrieval, and CPU ms of the latter."""
    found, busy, nearest, whole = 0.0, 0.0, [], []
    for step in steps:
        began, before = time.perf_counter(), time.process_time()
        memory.find_similar(step.moment, "both", TOP)
        whole.append(1000 * (time.perf_counter() - began))
        busy += 1000 * (time.process_time() - before)
        vector = query_vector(step.moment, "both", known)
        began = time.perf_counter()
        matches = memory.collection.find_nearest(vector, TOP, texts=False)
        nearest.append(1000 * (time.perf_counter() - began))
        scores = exact @ vector
        least = np.partition(scores, -TOP)[-TOP]
        found += sum(match.score >= least - EQUAL for match in matches) / TOP
    return found / len(steps), _median_and_p95(nearest), _median_and_p95(whole), busy / len(steps)


def _median_and_p95(took: Sequence[float]) -> tuple[float, float]:
    return float(np.median(took)), float(np.percentile(took, 95))
