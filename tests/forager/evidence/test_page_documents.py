"""What a page repeats of the question in links to other pages is blank, and offsets stay."""

from itertools import product

import pytest

from forager.domain.documents import Document, Link
from forager.evidence.page_documents import drop_repeats

ASKED = "Who built the Skarn lighthouse?"
OTHER = "http://site/other"


def left_of(text: str, *said: str, url: str = OTHER) -> str:
    links = tuple(Link(id=at, url=url, text=each) for at, each in enumerate(said))
    return drop_repeats(Document(url="http://site/", text=text, links=links), [ASKED]).text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"- {ASKED}\nMarta built it.", "\nMarta built it."),
        (f"Next: {ASKED} >\nMarta built it.", "Next:\nMarta built it."),
        (f"{ASKED} Marta built it.", f"{ASKED} Marta built it."),
    ],
)
def test_a_link_that_asks_is_blank_at_the_end_of_its_line(text: str, left: str) -> None:
    found = left_of(text, ASKED)
    assert "\n".join(line.rstrip() for line in found.split("\n")) == left
    assert len(found) == len(text)
    assert left_of(text, ASKED, url="http://site/") == text
    assert left_of(text, "The harbour") == text


def test_many_links_that_ask_are_blank_in_one_pass() -> None:
    """A search of the whole text for each link would take minutes."""
    words = ("built", "the", "Skarn", "lighthouse", "who")
    said = [f"Who {' '.join(each)}?" for each in product(words, repeat=5)]
    text = "\n".join((*said, *("A line of other words." for _ in range(50_000))))
    assert "lighthouse" not in left_of(text, *said)
