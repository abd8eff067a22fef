"""AssistantBench's scorer: official scores, its quirks, and what always holds."""

import json
import statistics
from collections.abc import Callable
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from bench.scorers.assistantbench_metrics import parse_gold, score_answer
from bench.sets.assistantbench import load_tasks

SCORED = Path("tests/data/scorers/assistantbench.jsonl")
LETTERS = "abxyzKÖ059 .,'-&%()"
TEXT = st.text(LETTERS, min_size=1, max_size=12).filter(str.strip)
NUMBER = st.one_of(st.integers(-9999, 9999), st.floats(-1e6, 1e6))
VALUE = st.one_of(TEXT, NUMBER, st.booleans(), st.lists(TEXT, max_size=3))
OBJECT = st.dictionaries(st.text("kné ", max_size=4), VALUE, min_size=1, max_size=3)
LINES = st.one_of(
    NUMBER.map(lambda number: [str(number)]),
    st.lists(TEXT, min_size=1, max_size=4),
    st.lists(OBJECT.map(json.dumps), min_size=1, max_size=4),
)
SAID: st.SearchStrategy[JsonValue] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9), TEXT),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("said", "gold", "accuracy"),
    [
        ("800", "1000", 1 - log(1000 / 800)),
        ("2700", "1000", 1 - log(2.7)),
        ("2800", "1000", 0),
        (0, "0", 1),
        (0.0, "$5", 0),
        ("1,234", "1.234", 1),
        ("about 20", "20", 0),
        (["20", "30"], "20", 0),
        ("12 square kilometers", "12", 1),
        ("Oslo fjord", "The Bergen fjord", 1 / 2),
        ("oslo-fjord", "Oslo Fjord!", 1),
        ("room 12", "room 13", 0),
        ("room 12 west", "room", 1 / 2),
        ("1148 sqft", "1148 sqft of land", 2 / 5),
        (["Holm", "Skarn"], "Skarn\nHolm", 1),
        ('["Holm", "Skarn"]', "Skarn\nHolm", 1),
        (["Holm", "Skarn", "Oslo"], "Skarn\nHolm", 2 / 3),
        (["Holm", 5], "Skarn\nHolm", 0),
        ({"a": 1}, "{'a': '1', 'b': 'x'}", 2 / 3),
        ('{"a": 2.0, "b": "oslo"}', '{"a": "2", "b": "Oslo"}\n{"a": "3"}', 1 / 2),
        ('{"a": 1}\n{"a": 2}', '{"a": "2"}\n{"a": "1"}', 1),
        ('{"A": 1}', '{"a": 1}', 0),
        ('{"a": "55"}', '{"a": "55-70"}', 0),
        ('{"a": ["x", "y"]}', '{"a": ["y", "x"]}', 1),
        (["{'a': 1}"], '{"a": 1}', 0),
        ("Skarn\nHolm", "Holm\nSkarn", 1 / 3),
        ("Skarn\nHolm", "Skarn Holm", 1),
        ("5\n6", "5\n6", 0),
        (["20"], "20 keepers", 0),
        ("-5", "-10", 1 + log(2)),
        ("-5", "5", 0),
        ("null", "null and void", 1 / 2),
        ("NaN", "5", 0),
        ("1e999", "5", 0),
        ("[" * 100_000, "5", 0),
    ],
)
def test_scores_as_the_original(said: JsonValue, gold: str, accuracy: float) -> None:
    assert score_answer(said, gold).accuracy == pytest.approx(accuracy, abs=1e-9)


@pytest.mark.parametrize(
    ("said", "gold", "accuracy"),
    [
        ([20], "20", 1),
        (["20"], "20 sqft", 1),
        ("true", "true person", 2 / 3),
        ({"a": None}, '{"a": null}', 1),
        ({"a": {"b": 1}}, '{"a": {"b": 2}}', 0),
        ([{"a": 1}, "x"], '{"a": 1}', 1 / 2),
    ],
)
def test_scores_where_the_original_stops(said: JsonValue, gold: str, accuracy: float) -> None:
    assert score_answer(said, gold).accuracy == pytest.approx(accuracy, abs=1e-9)


@pytest.mark.parametrize("said", ["", None, [], {}, ["", ""], "nan", float("nan"), [float("nan")]])
def test_nothing_is_no_answer(said: JsonValue) -> None:
    assert not score_answer(said, "Oslo").answered
    assert score_answer(said, "Oslo").accuracy == 0


@pytest.mark.parametrize("said", ["x", 0, False, ["", "x"], {"a": ""}])
def test_something_is_an_answer(said: JsonValue) -> None:
    assert score_answer(said, "Oslo").answered


def test_gold_is_a_number_a_string_a_list_or_objects() -> None:
    assert parse_gold("$1,5 ") == 1.5
    assert parse_gold("1,148 people") == "1,148 people"
    assert parse_gold("a\n\nb\n") == ("a", "b")
    assert parse_gold("{'a': 'b'}") == [{"a": "b"}]
    assert parse_gold("5\n6") == [5, 6]


@given(SAID, st.one_of(st.text(max_size=20), LINES.map("\n".join)))
def test_no_score_is_negative(said: JsonValue, gold: str) -> None:
    assert score_answer(said, gold).accuracy >= 0
    assert score_answer(json.dumps(said), gold).accuracy >= 0


@given(st.lists(TEXT, min_size=2, max_size=4), st.lists(TEXT, min_size=2, max_size=4), st.data())
def test_the_order_of_items_is_irrelevant(
    said: list[str], gold: list[str], data: st.DataObject
) -> None:
    first = score_answer(list(said), "\n".join(gold)).accuracy
    moved = data.draw(st.permutations(said)), data.draw(st.permutations(gold))
    assert score_answer(list(moved[0]), "\n".join(moved[1])).accuracy == pytest.approx(first)


def test_every_item_scores_as_the_authors_code() -> None:
    rows = [json.loads(line) for line in SCORED.read_text().splitlines()]
    found = [score_answer(row["answer"], row["gold"]) for row in rows]
    assert [one.accuracy for one in found] == pytest.approx([row["accuracy"] for row in rows])
    assert [one.answered for one in found] == [row["answered"] for row in rows]
    assert statistics.mean(one.accuracy for one in found) == pytest.approx(0.277, abs=5e-4)


def test_official_scores_are_met(public: Callable[[str], Path]) -> None:
    lines = public("assistantbench_scored_predictions.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    found = {row["id"]: score_answer(row["answer"], row["gold_answer"]) for row in rows}
    official = {row["id"]: (row["score"], bool(row["has_ans"])) for row in rows}
    assert len(rows) == len(found) == 33
    assert {id: one.accuracy for id, one in found.items()} == pytest.approx(
        {id: one for id, (one, _) in official.items()}, abs=1e-9
    )
    assert {id: one.answered for id, one in found.items()} == {
        id: answered for id, (_, answered) in official.items()
    }


def test_public_gold_of_one_line_is_right(public: Callable[[str], Path]) -> None:
    tasks = load_tasks(public("assistantbench_dev_gold.json"))
    assert len(tasks) == 33
    wrong = [task.gold for task in tasks if score_answer(task.gold, task.gold).accuracy != 1]
    assert all("\n" in gold for gold in wrong)
