"""How alike two questions are, and vectors for texts where nothing embeds them."""

import hashlib
from collections.abc import Sequence

import numpy as np

from forager.memory.unit import unit
from forager.memory.vectors import NamedEmbedder
from forager.ports import Vectors
from forager.text.tokens import keywords

ENDS = " \t?!.。？！"
UNRELATED = 0.3
"""Cosine of MiniLM below which questions have nothing to do with one another: of pairs on
different sites 99 of 100 lie below, half of the pairs on one site above."""
ALMOST = 0.9
"""The likeness of questions that are not the same: one word may be all that differs."""
HASHED = 384


def folded(question: str) -> str:
    """What a question shares with itself asked again: no case, even spaces, no mark at its end."""
    return " ".join(question.casefold().split()).strip(ENDS)


def likeness(asked: str, before: str, cosine: float) -> float:
    """1 for the same question, 0 for an unrelated one, at the most `ALMOST` for any other."""
    if folded(asked) == folded(before):
        return 1.0
    return ALMOST * float(np.clip((cosine - UNRELATED) / (1.0 - UNRELATED), 0.0, 1.0))


def layout(embedder: NamedEmbedder) -> str:
    """Names what `embedded` makes of a text."""
    return embedder.name if embedder.available else "words"


def embedded(embedder: NamedEmbedder, texts: Sequence[str]) -> Vectors:
    """One row of length 1 for each text; of its words where there is no embedder.

    Raises ModelError, StoreError.
    """
    return embedder.embed(texts) if embedder.available else hashed(texts)


def hashed(texts: Sequence[str]) -> Vectors:
    """Each index term counts in one of 384 places, for or against; a text of none has its own."""
    found = np.zeros((len(texts), HASHED), np.float32)
    for row, text in enumerate(texts):
        for term in keywords(text) or (folded(text),):
            key = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big")
            found[row, key // 2 % HASHED] += 1.0 if key % 2 else -1.0
        if not found[row].any():
            found[row, 0] = 1.0
    return unit(found)
