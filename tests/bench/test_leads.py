"""The script that fits which words answer: what counts as right, and what the weights learn."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench.ranker.asked_words import Asked, is_right, read_asked
from bench.ranker.leads import as_weights, fit, tabulate
from bench.ranker.train_reader import cross_read, make_examples, read_squad
from forager.answers.lead_words import find_words
from forager.answers.reading import Reading
from forager.ports import RatedPassage, ReadTokens

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


def unread(row: Asked) -> tuple[Asked, Reading]:
    tokens = ReadTokens(np.zeros((0, 2), np.int32), np.zeros((0, 3), np.float32))
    return row, Reading(row.sentence, tokens)


@pytest.fixture
def rows(tmp_path: Path) -> list[Asked]:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in QUESTIONS))
    return list(read_asked([file]))


def test_the_fitted_weights_tell_the_default_from_another_number(rows: list[Asked]) -> None:
    assert {row.sentence.split()[0] for row in rows} == {"Of"}
    table = tabulate([unread(row) for row in rows])
    weights = as_weights(table, fit(table.signs, table.right))
    asked, said = "What is the default of width?", "Of 3 kinds, width has the default 5."
    _, unseen = unread(Asked("s", "default", asked, said, ("5",)))
    found = find_words(asked, said, unseen, weights)
    assert found
    assert found.text == "5"


def test_a_reader_that_was_trained_on_other_sites_sees_the_answer(rows: list[Asked]) -> None:
    examples = make_examples([(row, RatedPassage("", "", row.sentence)) for row in rows])
    readings = cross_read(examples, [])
    seen = [
        each.text[slice(*reading.likeliest(1)[0])]
        for each, reading in zip(examples, readings, strict=True)
    ]
    right = [is_right(text, row.answers) for text, row in zip(seen, rows, strict=True)]
    assert sum(right) > 0.9 * len(rows)


def test_a_question_of_squad_is_about_the_sentence_with_its_answer(tmp_path: Path) -> None:
    text = "The pier is old. It was built in 1911."
    asked = {
        "question": "When was it built?",
        "answers": [{"text": "1911", "answer_start": text.index("1911")}],
        "is_impossible": False,
    }
    impossible = {"question": "Who?", "answers": [], "is_impossible": True}
    paragraph = {"context": text, "qas": [asked, impossible]}
    file = tmp_path / "squad.json"
    file.write_text(json.dumps({"data": [{"title": "The_pier", "paragraphs": [paragraph]}]}))
    [(row, passage)] = read_squad(file)
    assert row.sentence == passage.text == "It was built in 1911."
    assert row.answers == ("1911",)
