"""How the memory does when it is full: steps of Mind2Web, recombined within their sites."""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.memory.retrieval import load
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
"""Share of a step's earlier actions that are taken from another task."""
EQUAL = 1e-5
"""Scores that differ by less are the same: records of equal content lie equally near."""


class Size(Frozen):
    """How many snippets are kept and asked for, and the seed of what they are made of."""

    records: int
    samples: int
    seed: int = 0


class Scale(Frozen):
    """Records; inserts per second of the clock and of the processors; recall; ms of an answer.

    Of an answer median and p95 by the clock, and the mean of processor time.
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


class Precomputed:
    """An embedder that knows its texts already."""

    available = True

    def __init__(self, inner: NamedEmbedder, texts: Sequence[str]) -> None:
        self.name = inner.name
        self._rows = dict(zip(texts, inner.embed(texts), strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text, float32."""
        return np.stack([self._rows[text] for text in texts])


def run(path: Path, settings: Settings, size: Size, say: Say) -> Scale:
    """Keep so many steps, and ask for steps like others. Raises UsageError, StoreError."""
    steps = load(path)
    embedder = open_embedder(settings)
    texts = {text for step in steps for text in (step.moment.instruction, step.told)}
    say(f"embedding {len(texts)} texts")
    known = Precomputed(embedder, [*sorted(texts), NO_ACTION])
    if isinstance(embedder, CachedEmbedder):
        embedder.close()
    made = list(recombined(steps, size.records + size.samples, size.seed))
    with TemporaryDirectory() as folder:
        alone = settings.model_copy(update={"data": Path(folder), "chroma_url": ""})
        with closing(Chroma(alone)) as chroma:
            memory = Multifaceted(chroma, known)
            inserts, busy = _kept(memory, made[: size.records], say)
            chroma.close()
            began = time.perf_counter()
            memory.collection.count()
            opened = time.perf_counter() - began
            say("asking")
            exact = moment_vectors([step.moment for step in made[: size.records]], known)
            recall, nearest, whole, answering = _asked(memory, made[size.records :], exact, known)
    return Scale(
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


def lines(scale: Scale) -> Iterator[str]:
    """What was measured, in words."""
    yield f"{scale.records} snippets; the machine's load was {scale.load:.1f}"
    yield (
        f"insert, embeddings precomputed: {scale.inserts:.0f}/s, "
        f"{scale.inserts_busy:.0f} in a second of processor time"
    )
    yield f"recall@{TOP} against exact search: {scale.recall:.4f}"
    for name, (median, p95) in (("nearest", scale.nearest), ("retrieval", scale.whole)):
        yield f"{name}: median {median:.1f} ms, p95 {p95:.1f} ms"
    yield f"processor time of a retrieval: {scale.whole_busy:.1f} ms"
    yield f"opened again in {scale.opened:.1f} s"


def recombined(steps: Sequence[Snippet], count: int, seed: int) -> Iterator[Snippet]:
    """Steps under instructions of their site, with some of the site's actions before them."""
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


def _kept(memory: Multifaceted, steps: Sequence[Snippet], say: Say) -> tuple[float, float]:
    """Inserts per second of the clock, and of the processors."""
    began, busy = time.perf_counter(), time.process_time()
    for start in range(0, len(steps), ROWS):
        memory.keep(steps[start : start + ROWS])
        if not (start // ROWS) % 10:
            say(f"{start} kept, {time.perf_counter() - began:.0f} s")
    return (
        len(steps) / (time.perf_counter() - began),
        len(steps) / (time.process_time() - busy),
    )


def _asked(
    memory: Multifaceted, steps: Sequence[Snippet], exact: Vectors, known: Precomputed
) -> tuple[float, tuple[float, float], tuple[float, float], float]:
    """Recall, median and p95 (ms) of the nearest alone and of a whole retrieval, its busy ms."""
    found, busy, nearest, whole = 0.0, 0.0, [], []
    for step in steps:
        began, before = time.perf_counter(), time.process_time()
        memory.like(step.moment, "both", TOP)
        whole.append(1000 * (time.perf_counter() - began))
        busy += 1000 * (time.process_time() - before)
        vector = query_vector(step.moment, "both", known)
        began = time.perf_counter()
        matches = memory.collection.nearest(vector, TOP, texts=False)
        nearest.append(1000 * (time.perf_counter() - began))
        scores = exact @ vector
        least = np.partition(scores, -TOP)[-TOP]
        found += sum(match.score >= least - EQUAL for match in matches) / TOP
    return found / len(steps), _typical(nearest), _typical(whole), busy / len(steps)


def _typical(took: Sequence[float]) -> tuple[float, float]:
    return float(np.median(took)), float(np.percentile(took, 95))
