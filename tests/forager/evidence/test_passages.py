"""A passage says where it stands: under which heading, and in which columns."""

import pytest

from forager.adapters.web.read.page_reader import read_page
from forager.evidence.passages import section_at

PAGE = """<html><body><h1>Huts</h1><p>Open all year | except Holm.</p><h2>Prices</h2>
<table><tr><th>Hut</th><th>Bed</th><th>Breakfast</th></tr>
<tr><td>Skarn</td><td>31 crowns</td><td>9 crowns</td></tr>
<tr><td>Holm</td><td>24 crowns</td><td>7 crowns</td></tr>
</table>
<p>Children pay half.</p></body></html>"""
DOCUMENT = read_page(PAGE.encode(), "text/html; charset=utf-8", "http://127.0.0.1/")


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("Holm | 24", "Prices › Hut | Bed | Breakfast"),
        ("Skarn | 31", "Prices › Hut | Bed | Breakfast"),
        ("7 crowns", "Prices › Hut | Bed | Breakfast"),
        ("Hut | Bed", "Prices"),
        ("Children", "Prices"),
        ("Open all", "Huts"),
    ],
)
def test_a_row_is_placed_with_its_header(words: str, place: str) -> None:
    assert section_at(DOCUMENT, DOCUMENT.text.index(words)) == place


def test_a_text_without_a_last_line_break() -> None:
    rows = "a | b\n" + "\n".join(f"x{number} | {number}.5" for number in range(4))
    document = DOCUMENT.model_copy(update={"text": rows, "headings": ()})
    assert section_at(document, rows.index("x3")) == "a | b"
