"""The tokenizer of MiniLM, and static vectors of its tokens.

The vectors were trained on questions about documentation.
"""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from forager.ports import TokenVectors

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


TOKENIZER_FILE = "tokenizer.json"
MAX_CHARACTERS = 10_000
"""No 256 tokens, in any language, are longer."""
PASSAGE_CHARACTERS = 2000
"""As much of a question, a heading or a passage is read."""
TEXTS_AT_ONCE = 512
"""The tokenizer's own record of a text is about 100 bytes a token."""


def open_tokenizer(folder: Path) -> "Tokenizer":
    """The tokenizer in the folder of the model's files; it neither pads nor truncates."""
    from tokenizers import Tokenizer  # noqa: PLC0415  # takes 0.1 s

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def clean_text(text: str, most: int = MAX_CHARACTERS) -> str:
    """The text as the tokenizer accepts it: truncated, and with lone surrogates replaced."""
    return text[:most].encode("utf-8", "replace").decode("utf-8")


TRAINED_FILE = "token_vectors.npz"


class TokenMatcher:
    """Reads its files on first use; safe to share between threads."""

    name = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        """`folder` holds the tokenizer; the vectors are beside it."""
        self._folder = folder

    @cached_property
    def vectors(self) -> TokenVectors:
        """The trained vectors, float32, shape (30522, 128)."""
        with np.load(self._folder.parent / TRAINED_FILE, allow_pickle=False) as trained:
            rows = trained["vectors"].astype(np.float32)
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            return TokenVectors(
                vectors=rows / np.maximum(lengths, np.float32(1e-6)),
                weights=trained["weights"].astype(np.float32),
                slope=float(trained["slope"]),
                middle=float(trained["middle"]),
                around=float(trained["around"]),
            )

    def tokenize(self, texts: Sequence[str]) -> list[NDArray[np.uint16]]:
        """The ids of each text's tokens, in order."""
        return [np.array(each.ids, np.uint16) for each in self._encode(texts)]

    def _encode(self, texts: Sequence[str]) -> Iterator["Encoding"]:
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            chunk = texts[start : start + TEXTS_AT_ONCE]
            cleaned = [clean_text(text, PASSAGE_CHARACTERS) for text in chunk]
            yield from self._tokenizer.encode_batch_fast(cleaned, add_special_tokens=False)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        return open_tokenizer(self._folder)


@cache
def token_matcher(folder: Path) -> TokenMatcher:
    """One matcher per process, because it holds 16 MB."""
    return TokenMatcher(folder)
