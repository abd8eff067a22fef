"""Which questions ask for a list or a comparison, and of what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.questions.list_intent import ListIntent, comparison_cells, parse_list_intent
from forager.questions.split import split_question


@pytest.mark.parametrize(
    ("question", "rows", "columns", "count"),
    [
        ("List all lights of the coast.", "lights of the coast", (), 0),
        ("List the 20 lights and their heights.", "lights", ("heights",), 20),
        ("Name every pilot of the harbour.", "pilot of the harbour", (), 0),
        ("Which lights are there in the north?", "lights in the north", (), 0),
        ("Which lights exist?", "lights", (), 0),
        ("What are the height and range of each light?", "light", ("height", "range"), 0),
        ("For each of the twelve ports, what is its depth?", "ports", ("depth",), 12),
        (
            "Give a table of the ports, with their depth and length.",
            "ports",
            ("depth", "length"),
            0,
        ),
        ("Give me a complete list of all ferries.", "ferries", (), 0),
        ("Nenne alle Häfen mit ihrer Tiefe.", "Häfen", ("Tiefe",), 0),
        ("Welche Häfen gibt es im Norden?", "Häfen im Norden", (), 0),
        ("Listez tous les ports avec leur profondeur.", "ports", ("profondeur",), 0),
        ("Quels sont les ports du nord ?", "ports du nord", (), 0),
        ("Pour chaque port, donnez la profondeur.", "port", ("profondeur",), 0),
        ("列出所有港口及其深度。", "港口", ("深度",), 0),
        ("有哪些港口？", "港口", (), 0),
    ],
)
def test_lists_with_their_rows_and_columns(
    question: str, rows: str, columns: tuple[str, ...], count: int
) -> None:
    assert parse_list_intent(question) == ListIntent(rows=rows, columns=columns, count=count)
    assert split_question(question).asked == (question,)


@pytest.mark.parametrize(
    ("question", "things", "columns"),
    [
        ("Compare Skarn and Holm in height and range.", ("Skarn", "Holm"), ("height", "range")),
        ("Compare the ports of Vega, Senja and Holm.", ("ports of Vega", "Senja", "Holm"), ()),
        ("Skarn versus Holm: height, range", ("Skarn", "Holm"), ("height", "range")),
        ("How do Skarn and Holm differ in height?", ("Skarn", "Holm"), ("height",)),
        ("Vergleiche Skarn und Holm hinsichtlich Höhe.", ("Skarn", "Holm"), ("Höhe",)),
        ("Comparez Skarn et Holm selon la hauteur.", ("Skarn", "Holm"), ("hauteur",)),
        ("比较甲港和乙港的深度和长度", ("甲港", "乙港"), ("深度", "长度")),
        ("Which has more pilots, Skarn or Holm?", ("Skarn", "Holm"), ("pilots",)),
        ("Skarn Light or Holm: which is taller?", ("Skarn Light", "Holm"), ("height",)),
    ],
)
def test_comparisons_with_their_things_and_columns(
    question: str, things: tuple[str, ...], columns: tuple[str, ...]
) -> None:
    found = parse_list_intent(question)
    assert found == ListIntent(things=things, columns=columns)
    assert split_question(question).asked == tuple(ask for _, _, ask in comparison_cells(found))


@pytest.mark.parametrize(
    "question",
    [
        "Which of the 20 lights is the tallest?",
        "Name the first of all pilots.",
        "List the largest of the ports.",
        "Name three of the ports.",
        "Name the author of the book.",
        "How many lights are there?",
        "Which command lists all files?",
        "When all the lights are out, what is done?",
        "Each of the four ports holds boats of its own. Which holds most?",
        "What is the greatest length of a list?",
        "Tell me all about the coast.",
        "Who compared notes on the lights?",
        "Which is brighter, a lamp or a lens?",
        "Which keeper, Brandt or Morgan, lit more lamps?",
        "",
        "?",
    ],
)
def test_a_question_for_one_thing_is_no_list(question: str) -> None:
    assert parse_list_intent(question) is None


@given(st.text(max_size=300))
def test_any_question_can_be_parsed(question: str) -> None:
    found = parse_list_intent(question)
    if found:
        assert found.rows or len(found.things) > 1
        assert all(found.columns)
