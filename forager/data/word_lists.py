"""Reads the word lists in `forager/data`: TOML files of words by language, one file per subject."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from forager.errors import UsageError

FOLDER: Final = Path(__file__).parent
Language = Literal[
    "mul", "ar", "bg", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hu", "id", "it", "ja",
    "ko", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sv", "th", "tr", "uk", "vi", "zh",
]  # fmt: skip
"""ISO 639 codes; `mul` for words shared by many languages."""
UNSPACED: Final = frozenset({"ja", "ko", "th", "zh"})
"""Languages that write words without spaces between them."""


def _split_words(text: object) -> object:
    """Split a text at commas into words, in order."""
    if not isinstance(text, str):
        return text
    return tuple(filter(None, (" ".join(word.split()) for word in text.split(","))))


Words = Annotated[tuple[str, ...], BeforeValidator(_split_words), Field(min_length=1)]
WordSet = Annotated[frozenset[str], BeforeValidator(_split_words), Field(min_length=1)]
ByLanguage = Annotated[Mapping[Language, Words], Field(min_length=1)]


class WordLists(BaseModel):
    """Base class for the lists of one file; each subject has its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Lists = TypeVar("Lists", bound="WordLists")


def read_word_lists(subject: str, lists: type[Lists], folder: Path = FOLDER) -> Lists:
    """Read the lists of a subject. Raises UsageError that names the faulty file and list."""
    file = folder / f"{subject}.toml"
    try:
        return lists.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is not TOML: {error}.", "Correct the file.") from error
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file}: {name}: {first['msg']}.", "Correct this list.") from error


def all_words(*lists: Mapping[Language, tuple[str, ...]]) -> tuple[str, ...]:
    """The distinct words of all languages, in the order of the files."""
    words = (word for each in lists for own in each.values() for word in own)
    return tuple(dict.fromkeys(words))


def spaced_words(lists: Mapping[Language, tuple[str, ...]]) -> tuple[str, ...]:
    """The words of languages that separate words by spaces."""
    return all_words({each: words for each, words in lists.items() if each not in UNSPACED})


def unspaced_words(lists: Mapping[Language, tuple[str, ...]]) -> tuple[str, ...]:
    """The words of languages that do not separate words by spaces."""
    return all_words({each: words for each, words in lists.items() if each in UNSPACED})


def match_any(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first; `*` matches the rest of a word."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\*", r"\w*") for word in longest_first)


def match_words(lists: Mapping[Language, tuple[str, ...]]) -> str:
    """A pattern for any of the words; whole words in languages that separate them by spaces."""
    spaced, unspaced = spaced_words(lists), unspaced_words(lists)
    whole = rf"\b(?:{match_any(spaced)})\b" if spaced else ""
    return "|".join(filter(None, (whole, match_any(unspaced))))
