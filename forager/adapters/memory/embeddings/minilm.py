"""MiniLM in this process, with onnxruntime and tokenizers but no torch.

`MiniLM` is all-MiniLM-L6-v2, which embeds texts. `CrossEncoder` rates how likely a passage answers
a question, and reads which of its words do; it was trained on questions about documentation
(bench/ranker; Nogueira & Cho 2019, arXiv 1901.04085).
"""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors
from tokenizers import Encoding

from forager.adapters.memory.embeddings.token_matcher import (
    PASSAGE_CHARACTERS,
    clean_text,
    open_tokenizer,
)
from forager.adapters.memory.embeddings.vector_cache import normalize_rows
from forager.errors import ModelError
from forager.ports import RatedPassage, ReadTokens, Vectors

GRAPH_FILE, WEIGHTS_FILE = "model.onnx", "weights.bin"
WEIGHTS_SHA256 = "9018bd852f5121155725fd2b67924a4353cb50cb1cfd8b5c665ba09d047eceb8"
MAX_TOKENS = 256
DIMENSIONS = 384
TOKENS_PER_RUN = 256
"""Larger runs are no faster and take more memory."""
TEXTS_PER_CHUNK = 256
MAX_THREADS = 4
"""The upper limit; one core is also left free, so that the user interface stays responsive."""

REINSTALL = "Install Forager again; in a clone, delete that folder and .venv, then start ./run."

LOAD_ERRORS = (
    ort_errors.Fail,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NoSuchFile,
    ort_errors.RuntimeException,
)


@dataclass(frozen=True)
class ForwardPass:
    """A forward pass over the texts at `rows`: `hidden` (batch, tokens, 384), padded right."""

    rows: list[int]
    encodings: list[Encoding]
    lengths: NDArray[np.int32]
    hidden: Vectors


class MiniLM:
    """The model, loaded on construction; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the graph, its weights and the tokenizer. Raises ModelError."""
        self._session = load_session(folder / GRAPH_FILE)
        self._tokenizer = open_tokenizer(folder)
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The mean of the last hidden states, scaled to length 1: float32, (len(texts), 384)."""
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for run in self._forward_passes(texts):
            mask = np.arange(run.hidden.shape[1]) < run.lengths[:, None]
            sums = mask[:, None, :].astype(np.float32) @ run.hidden
            vectors[run.rows] = normalize_rows(sums[:, 0, :])
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[tuple[NDArray[np.int32], Vectors]]:
        """Per text, its tokens' character spans (k, 2) and last hidden states of length 1 (k, 384).

        The special tokens are left out; texts are truncated to 256 tokens.
        """
        found: list[tuple[NDArray[np.int32], Vectors]] = [
            (np.zeros((0, 2), np.int32), np.zeros((0, DIMENSIONS), np.float32)) for _ in texts
        ]
        for run in self._forward_passes(texts, offsets=True):
            for row, encoding, hidden in zip(run.rows, run.encodings, run.hidden, strict=True):
                spans = np.array(encoding.offsets[1:-1], np.int32).reshape(-1, 2)
                found[row] = (spans, normalize_rows(hidden[1 : len(spans) + 1]))
        return found

    def _forward_passes(
        self, texts: Sequence[str], *, offsets: bool = False
    ) -> Iterator[ForwardPass]:
        """Forward passes over texts of similar length, which need little padding."""
        encode = self._tokenizer.encode_batch if offsets else self._tokenizer.encode_batch_fast
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        for start in range(0, len(order), TEXTS_PER_CHUNK):
            chunk = order[start : start + TEXTS_PER_CHUNK]
            encodings = encode([clean_text(texts[row]) for row in chunk])
            pairs = sorted(zip(chunk, encodings, strict=True), key=lambda pair: len(pair[1]))
            for batch in make_batches(pairs):
                rows, encoded = [row for row, _ in batch], [encoding for _, encoding in batch]
                lengths = np.array([len(encoding) for encoding in encoded], np.int32)
                yield ForwardPass(rows, encoded, lengths, self._run_batch(encoded, lengths))

    def _run_batch(self, encodings: list[Encoding], lengths: NDArray[np.int32]) -> Vectors:
        ids = np.zeros((len(encodings), int(lengths.max())), np.int64)
        for row, encoding in enumerate(encodings):
            ids[row, : lengths[row]] = encoding.ids
        hidden: Vectors = self._session.run(None, {"ids": ids, "lengths": lengths})[0]
        return hidden


def load_session(graph: Path) -> ort.InferenceSession:
    """Open the ONNX graph. Raises ModelError if its files are damaged."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = max(1, min(MAX_THREADS, (os.cpu_count() or 1) - 1))
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except LOAD_ERRORS as error:
        raise damaged_files(graph.parent) from error


def check_weights(folder: Path) -> None:
    """Raise ModelError if the weights cannot be read or are not the pinned ones."""
    try:
        with (folder / WEIGHTS_FILE).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise damaged_files(folder) from error
    if digest != WEIGHTS_SHA256:
        raise damaged_files(folder)


def damaged_files(folder: Path) -> ModelError:
    """The error for model files that cannot be used."""
    return ModelError(f"The embedding model at {folder} is damaged.", REINSTALL)


def make_batches(pairs: list[tuple[int, Encoding]]) -> Iterator[list[tuple[int, Encoding]]]:
    """Split pairs, sorted by rising length, into runs of at most TOKENS_PER_RUN padded tokens."""
    batch: list[tuple[int, Encoding]] = []
    for pair in pairs:
        if batch and (len(batch) + 1) * len(pair[1]) > TOKENS_PER_RUN:
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


CROSS_GRAPH_FILE = "cross_encoder.onnx"
TRAINED_FILE, READER_FILE = "cross_encoder.npz", "reader.npz"
QUESTION_TOKENS, HEADING_TOKENS, BEFORE_TOKENS, TEXT_TOKENS = 36, 24, 48, 80
"""How much of each the model was trained to see; of what stands before, the last tokens."""
MAX_KEPT = 4096
"""Passages whose reading is kept in memory: one run asks for the same ones several times."""


class PassageReading(NamedTuple):
    """The log-odds that a passage answers, and the tokens of its text."""

    rating: float
    tokens: ReadTokens


class CrossEncoder:
    """The model, loaded on construction; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the graph, its weights and the tokenizer. Raises ModelError."""
        self._model = PassageModel(folder)
        with np.load(folder.parent / READER_FILE) as trained:
            self._reader = TokenReader(trained)
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, RatedPassage], PassageReading] = OrderedDict()

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> Vectors:
        """The log-odds that each passage answers the question: float32, (len(passages),)."""
        return np.array([each.rating for each in self._all(question, passages)], np.float32)

    def read(self, question: str, passages: Sequence[RatedPassage]) -> list[ReadTokens]:
        """Where in the first 80 tokens of each text the answer may stand."""
        return [each.tokens for each in self._all(question, passages)]

    def _all(self, question: str, passages: Sequence[RatedPassage]) -> list[PassageReading]:
        with self._lock:
            missing = [each for each in passages if (question, each) not in self._kept]
            for state in self._model.encode(question, list(dict.fromkeys(missing))):
                scores = self._reader.score(state.hidden)
                tokens = ReadTokens(state.spans, scores)
                self._kept[question, state.passage] = PassageReading(state.rating, tokens)
            found = [self._kept[question, each] for each in passages]
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
            return found


class TokenReader:
    """Two layers on the last hidden states, which score tokens as parts of an answer."""

    def __init__(self, weights: Mapping[str, NDArray[np.floating]]) -> None:
        """`inner` (384, width) and `shift` of the first layer, `outer` and `bias` of the second."""
        self._weights = [
            weights[name].astype(np.float32) for name in ("inner", "shift", "outer", "bias")
        ]

    def score(self, hidden: Vectors) -> Vectors:
        """`ReadTokens.scores` of tokens with these states (tokens, 384)."""
        inner, shift, outer, bias = self._weights
        scores: Vectors = np.maximum(hidden @ inner + shift, 0) @ outer + bias
        return scores


class PassageState(NamedTuple):
    """A passage, its log-odds, and the characters and last hidden states of its text's tokens."""

    passage: RatedPassage
    rating: float
    spans: NDArray[np.int32]
    hidden: Vectors


class _Row(NamedTuple):
    """The token ids of a question and a passage, and the characters of those of its text."""

    ids: list[int]
    spans: NDArray[np.int32]

    @property
    def text(self) -> slice:
        """Where the tokens of the text stand."""
        return slice(len(self.ids) - len(self.spans) - 1, len(self.ids) - 1)


class PassageModel:
    """The encoder with its rating head."""

    def __init__(self, folder: Path) -> None:
        self._session = load_session(folder / CROSS_GRAPH_FILE)
        self._tokenizer = open_tokenizer(folder)
        self._first, self._end = self._tokenizer.encode("").ids
        with np.load(folder.parent / TRAINED_FILE) as trained:
            self._weight, self._bias = trained["head.weight"], float(trained["head.bias"])

    def encode(self, question: str, passages: Sequence[RatedPassage]) -> Iterator[PassageState]:
        """The states of all passages, in any order."""
        asked = [self._first, *self._encode(question).ids[:QUESTION_TOKENS], self._end]
        rows = sorted(
            ((self._row(asked, each), each) for each in passages), key=lambda row: len(row[0].ids)
        )
        while rows:
            size = max(1, TOKENS_PER_RUN // len(rows[-1][0].ids))
            batch, rows = rows[-size:], rows[:-size]
            yield from self._run_batch(batch, len(asked))

    def _row(self, asked: list[int], passage: RatedPassage) -> _Row:
        heading = self._encode(passage.heading).ids[:HEADING_TOKENS]
        before = self._encode(passage.before).ids[-BEFORE_TOKENS:]
        text = self._encode(passage.text)
        ids = [*asked, *heading, *before, self._end, *text.ids[:TEXT_TOKENS], self._end]
        spans = np.array(text.offsets[:TEXT_TOKENS], np.int32).reshape(-1, 2)
        return _Row(ids, spans)

    def _encode(self, text: str) -> Encoding:
        cleaned = clean_text(text, PASSAGE_CHARACTERS)
        return self._tokenizer.encode(cleaned, add_special_tokens=False)

    def _run_batch(
        self, batch: Sequence[tuple[_Row, RatedPassage]], asked: int
    ) -> Iterator[PassageState]:
        lengths = np.array([len(row.ids) for row, _ in batch], np.int32)
        ids = np.zeros((len(batch), int(lengths.max())), np.int64)
        segments = np.zeros_like(ids)
        for place, (row, _) in enumerate(batch):
            ids[place, : len(row.ids)] = row.ids
            segments[place, asked : len(row.ids)] = 1
        inputs = {"ids": ids, "segments": segments, "lengths": lengths}
        hidden: Vectors = self._session.run(None, inputs)[0]
        for (row, passage), states in zip(batch, hidden, strict=True):
            mean = states[row.text.start : len(row.ids)].mean(axis=0)
            rating = float(np.concatenate([states[0], mean]) @ self._weight + self._bias)
            yield PassageState(passage, rating, row.spans, states[row.text])
