"""Looks texts up: a text of the code by itself, a sentence of the server by its template."""

import json
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from ui.language.local_formats import format_number

FOLDER: Final = Path(__file__).parent
ENGLISH: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {ENGLISH: "English", "de": "Deutsch", "zh": "中文"}
"""The languages by their codes, each named in itself."""
TAGS: Final[Mapping[str, str]] = {"zh": "zh-Hans"}
"""For the attribute `lang`, where it is not the code."""
WITHOUT_PLURAL: Final = frozenset({"zh"})
BETWEEN_PARTS: Final = " · "
"""What parts the pieces of what the server says."""
BEFORE_LESSON: Final = ": "
"""What parts the title of a page from what was learned there."""
BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?]) (?=[A-Z“])")
QUOTATION: Final = "“{text}”"
QUOTED: Final = re.compile(r"“([^“”]*)”")
"""Words of a page or a person, which stay as they are, in the quotation marks of the language."""
ELEMENT: Final = re.compile(r"the ([a-z][a-z ]*?)(?: “([^“”]*)”)?(?: in (?=the )|$)")
ELEMENTS: Final = re.compile(rf"(?:{ELEMENT.pattern})+")
TOLD: Final = "told"
"""The name of a value that is itself something told."""
"""An element of a page, and what it is in, as an action names them."""
LONGEST_TOLD: Final = 2_000
"""Characters of what the server says; a longer text is a page's or a person's."""
ENGLISH_NUMBER: Final = re.compile(r"^\d{1,3}(?:,\d{3})+(?=$| )")
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

Value = str | int
Entry = str | dict[str, str]


class Catalogue(NamedTuple):
    """The file of a language: texts by the English ones, and sentences that the server sends."""

    texts: Mapping[str, Entry]
    sentences: Mapping[str, str]


@cache
def read_catalogue(language: str) -> Catalogue:
    """The catalogue of a language; an empty one for English."""
    if language == ENGLISH:
        return Catalogue({}, {})
    return Catalogue(**json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8")))


def pick_language(setting: str, locale: str | None) -> str:
    """The language of the setting; if that leaves it to the browser, the one of its locale."""
    if setting in LANGUAGES:
        return setting
    spoken = (locale or "").replace("_", "-").partition("-")[0].lower()
    return spoken if spoken in LANGUAGES else ENGLISH


def spoken_language(accepted: str) -> str:
    """The language of a header Accept-Language, for a page without a browser's script."""
    return pick_language("", accepted.partition(",")[0].partition(";")[0].strip())


def language_tag(language: str) -> str:
    """The language for the attribute `lang`."""
    return TAGS.get(language, language)


def later(text: str) -> str:
    """The text as it is, which is translated where it is shown."""
    return text


def translate(language: str, text: str, values: Mapping[str, Value]) -> str:
    """A text, with values in the place of `{name}`."""
    found = read_catalogue(language).texts.get(text, text)
    return _fill(language, found if isinstance(found, str) else text, values)


def translate_count(
    language: str, count: int, texts: tuple[str, str], values: Mapping[str, Value]
) -> str:
    """A text about a number, `{n}`: of two English ones, for one thing and for any other number."""
    one, many = texts
    singular = count == 1 and language not in WITHOUT_PLURAL
    found = read_catalogue(language).texts.get(many)
    if isinstance(found, dict):
        return _fill(language, found["one" if singular else "other"], {"n": count, **values})
    return _fill(language, one if singular else many, {"n": count, **values})


def translate_told(language: str, text: str) -> str:
    """What the server said, where the catalogue knows it; else as it is.

    It may be several sentences, or several parts with ` · ` between them.
    """
    if len(text) <= LONGEST_TOLD and (quoted := QUOTED.fullmatch(text)):
        return translate(language, QUOTATION, {"text": quoted[1]})
    parts = text.split(BETWEEN_PARTS)
    if len(parts) > 1:  # first, as a value of a template could take in other parts
        return BETWEEN_PARTS.join(translate_told(language, part) for part in parts)
    if len(text) > LONGEST_TOLD:
        return text
    for pattern, translation in _sentence_patterns(language):
        if match := pattern.fullmatch(text):
            return _fill(language, translation, _translate_values(language, match.groupdict()))
    pieces = BETWEEN_SENTENCES.split(text)
    return " ".join(translate_told(language, each) for each in pieces) if pieces[1:] else text


def translate_lesson(language: str, told: str) -> str:
    """What an attempt or a step taught; of an attempt, what follows the title of its page."""
    start = 0
    while start < len(told):
        said = translate_told(language, told[start:])
        if said != told[start:]:
            return told[:start] + said
        mark = told.find(BEFORE_LESSON, start)
        if mark < 0:
            break
        start = mark + len(BEFORE_LESSON)
    return told


def _translate_values(language: str, values: Mapping[str, str]) -> dict[str, str]:
    """The values, with words of the server, such as names of limits, translated."""
    found = {name: _translate_value(language, value) for name, value in values.items()}
    if TOLD in values:
        found[TOLD] = translate_told(language, values[TOLD])
    return found


def _translate_value(language: str, value: str) -> str:
    if told := read_catalogue(language).sentences.get(value):
        return told
    if quoted := QUOTED.fullmatch(value):
        return translate(language, QUOTATION, {"text": quoted[1]})
    if ELEMENTS.fullmatch(value):
        own, *above = (_name_element(language, *each) for each in ELEMENT.findall(value))
        return f"{own} ({', '.join(above)})" if above else own
    return ENGLISH_NUMBER.sub(partial(_write_number, language), value)


def _name_element(language: str, role: str, name: str) -> str:
    """An element of a page by its role in the language, and by its name as it is."""
    told = read_catalogue(language).sentences.get(role, role)
    return f"{told} {translate(language, QUOTATION, {'text': name})}" if name else told


def _write_number(language: str, found: re.Match[str]) -> str:
    return format_number(language, int(found[0].replace(",", "")))


@cache
def _sentence_patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The templates as expressions, those with the most words of their own first."""
    sentences = read_catalogue(language).sentences
    longest = sorted(sentences, key=lambda text: -len(PLACEHOLDER.sub("", text)))
    return tuple((_template_pattern(text), sentences[text]) for text in longest)


def _template_pattern(template: str) -> re.Pattern[str]:
    pieces = PLACEHOLDER.split(template)
    words = (f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return re.compile("".join(words), re.DOTALL)


def _fill(language: str, text: str, values: Mapping[str, Value]) -> str:
    def value_of(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        return value if isinstance(value, str) else format_number(language, value)

    return PLACEHOLDER.sub(value_of, text)
