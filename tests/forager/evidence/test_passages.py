"""A passage says where it stands: under which heading, and in which columns."""

import pytest

from forager.adapters.web.read.page_reader import read_page
from forager.evidence.page_documents import index_page
from forager.evidence.passages import copy_passages, section_at
from tests.fakes import FakeEmbedder
from tests.nodes.states import part

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


ROWS = "".join(
    f"<tr><td>Hut number {number}</td><td>{number + 30} crowns {'with linen' if number < 3 else ''}"
    f"</td><td>bread, cheese and coffee at {number + 5} in the common room</td></tr>"
    for number in range(9)
)
PRICES = f"""<html><body><h1>Huts</h1><h2>What a bed and a breakfast cost in each hut</h2><table>
<tr><th>Name of the hut</th><th>Price of a bed</th><th>Time of the breakfast</th></tr>{ROWS}
</table></body></html>"""


def test_headings_and_headers_are_not_copied_alone() -> None:
    page = read_page(PRICES.encode(), "text/html; charset=utf-8", "http://127.0.0.1/")
    index = index_page(page, None)
    header = "Name of the hut | Price of a bed | Time of the breakfast"
    assert header in [index.unit_text(unit).splitlines()[-1] for unit in range(index.size)]
    ask = "What does a bed with linen cost in summer?"
    asked = part("p1", ask, bed=2.0, linen=4.0, summer=2.0)
    found = copy_passages(
        index,
        [asked],
        ask,
        {},
        FakeEmbedder(available=False),
        passages=9,
        least=0.0,
        embedded=0,
    )
    assert found
    assert not [each.quote for each in found if each.quote.endswith(header)]
    assert not [
        each.quote for each in found if each.quote.startswith("#") and "\n" not in each.quote
    ]


STEPS = "".join(
    f"<li>{step}</li>"
    for step in (
        "Switch the lamp off and let it cool for an hour before anything else is touched.",
        "Take the glass out at the back, and lay it on a dry cloth away from the edge.",
        "Trim the wick with the brass scissors until it is level with the rim.",
        "Fill the oil up to the mark, wipe what was spilt and put the glass back.",
    )
)
CARE = f"<html><body><h1>Care</h1><h2>The wick</h2><ol>{STEPS}</ol></body></html>"


@pytest.mark.parametrize(
    ("ask", "whole"), [("How do I trim the wick?", True), ("What is the wick trimmed with?", False)]
)
def test_the_steps_of_a_list_are_copied_together_where_it_is_asked_how(
    ask: str, *, whole: bool
) -> None:
    page = read_page(CARE.encode(), "text/html; charset=utf-8", "http://127.0.0.1/")
    found = copy_passages(
        index_page(page, None),
        [part("p1", ask, trim=4.0, wick=4.0, scissors=1.0)],
        ask,
        {},
        FakeEmbedder(available=False),
        passages=1,
        least=0.0,
        embedded=0,
    )
    (quote,) = (each.quote for each in found)
    assert "Trim the wick" in quote
    assert ("Switch the lamp off" in quote and "put the glass back" in quote) is whole
