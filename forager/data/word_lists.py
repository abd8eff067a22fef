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
"""ISO 639; `mul` for what is the same in many languages."""
UNSPACED: Final = frozenset({"ja", "ko", "th", "zh"})
"""Languages whose words are found inside longer runs of letters."""


def _split_words(text: object) -> object:
    """The words between commas, in order."""
    if not isinstance(text, str):
        return text
    return tuple(filter(None, (" ".join(word.split()) for word in text.split(","))))


Words = Annotated[tuple[str, ...], BeforeValidator(_split_words), Field(min_length=1)]
WordSet = Annotated[frozenset[str], BeforeValidator(_split_words), Field(min_length=1)]
ByLanguage = Annotated[Mapping[Language, Words], Field(min_length=1)]


class WordLists(BaseModel):
    """The lists of one file; each subject has its own class."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Lists = TypeVar("Lists", bound="WordLists")


def read_word_lists(subject: str, lists: type[Lists], folder: Path = FOLDER) -> Lists:
    """The lists of a subject. Raises UsageError, which names the file and the list at fault."""
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
    """The words of all languages, each once, in the order of the files."""
    words = (word for each in lists for own in each.values() for word in own)
    return tuple(dict.fromkeys(words))


def spaced_words(lists: Mapping[Language, tuple[str, ...]]) -> tuple[str, ...]:
    """The words of languages with spaces between words."""
    return all_words({each: words for each, words in lists.items() if each not in UNSPACED})


def unspaced_words(lists: Mapping[Language, tuple[str, ...]]) -> tuple[str, ...]:
    """The words of languages without."""
    return all_words({each: words for each, words in lists.items() if each in UNSPACED})


def match_any(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; `*` stands for the rest of a word."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\*", r"\w*") for word in longest_first)


def match_words(lists: Mapping[Language, tuple[str, ...]]) -> str:
    """A pattern for any of the words: as whole words where a language has spaces between them."""
    spaced, unspaced = spaced_words(lists), unspaced_words(lists)
    whole = rf"\b(?:{match_any(spaced)})\b" if spaced else ""
    return "|".join(filter(None, (whole, match_any(unspaced))))
