"""The script that fits which words answer: what counts as right, and what the weights learn."""

import json

import pytest

from bench.ranker.leads import as_weights, fit, is_right, read_asked, tabulate
from forager.answers.lead_words import find_words

QUESTIONS = [
    {
        "site": f"s{number}",
        "kind": "default",
        "question": f"What is the default of depth{number}?",
        "answer": [str(number * 7)],
        "pages": [{"quote": f"It is old. Of 3 kinds, depth{number} has the default {number * 7}."}],
    }
    for number in range(2, 40)
]


@pytest.mark.parametrize(
    ("words", "right"),
    [("600", True), ("600 seconds.", True), ("60", False), ("600 is a number of seconds", False)],
)
def test_words_are_right_if_they_hold_the_answer_and_little_else(words: str, right: bool) -> None:
    assert is_right(words, ("600",)) == right


def test_the_fitted_weights_tell_the_default_from_another_number() -> None:
    rows = list(read_asked([json.dumps(each) for each in QUESTIONS]))
    assert {row.sentence.split()[0] for row in rows} == {"Of"}
    table = tabulate(rows)
    weights = as_weights(table, fit(table.signs, table.right))
    found = find_words(
        "What is the default of width?", "Of 3 kinds, width has the default 5.", weights
    )
    assert found
    assert found.text == "5"
