"""Words become index terms, in every script that a site may be written in."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.tokens import (
    CJK,
    compounds,
    keywords,
    own_stem,
    own_stems,
    search_terms,
    tokenize,
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("AI", ["ai"]),
        ("15", ["15"]),
        ("Python 3.7.15", ["python", "3.7.15"]),
        ("3.7.15, then 3.8.", ["3.7.15", "then", "3.8"]),
        ("16,777,215 rows", ["16,777,215", "row"]),
        ("C", ["c"]),
        ("x86", ["x", "86"]),
        ("2⁶⁴ is 2^64", ["2", "64", "is", "2", "64"]),
        ("H₂O and H2O", ["h", "2", "o", "and", "h", "2", "o"]),
        ("Running runs RUN", ["run", "run", "run"]),
        ("", []),
        (" -- ?! ", []),
        ("under_score", ["under", "score", "under_score"]),
    ],
)
def test_short_terms_and_numbers_are_kept(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("HttpServer", ["httpserv", "http", "server"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("iPhone", ["iphon", "i", "phone"]),
        ("Server", ["server"]),
        ("NASA", ["nasa"]),
    ],
)
def test_camel_case_gives_the_whole_and_its_humps(word: str, terms: list[str]) -> None:
    found = tokenize(word)
    assert found[0] == tokenize(word.lower())[0]
    assert found[1:] == [tokenize(hump)[0] for hump in terms[1:]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dvořák", "Dvorak"),
        ("ÉTÉ", "été"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
        ("１５", "15"),
        ("Ａｔｏｍ", "atom"),
        ("İstanbul", "istanbul"),
        ("Dvor\u030ca\u0301k", "Dvořák"),
    ],
)
def test_spelling_variants_have_the_same_term(one: str, other: str) -> None:
    assert tokenize(one) == tokenize(other)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("黄帝", ["黄帝"]),
        ("中国历法", ["中国", "国历", "历法"]),
        ("帝", ["帝"]),
        ("东京タワー", ["东京", "京タ", "タワ", "ワー"]),
        ("Python手册", ["手册", "python"]),
        ("第3章", ["第", "3", "章"]),
    ],
)
def test_chinese_and_japanese_give_bigrams(text: str, terms: list[str]) -> None:
    assert tokenize(text) == terms


def test_keywords_are_distinct_and_without_function_words() -> None:
    assert keywords("What is the size of the cache, and what sizes has it?") == ("size", "cach")
    assert keywords("What is it?") == ()
    assert keywords("Wer war der Autor?") == ("autor",)
    assert keywords("Which AI of 15?") == ("ai", "15")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Which war did the king's son die in?", ("war", "king", "son", "die")),
        ("Who won the Spanish civil war?", ("won", "spanish", "civil", "war")),
        ("What is the par value?", ("par", "valu")),
        ("In welchem Krieg starb der Sohn des Königs?", ("krieg", "starb", "sohn", "konig")),
        ("Was liefern ANY und SOME?", ("liefern", "ani", "some")),
        ("¿Para qué sirve git name-rev?", ("sirv", "git", "name", "rev")),
        ("À quoi sert git merge-one-file ?", ("sert", "git", "merg", "one", "file")),
    ],
)
def test_only_the_stop_words_of_the_same_language_are_left_out(
    text: str, terms: tuple[str, ...]
) -> None:
    assert keywords(text) == terms


def test_a_query_of_stop_words_keeps_them() -> None:
    assert keywords("Who is who?") == ()
    assert search_terms("Who is who?") == ("who", "is")
    assert search_terms("Who is Ada?") == ("ada",)
    assert search_terms("") == ()


@pytest.mark.parametrize(
    ("word", "language", "stem"),
    [
        ("Häuser", "de", "haus"),
        ("Datenbanken", "de", "datenbank"),
        ("chevaux", "fr", "cheval"),
        ("порта", "ru", "порт"),
        ("Haus", "de", ""),
        ("houses", "en", ""),
        ("历法", "zh", ""),
        ("房子", "de", ""),
        ("15", "de", ""),
        ("word", "xx", ""),
    ],
)
def test_a_word_has_a_stem_in_its_own_language(word: str, language: str, stem: str) -> None:
    assert own_stem(word, language) == stem


def test_a_question_has_stems_in_the_languages_of_the_pages() -> None:
    assert own_stems("Welche Häuser?", ["en", "de"]) == {"hauser": ("haus",)}
    assert own_stems("Which house?", ["en"]) == {}


@given(st.text(max_size=60))
def test_terms_are_folded_and_never_empty(text: str) -> None:
    for term in tokenize(text):
        assert term
        assert not any(letter.isspace() for letter in term)
        assert term == term.lower() or not term.isascii()


@given(st.text(max_size=40), st.text(max_size=40))
def test_white_space_separates_terms(left: str, right: str) -> None:
    assert sorted(tokenize(f"{left} {right}")) == sorted(tokenize(left) + tokenize(right))


def test_a_name_in_code_comes_after_the_words() -> None:
    assert tokenize("A_0 0") == ["a", "0", "0", "a_0"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("MAINTENANCE_WORK_MEM or work_mem?", ["maintenance_work_mem", "work_mem"]),
        ("-k, --keep-going (default)", ["-k", "--keep-going"]),
        ("std::vector, deque.maxlen, p->next", ["std::vector", "deque.maxlen", "p->next"]),
        ("postgresql.conf.", ["postgresql.conf"]),
        ("a well-known word--another, e.g. 3.11 and I/O", []),
    ],
)
def test_names_in_code_are_terms_as_a_whole(text: str, names: list[str]) -> None:
    assert compounds(text) == names
    assert set(names) <= set(keywords(text))


@given(st.text(max_size=60))
def test_keywords_are_among_the_terms(text: str) -> None:
    found = keywords(text)
    assert len(set(found)) == len(found)
    assert set(found) <= set(tokenize(text))


@given(st.text("abcdefgzABCZéöø", min_size=1, max_size=12))
def test_letter_case_and_composition_do_not_matter(word: str) -> None:
    assert tokenize(word.lower())[0] == tokenize(word)[0]
    assert tokenize(unicodedata.normalize("NFD", word.lower())) == tokenize(word.lower())


@given(st.text("的黄帝历法ひらがなカタカナ", min_size=2, max_size=12))
def test_a_run_of_n_characters_gives_its_pairs(run: str) -> None:
    terms = tokenize(run)
    assert terms == [run[i : i + 2] for i in range(len(run) - 1)]
    assert all(CJK.fullmatch(term) for term in terms)
