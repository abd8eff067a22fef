"""Every text of the web UI is in every language, and every entry of a catalogue is used."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import get_args

import pytest

from forager.settings import LanguageName
from tests.ui.language.said_texts import (
    PYTHON,
    ROOT,
    SCRIPTS,
    called,
    calls,
    placeholders,
    said_texts,
)
from ui.language.catalogue import (
    ENGLISH,
    LANGUAGES,
    QUOTATION,
    WITHOUT_PLURAL,
    Entry,
    read_catalogue,
)
from ui.language.local_formats import LOCALES

OTHERS = sorted(LANGUAGES.keys() - {ENGLISH})

SHOWING = frozenset(
    {
        *("button", "header", "title", "caption", "markdown", "text", "badge", "text_input"),
        *("text_area", "number_input", "selectbox", "multiselect", "checkbox", "pills"),
        *("segmented_control", "file_uploader", "form_submit_button", "download_button"),
        *("page_link", "link_button", "popover", "expander", "success", "error", "warning"),
        *("info", "toast", "spinner", "image", "TextColumn", "SelectboxColumn", "CheckboxColumn"),
        *("choice_setting", "text_setting", "secret_setting", "dialog", "Page"),
    }
)
"""What shows its first text, or one of these keywords, to a reader."""
KEYWORDS = frozenset({"label", "help", "placeholder", "text", "caption", "alt", "title"})
NAMES = frozenset({"Forager", "https://docs.example/ https://more.example/", "name: …"})
"""Names and examples, which are the same in every language."""


def forms(entry: Entry) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated_and_every_translation_is_used(language: str) -> None:
    plain, counted = said_texts()
    texts = read_catalogue(language).texts
    assert texts.keys() == plain | counted | {QUOTATION}
    assert {text for text, entry in texts.items() if not isinstance(entry, str)} == counted
    assert all(form.strip() for entry in texts.values() for form in forms(entry))


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_values_of_their_texts(language: str) -> None:
    """A translation for a single thing may leave out the number."""
    catalogue = read_catalogue(language)
    wrong = [
        (text, form)
        for text, entry in (*catalogue.texts.items(), *catalogue.sentences.items())
        for form in forms(entry)
        if placeholders(form) != placeholders(text)
        and not (isinstance(entry, dict) and form == entry.get("one"))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_plurals_have_the_forms_of_their_language(language: str) -> None:
    wanted = {"other"} if language in WITHOUT_PLURAL else {"one", "other"}
    entries = read_catalogue(language).texts.values()
    assert all(entry.keys() == wanted for entry in entries if not isinstance(entry, str))


def test_languages_can_be_chosen_and_have_their_formats() -> None:
    assert set(get_args(LanguageName)) - {"browser"} == set(LANGUAGES) == set(LOCALES)


def shown_literals(path: Path) -> Iterator[str]:
    """Texts in a file of Python that are shown as they are."""
    for call in calls(path):
        if called(call) in SHOWING:
            yield from (text for each in shown_values(call) for text in bare_texts(each))


def shown_values(call: ast.Call) -> list[ast.expr]:
    first = 1 if called(call) in {"text_setting", "secret_setting", "choice_setting"} else 0
    named = [keyword.value for keyword in call.keywords if keyword.arg in KEYWORDS]
    return [*call.args[first : first + 1], *named]


def bare_texts(value: ast.expr) -> Iterator[str]:
    """The words in an expression, but not those within a call, which translates or escapes them."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*bare_texts(one), *bare_texts(other))
        case ast.BoolOp(values=values):
            yield from (text for each in values for text in bare_texts(each))
        case ast.BinOp(left=one, right=other):
            yield from (*bare_texts(one), *bare_texts(other))
        case ast.JoinedStr(values=values):
            yield "".join(str(each.value) for each in values if isinstance(each, ast.Constant))


def has_words(text: str) -> bool:
    """Are there words, besides what Streamlit reads as an icon, a colour or a size?"""
    words = text
    for mark in (":small[", ":gray[", ":gray-badge[", "&nbsp;", ":material/"):
        words = words.replace(mark, "")
    return text not in NAMES and not text.startswith(":material/") and any(map(str.isalpha, words))


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_shown_in_english_alone(path: Path) -> None:
    assert [text for text in shown_literals(path) if has_words(text)] == []


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_texts_are_said_whole(path: Path) -> None:
    """A text that is made of pieces has no entry, and another order in another language."""
    said = [call.args[0] for call in calls(path) if called(call) in {"say", "later"} and call.args]
    made = ast.JoinedStr | ast.BinOp | ast.IfExp
    assert [ast.unparse(each) for each in said if isinstance(each, made)] == []


COUNTED_NOUN = re.compile(r"^\s*\d*\s*[a-z-]+ ?")


@lru_cache
def server_texts() -> str:
    """All texts of the code below the web UI, and the names of nodes; one a line, in lower case."""
    texts: list[str] = []
    for folder in ("forager", "graphs", "nodes", "ui/server"):
        for path in (ROOT / folder).rglob("*.py"):
            parsed = ast.parse(path.read_text(encoding="utf-8"))
            nodes = (each for each in ast.walk(parsed) if isinstance(each, ast.Constant))
            texts += [each.value for each in nodes if isinstance(each.value, str)]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "graphs").rglob("*.yaml")]
    texts += [path.read_text(encoding="utf-8") for path in SCRIPTS]  # words that are made plainer
    return "\n".join(texts).lower()


def is_said(piece: str) -> bool:
    """Are these words of a template in the code, perhaps after a noun that was counted?"""
    words = piece.strip(" .:").lower()
    return words in server_texts() or COUNTED_NOUN.sub("", words, count=1) in server_texts()


@pytest.mark.parametrize("language", OTHERS)
def test_the_server_still_says_what_is_translated(language: str) -> None:
    sentences = read_catalogue(language).sentences
    pieces = {text: re.split(r"\{\w+\}|, ", text) for text in sentences}
    assert [text for text, split in pieces.items() if not all(map(is_said, split))] == []


def test_languages_know_the_same_sentences() -> None:
    assert len({frozenset(read_catalogue(language).sentences) for language in OTHERS}) == 1
