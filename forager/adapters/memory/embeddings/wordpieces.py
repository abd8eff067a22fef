"""The tokenizer of MiniLM, which cuts texts into words and pieces of words."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER_FILE = "tokenizer.json"
MAX_CHARACTERS = 10_000
"""No 256 tokens, in any language, are longer."""
PASSAGE_CHARACTERS = 2000
"""As much of a question, a heading or a passage is read."""


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
