"""The name of an export's file."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.reports.exports.formats import MAX_NAME_BYTES, content_disposition, file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Who lit the lamp of Ona, and when?", "Who-lit-the-lamp-of-Ona-and-when"),
        ("What's new in 3.12?", "Whats-new-in-3.12"),
        ("灯塔 何时建成？", "灯塔-何时建成"),
        ("Café Zürich", "Café-Zürich"),
        ("../../etc/passwd", "etc-passwd"),
        ('C:\\x | <y> "z"', "C-x-y-z"),
        ("-rf *", "rf"),
        ("..hidden", "hidden"),
        ("nul", "forager-nul"),
        ("Com1.txt", "forager-Com1.txt"),
        ("a\u202egnp.exe\x00\n", "agnp.exe"),
        ("", "forager-q07"),
        ("???", "forager-q07"),
        ("\ud800", "forager-q07"),
    ],
)
def test_a_name_is_made_from_the_title(title: str, name: str) -> None:
    assert file_name(title, "q07", "md") == f"{name}.md"


def test_a_long_name_is_cut_between_words_and_signs() -> None:
    words = file_name("word " * 50, "q07", "md")
    assert words == f"{'word-' * 23}word.md"
    signs = file_name("灯" * 300, "q07", "md")
    assert signs == f"{'灯' * 40}.md"


@given(st.text(max_size=300))
def test_any_title_makes_a_valid_name_and_header(title: str) -> None:
    name = file_name(title, "q07", "csl.json")
    stem = name.removesuffix(".csl.json")
    assert 0 < len(stem.encode()) <= MAX_NAME_BYTES + len("forager-")
    assert not set(stem) & set('/\\:*?"<>| \n\r\t\x00')
    assert stem[0] not in ".-"
    assert stem[-1] not in ". "
    header = content_disposition(name)
    assert header.isascii()
    assert header.isprintable()
    assert unquote(header.partition("UTF-8''")[2]) in ("", name)
    assert header.startswith('attachment; filename="')
    assert header.partition(";")[2].count('"') == 2
