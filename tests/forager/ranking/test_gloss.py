"""Questions are told in the words of a site in another language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.adapters.memory.embeddings.word_vectors import MultilingualEncoder
from forager.ranking.gloss import (
    Glossary,
    apply_gloss,
    foreign_language,
    page_words,
    question_language,
)
from forager.ranking.index import Index, Source, build_index

ENGLISH_TEXTS = (
    "Borg compact frees the space in a repository. The default threshold is 10 percent.",
    "A checkpoint is removed by borg prune. Enter the password to delete an archive.",
    "The command sets the day on which the week begins. How many seconds pass is told by time_out.",
)
GERMAN_TEXTS = (
    "Das Passwort wird in der Datei gespeichert. Die Größe beträgt zehn Bytes.",
    "Der Speicher ist auf die Länge der Zeile begrenzt, und das Fenster wird nicht geschlossen.",
)
ENCODER = MultilingualEncoder()
GLOSSARY = Glossary(ENCODER)


def make_index(*texts: str, language: str = "en") -> Index:
    return build_index(
        Source(f"http://127.0.0.1/{number}", "", text, language=language)
        for number, text in enumerate(texts)
    )


ENGLISH_INDEX = make_index(*ENGLISH_TEXTS)


def told(question: str, index: Index = ENGLISH_INDEX) -> str:
    return apply_gloss(question, GLOSSARY.gloss(question, "http://127.0.0.1/", index))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Welchen Schwellwert benutzt borg compact?", {"threshold", "borg", "compact"}),
        ("Comment supprimer une archive avec le mot de passe ?", {"delete", "archive", "password"}),
        ("¿Qué comando fija en qué día empieza la semana?", {"command", "day", "begins", "week"}),
        ("哪个命令设置一周从哪天开始？", {"command", "sets", "week", "day"}),
        ("Какой пароль нужен, чтобы удалить архив?", {"password", "delete", "archive"}),
        ("Wie viele Sekunden gilt time_out?", {"how", "many", "seconds", "time_out"}),
    ],
)
def test_words_are_told_in_the_language_of_the_pages(question: str, words: set[str]) -> None:
    assert words <= set(told(question).strip("?").split())


def test_a_question_in_the_language_of_the_pages_stays_as_it_is() -> None:
    question = "Which command sets the day on which the week begins?"
    assert told(question) == question
    german = "Wie groß ist die Datei mit dem Passwort?"
    assert told(german, make_index(*GERMAN_TEXTS, language="de")) == german


def test_a_few_pages_in_the_language_of_the_question_are_enough() -> None:
    sources = [Source("http://127.0.0.1/de", "", GERMAN_TEXTS[0], language="de")]
    sources += [Source(f"http://127.0.0.1/{n}", "", text) for n, text in enumerate(ENGLISH_TEXTS)]
    assert foreign_language(build_index(sources), "de") == ""
    assert foreign_language(build_index(sources), "fr") == "en"


def test_english_is_told_in_german() -> None:
    words = told("How large is the window?", make_index(*GERMAN_TEXTS, language="de"))
    assert "wie groß" in words
    assert "fenster" in words


def test_pages_without_spaces_between_words_have_no_vocabulary() -> None:
    assert foreign_language(make_index("默认值是十。", language="zh"), "en") == ""


def test_frequent_words_come_first_and_stop_words_are_left_out() -> None:
    index = make_index("The red fox saw a fox.", "A fox is in the blue barn.")
    words = page_words(index, "en")
    assert words[0] == "fox"
    assert set(words) == {"fox", "red", "saw", "blue", "barn"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("内存是多少", "zh"),
        ("Wo ist die Datei?", "de"),
        ("undo commit", "en"),
        ("удалить файл", ""),
    ],
)
def test_the_language_of_a_question(text: str, language: str) -> None:
    assert question_language(text) == language


@settings(max_examples=25)
@given(st.text(max_size=30))
def test_any_text_can_be_told(text: str) -> None:
    meant = GLOSSARY.gloss(text, "http://127.0.0.1/", ENGLISH_INDEX)
    assert all(piece in text for piece in meant)
    assert isinstance(apply_gloss(text, meant), str)


@given(st.text(max_size=40), st.dictionaries(st.text("abc", min_size=1), st.just("")))
def test_what_is_told_otherwise_is_gone(text: str, meant: dict[str, str]) -> None:
    left = apply_gloss(text, meant).split()
    assert not set(left) & set(meant)
