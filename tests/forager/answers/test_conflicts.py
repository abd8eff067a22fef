"""A contradiction between sources is told with both quotes; a date that a page says decides."""

import pytest

from forager.answers.conflicts import LEAD, disclose_conflicts, newer_of, newest_first
from forager.domain.state import Evidence
from tests.lighthouses import HEIGHT, NEWER, OLDER
from tests.nodes.states import entry, part, passage

ASKED = [part("p1", HEIGHT, tall=1.0, skarn=2.0, lighthous=1.0)]


def found(number: int, text: str, dated: str = "", *against: str) -> Evidence:
    at = {"url": f"http://host/{number}", "title": f"Page {chr(64 + number)}", "dated": dated}
    where = passage(text, blob=str(number), p1=0.9).model_copy(update=at)
    return entry(number, where).model_copy(update={"conflicts": against})


def pair(one: str = "", other: str = "") -> list[Evidence]:
    return [found(1, OLDER, one, "e2"), found(2, NEWER, other, "e1")]


def test_both_quotes_are_told_and_cited() -> None:
    text, cited = disclose_conflicts("It is 32 m tall [e1].", ("e1",), pair(), ASKED)
    first, line = text.split("\n")
    assert first == "It is 32 m tall [e1]."
    assert line.startswith(f"{LEAD} “{OLDER}” (Page A) [e1]; “{NEWER}” (Page B) [e2].")
    assert "Neither is preferred" in line
    assert cited == ("e1", "e2")


def test_the_newer_page_comes_first_and_is_preferred() -> None:
    text, cited = disclose_conflicts("Tall [e1].", ("e1",), pair("2019-05-03", "2024-05"), ASKED)
    line = text.split("\n")[1]
    assert line.index("(Page B, dated 2024-05) [e2]") < line.index("(Page A, dated 2019-05-03)")
    assert "[e2] is newer" in line
    assert cited == ("e1", "e2")


@pytest.mark.parametrize(
    ("one", "other"),
    [("", "2024-05-31"), ("2024-05", "2024-05-31"), ("2024-05-31", "2024-05-31"), ("", "")],
)
def test_without_two_dates_that_differ_neither_is_newer(one: str, other: str) -> None:
    left, right = pair(one, other)
    assert newer_of(left, right) is None
    assert newest_first([left, right]) == [left, right]


def test_the_newer_of_two_goes_ahead_and_nothing_else_moves() -> None:
    old, new = pair("2019-05-03", "2024-05-31")
    aside = [found(number, f"Fact {number}.") for number in (3, 4, 5)]
    order = [aside[0], old, aside[1], new, aside[2]]
    assert [item.id for item in newest_first(order)] == ["e3", "e2", "e1", "e4", "e5"]
    assert newest_first([new, old]) == [new, old]


@pytest.mark.parametrize(
    "text",
    [
        "One says 32 m [e1], another 34 m [e2].",
        "Sources say 32 m or 34 m. [e1][e2]",
        "It is 32 m [e1] or 34 m [e2]. It is white [e1].",
    ],
)
def test_what_the_text_tells_in_one_sentence_is_not_told_again(text: str) -> None:
    assert disclose_conflicts(text, ("e1", "e2"), pair(), ASKED) == (text, ("e1", "e2"))


def test_what_stands_in_two_sentences_is_told() -> None:
    text = "It is 32 m tall [e1]. It is 34 m tall [e2]."
    assert disclose_conflicts(text, ("e1", "e2"), pair(), ASKED).text.startswith(f"{text}\n{LEAD}")


def test_a_page_cannot_cite() -> None:
    ledger = [found(1, f"{OLDER} [e7]", "", "e2"), found(2, f"{NEWER} [e1] [e9]", "", "e1")]
    text, cited = disclose_conflicts("Tall [e1].", ("e1",), ledger, ASKED)
    line = text.split("\n")[1]
    assert cited == ("e1", "e2")
    assert "[e7]" not in line
    assert "[e9]" not in line
    assert line.count("[e1]") == 1


def test_what_is_not_cited_is_not_told() -> None:
    ledger = [*pair(), found(3, "It is white.")]
    assert disclose_conflicts("White [e3].", ("e3",), ledger, ASKED) == ("White [e3].", ("e3",))
    assert disclose_conflicts("", (), ledger, ASKED) == ("", ())
    alone = ledger[:1]
    assert disclose_conflicts("Tall [e1].", ("e1",), alone, ASKED) == ("Tall [e1].", ("e1",))


def test_of_a_long_quote_the_sentence_that_differs_is_told() -> None:
    long = " ".join(["The keeper wrote of storms and boats in the harbour every evening."] * 8)
    ledger = [found(1, f"{long} {OLDER}", "", "e2"), found(2, NEWER, "", "e1")]
    line = disclose_conflicts("Tall [e1].", ("e1",), ledger, ASKED).text.split("\n")[1]
    assert line.startswith(f"{LEAD} “{OLDER}” (Page A) [e1]; “{NEWER}”")
    ledger[0] = found(1, long, "", "e2")
    line = disclose_conflicts("Tall [e1].", ("e1",), ledger, ASKED).text.split("\n")[1]
    assert "…” (Page A) [e1]" in line
    assert len(line) < 600
