"""Embeddings from an OpenAI-compatible endpoint (POST {base}/embeddings)."""

import time
from collections.abc import Mapping, Sequence

import httpx2
import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from forager.adapters.memory.embeddings.vector_cache import normalize_rows
from forager.errors import ModelError
from forager.ports import Vectors

TEXTS_PER_REQUEST = 64
ATTEMPTS = 3
MAX_WAIT_SECONDS = 10.0
RETRIED = frozenset({429, 500, 502, 503, 504})


class Row(BaseModel):
    """One vector of the reply."""

    model_config = ConfigDict(allow_inf_nan=False)

    index: int
    embedding: list[float]


class Rows(BaseModel):
    """The part of the reply that is read."""

    data: list[Row]


class EndpointEmbedder:
    """Requests the vectors of `model` from `url`; safe to share between threads."""

    available = True
    rater = None
    matcher = None

    def __init__(
        self,
        url: str,
        model: str,
        key: str | None,
        *,
        seconds: float = 60.0,
        proxy: str | None = None,
    ) -> None:
        self.name = f"{model} at {url}"
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(headers=headers, timeout=seconds, proxy=proxy, trust_env=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text, float32. Raises ModelError."""
        starts = range(0, len(texts), TEXTS_PER_REQUEST)
        parts = [self._embed_batch(texts[start : start + TEXTS_PER_REQUEST]) for start in starts]
        if not parts:
            return np.zeros((0, 0), np.float32)
        if len({part.shape[1] for part in parts}) > 1:
            raise self._unusable_reply("it returns vectors of different lengths")
        return np.concatenate(parts)

    def close(self) -> None:
        self._client.close()

    def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        # Some endpoints refuse empty texts.
        body = {"model": self._model, "input": [text or " " for text in texts]}
        response = self._post_batch(body)
        try:
            rows = Rows.model_validate_json(response.content).data
        except ValidationError as error:
            raise self._unusable_reply("its reply does not fit the embeddings API") from error
        rows.sort(key=lambda row: row.index)
        widths = {len(row.embedding) for row in rows}
        if len(rows) != len(texts) or len(widths) != 1 or 0 in widths:
            raise self._unusable_reply(f"it returned {len(rows)} vectors for {len(texts)} texts")
        vectors = np.array([row.embedding for row in rows], np.float32)
        return normalize_rows(vectors)

    def _post_batch(self, body: Mapping[str, object]) -> httpx2.Response:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._client.post(self._url, json=body)
            except httpx2.HTTPError as error:
                raise self._unusable_reply(f"{type(error).__name__}: {error}") from error
            if response.is_success:
                return response
            if response.status_code not in RETRIED or attempt == ATTEMPTS:
                break
            time.sleep(retry_delay(response, attempt))
        raise self._unusable_reply(f"status {response.status_code}: {response.text[:200].strip()}")

    def _unusable_reply(self, why: str) -> ModelError:
        return ModelError(
            f"The embedding endpoint {self._url} cannot be used ({why}).",
            "Check FORAGER_EMBEDDING_URL, _MODEL and _KEY, or unset them for the built-in model.",
        )


def retry_delay(response: httpx2.Response, attempt: int) -> float:
    """Seconds to wait before the next attempt: the server's Retry-After, or 1, 2, 4 …"""
    value = response.headers.get("Retry-After", "")
    seconds = float(value) if value.isdecimal() else 2.0 ** (attempt - 1)
    return min(seconds, MAX_WAIT_SECONDS)
