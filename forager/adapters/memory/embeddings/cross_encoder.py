"""Rates how likely a passage answers a question: MiniLM as a cross-encoder, trained on questions
about documentation (bench/ranker; Nogueira & Cho 2019, arXiv 1901.04085)."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from forager.adapters.memory.embeddings.minilm import (
    TOKENS_PER_RUN,
    load_session,
)
from forager.adapters.memory.embeddings.token_matcher import (
    PASSAGE_CHARACTERS,
    clean_text,
    open_tokenizer,
)
from forager.ports import RatedPassage, Vectors

GRAPH_FILE = "cross_encoder.onnx"
TRAINED_FILE = "cross_encoder.npz"
QUESTION_TOKENS, HEADING_TOKENS, BEFORE_TOKENS, TEXT_TOKENS = 36, 24, 24, 80
"""How much of each the model was trained to see; of what stands before, the last tokens."""
MAX_KEPT = 4096
"""Ratings that are kept in memory: one run asks for the same ones several times."""

Tokens = NDArray[np.int64]


class CrossEncoder:
    """The model, loaded on construction; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the graph, its weights and the tokenizer. Raises ModelError."""
        self._model = _Model(folder)
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, RatedPassage], float] = OrderedDict()

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> Vectors:
        """The log-odds that each passage answers the question: float32, (len(passages),)."""
        with self._lock:
            missing = [each for each in passages if (question, each) not in self._kept]
            rated = self._model.rate(question, list(dict.fromkeys(missing)))
            for passage, value in rated.items():
                self._kept[question, passage] = value
            found = np.array([self._kept[question, each] for each in passages], np.float32)
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
            return found


class _Model:
    def __init__(self, folder: Path) -> None:
        self._session = load_session(folder / GRAPH_FILE)
        self._tokenizer = open_tokenizer(folder)
        self._first, self._end = self._tokenizer.encode("").ids
        with np.load(folder.parent / TRAINED_FILE) as trained:
            self._weight, self._bias = trained["head.weight"], float(trained["head.bias"])

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> dict[RatedPassage, float]:
        asked = [self._first, *self._ids(question)[:QUESTION_TOKENS], self._end]
        rows = sorted(
            ((self._row(asked, each), each) for each in passages), key=lambda row: len(row[0][0])
        )
        found: dict[RatedPassage, float] = {}
        while rows:
            size = max(1, TOKENS_PER_RUN // len(rows[-1][0][0]))
            batch, rows = rows[-size:], rows[:-size]
            values = self._run_batch([row for row, _ in batch], len(asked))
            found |= {each: float(value) for (_, each), value in zip(batch, values, strict=True)}
        return found

    def _row(self, asked: list[int], passage: RatedPassage) -> tuple[list[int], int]:
        """The token ids, and where those of the text begin."""
        heading = self._ids(passage.heading)[:HEADING_TOKENS]
        before = self._ids(passage.before)[-BEFORE_TOKENS:]
        context = [*asked, *heading, *before, self._end]
        return [*context, *self._ids(passage.text)[:TEXT_TOKENS], self._end], len(context)

    def _ids(self, text: str) -> list[int]:
        cleaned = clean_text(text, PASSAGE_CHARACTERS)
        encoded = self._tokenizer.encode(cleaned, add_special_tokens=False)
        return list(encoded.ids)

    def _run_batch(self, rows: Sequence[tuple[list[int], int]], asked: int) -> Vectors:
        lengths = np.array([len(ids) for ids, _ in rows], np.int32)
        ids = np.zeros((len(rows), int(lengths.max())), np.int64)
        segments = np.zeros_like(ids)
        for row, (tokens, _) in enumerate(rows):
            ids[row, : len(tokens)] = tokens
            segments[row, asked : len(tokens)] = 1
        inputs = {"ids": ids, "segments": segments, "lengths": lengths}
        hidden: Vectors = self._session.run(None, inputs)[0]
        means = np.stack(
            [
                hidden[row, start : len(tokens)].mean(axis=0)
                for row, (tokens, start) in enumerate(rows)
            ]
        )
        rated: Vectors = np.concatenate([hidden[:, 0], means], axis=1) @ self._weight + self._bias
        return rated
