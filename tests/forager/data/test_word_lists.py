"""Word lists are read from data files, and faults in these are reported."""

from pathlib import Path

import pytest

from forager.data.word_lists import (
    FOLDER,
    ByLanguage,
    WordLists,
    Words,
    all_words,
    match_any,
    match_words,
    read_word_lists,
    spaced_words,
    unspaced_words,
)
from forager.errors import UsageError


class Colours(WordLists):
    """The lists in the files of these tests."""

    warm: ByLanguage
    signs: Words


GOOD = """
signs = 'x, y'
[warm]
en = '''
red, deep
orange,
'''
de = "rot, red"
zh = '红'
"""


def read(folder: Path, text: str) -> Colours:
    (folder / "colours.toml").write_text(text, encoding="utf-8")
    return read_word_lists("colours", Colours, folder)


def test_words_are_split_at_commas_in_order(tmp_path: Path) -> None:
    colours = read(tmp_path, GOOD)
    assert colours.signs == ("x", "y")
    assert colours.warm == {"en": ("red", "deep orange"), "de": ("rot", "red"), "zh": ("红",)}
    assert all_words(colours.warm) == ("red", "deep orange", "rot", "红")
    assert spaced_words(colours.warm) == ("red", "deep orange", "rot")
    assert unspaced_words(colours.warm) == ("红",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD + "it = ''", "warm.it: "),
        (GOOD + "xx = 'a'", "warm.xx"),
        (GOOD + "it = ['rosso', 3]", "warm.it.1: "),
        (GOOD + "[cold]\nen = 'blue'", "cold: Extra inputs"),
        ("signs = 'x'", "warm: Field required"),
        ("signs = 'x'\n[warm]", "warm: "),
        ("signs = x", "is not TOML"),
    ],
)
def test_an_error_names_the_faulty_file_and_list(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        read(tmp_path, text)
    assert str(tmp_path / "colours.toml") in error.value.what
    assert told in error.value.what
    assert error.value.mend


def test_a_pattern_matches_whole_words_in_spaced_languages(tmp_path: Path) -> None:
    colours = read(tmp_path, GOOD)
    assert match_words(colours.warm) == r"\b(?:deep\ orange|red|rot)\b|红"
    assert match_words({"en": ("red",)}) == r"\b(?:red)\b"
    assert match_words({"zh": ("红",)}) == "红"


def test_a_star_matches_the_rest_of_a_word() -> None:
    assert match_any(["u.s", "fault*"]) == r"fault\w*|u\.s"


def test_the_data_folder_holds_at_most_fifteen_files() -> None:
    assert 0 < len(list(FOLDER.glob("*.toml"))) <= 15
    assert {file.suffix for file in FOLDER.glob("*.toml")} == {".toml"}
