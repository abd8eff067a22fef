"""A text's language is detected by its tag or words, and has stop words."""

import pytest
import stopwordsiso

from forager.text.languages import WORDS, detect_language, language_code, page_language, stop_words

SENTENCES = {
    "en": "Which war did the king's son die in?",
    "de": "Was ist der Unterschied zwischen ANY und SOME?",
    "fr": "Combien de pages a le livre ?",
    "es": "¿Para qué sirve git for-each-ref?",
    "it": "Chi ha scritto il manuale?",
    "pt": "Quantos parâmetros são permitidos?",
    "nl": "Wat is de standaardpoort?",
    "sv": "Hur många parametrar är tillåtna?",
    "da": "Hvilken port er standard?",
    "no": "Hva er standardporten?",
    "fi": "Kuka kirjoitti oppaan?",
    "hu": "Mi az alapértelmezett port?",
    "ru": "Какой порт используется по умолчанию?",
}


@pytest.mark.parametrize(("language", "text"), SENTENCES.items())
def test_the_language_of_a_sentence_is_detected(language: str, text: str) -> None:
    assert detect_language(text) == language
    assert detect_language(text.upper()) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "par value",
        "king's son",
        "die casting",
        "the die is cast in war",
        "default port",
        "git rebase --onto",
        "What is Die Zeit?",
        "Who wrote Les Misérables?",
        "马赫诺在哪里？",
    ],
)
def test_a_text_without_other_function_words_is_english(text: str) -> None:
    assert detect_language(text) == "en"


def test_a_piece_without_function_words_has_the_language_of_the_whole() -> None:
    assert detect_language("der Turm", "de") == "de"
    assert detect_language("the tower", "de") == "en"


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        (" EN_us ", "en"),
        ("zh-Hans", "zh"),
        ("nb", "no"),
        ("nn-NO", "no"),
        ("", ""),
        ("x-default", ""),
        ("german", ""),
    ],
)
def test_a_tag_has_a_code(tag: str, code: str) -> None:
    assert language_code(tag) == code


def test_a_page_is_in_the_language_that_it_declares_or_shows() -> None:
    assert page_language("fr-CA", "The page is in English.") == "fr"
    assert page_language("", "Die Häuser der Stadt sind nicht hoch.") == "de"
    assert page_language("", "Cache: 15 MB") == "en"


def test_stop_words_are_those_of_one_language() -> None:
    assert {"the", "which", "use"} <= stop_words("en")
    assert {"war", "die", "son", "par"}.isdisjoint(stop_words("en"))
    assert {"war", "die", "welche", "heißt"} <= stop_words("de")
    assert {"estado", "estados"}.isdisjoint(stop_words("es"))


def test_other_languages_have_the_lists_of_stopwordsiso() -> None:
    assert stop_words("pl") == stopwordsiso.stopwords("pl")
    assert stop_words("xx") == frozenset()


@pytest.mark.parametrize(
    ("language", "words"), [each for each in WORDS.function_words.items() if each[0] != "en"]
)
def test_most_function_words_are_known_to_stopwordsiso_too(
    language: str, words: tuple[str, ...]
) -> None:
    assert len(stopwordsiso.stopwords(language).intersection(words)) > 0.9 * len(words)
