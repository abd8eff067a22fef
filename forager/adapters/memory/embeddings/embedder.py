"""The embedder of the settings: the built-in MiniLM, an endpoint, or none; results are cached."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forager.adapters.memory.embeddings.embedding_endpoint import EndpointEmbedder
from forager.adapters.memory.embeddings.token_matcher import token_matcher
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder, NamedEmbedder
from forager.data import word_lists
from forager.errors import ModelError
from forager.ports import Matcher, RatedPassage, Rater, ReadTokens, Vectors
from forager.settings import Settings

if TYPE_CHECKING:
    from forager.adapters.memory.embeddings.minilm import CrossEncoder, MiniLM

MODEL_FOLDER = word_lists.FOLDER / "minilm"
"""A build of Forager puts the model's files there; see `hatch_build.py`."""
NO_MODEL = "the files of all-MiniLM-L6-v2 are not installed"


class LocalEmbedder:
    """all-MiniLM-L6-v2 in this process, loaded by the first call; safe to share between threads."""

    available = True
    name = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        """`folder` holds the model's files."""
        self._folder = folder
        self._lock = threading.Lock()
        self._model: MiniLM | None = None
        self._rater: CrossEncoder | None = None

    @property
    def rater(self) -> Rater | None:
        """The same weights as a cross-encoder; None if Forager was built without them."""
        return self if (self._folder / "cross_encoder.onnx").is_file() else None

    @property
    def matcher(self) -> Matcher:
        """The trained vectors of the same tokens."""
        return token_matcher(self._folder)

    def rate(self, question: str, passages: Sequence[RatedPassage]) -> Vectors:
        """The log-odds that each passage answers the question, (len(passages),).

        Raises ModelError.
        """
        return self._load_rater().rate(question, passages)

    def read(self, question: str, passages: Sequence[RatedPassage]) -> list[ReadTokens]:
        """Where in the text of each passage the answer may stand. Raises ModelError."""
        return self._load_rater().read(question, passages)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, float32, (len(texts), 384). Raises ModelError."""
        return self._load_model().embed(texts)

    def embed_tokens(self, texts: Sequence[str]) -> list[tuple[NDArray[np.int32], Vectors]]:
        """Per text the tokens' character spans (k, 2) and vectors of length 1 (k, 384)."""
        return self._load_model().embed_tokens(texts)

    def _load_model(self) -> "MiniLM":
        with self._lock:
            if self._model is None:
                from forager.adapters.memory.embeddings.minilm import MiniLM  # noqa: PLC0415  # takes 0.3 s

                self._model = MiniLM(self._folder)
            return self._model

    def _load_rater(self) -> "CrossEncoder":
        with self._lock:
            if self._rater is None:
                from forager.adapters.memory.embeddings.minilm import CrossEncoder  # noqa: PLC0415  # takes 0.3 s

                self._rater = CrossEncoder(self._folder)
            return self._rater


class LexicalOnly:
    """Stands for a missing embedder; `name` gives the reason."""

    available = False
    rater = None
    matcher: Matcher | None = None

    def __init__(self, reason: str) -> None:
        self.name = f"none, lexical ranking only: {reason}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Always raises ModelError; check `available` first."""
        raise ModelError(
            f"There is no embedder ({self.name}).",
            "Install Forager from its wheel or with ./run, or set FORAGER_EMBEDDING_URL.",
        )


def open_embedder(settings: Settings) -> NamedEmbedder:
    """The embedder that settings and installation allow; its model is loaded on first use."""
    if settings.embedding_url:
        key = settings.embedding_key.get_secret_value() if settings.embedding_key else None
        url = settings.embedding_url
        endpoint = EndpointEmbedder(
            url, settings.embedding_model, key, proxy=settings.proxy_for(url)
        )
        return CachedEmbedder(endpoint, settings.data / "vectors.sqlite")
    if not has_model():
        return LexicalOnly(NO_MODEL)
    return CachedEmbedder(_local_embedder(), settings.data / "vectors.sqlite")


def has_model() -> bool:
    """Whether Forager was built with the model's files."""
    return (MODEL_FOLDER / "model.onnx").is_file()


@cache
def _local_embedder() -> LocalEmbedder:
    """One embedder per process, because each holds a model in memory."""
    return LocalEmbedder(MODEL_FOLDER)


@contextmanager
def closing_embedder(settings: Settings) -> Iterator[NamedEmbedder]:
    """The embedder of the settings, closed after the body with its connections."""
    embedder = open_embedder(settings)
    try:
        yield embedder
    finally:
        if isinstance(embedder, CachedEmbedder):
            embedder.close()
            if isinstance(embedder.inner, EndpointEmbedder):
                embedder.inner.close()
