"""Which questions ask for something to be worked out, and of which things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.arithmetic import Operation
from forager.offline.sums import WantedSum, parse_sum_question

A, B = "the Skarn lighthouse", "the Holm lighthouse"


def read(question: str) -> WantedSum:
    found = parse_sum_question(question)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        (f"How many more rooms does {A} have than {B}?", "difference"),
        (f"How much higher is {A} than {B}?", "difference"),
        (f"How many metres longer was {A} than {B}, and who built it?", "difference"),
        (f"How much heavier than {B} is {A}?", "difference"),
        (f"What is the difference in height between {A} and {B}?", "difference"),
        (f"What is the height difference between {A} and {B}?", "difference"),
        (f"What is the difference between the price of {A} and that of {B}?", "difference"),
        (f"Which is the wider one, {A} or {B}, and by how much?", "difference"),
        (f"One is {A}, the other {B}. Which is wider, and by how many cents?", "difference"),
        (f"How many years older is {A} than {B}?", "years"),
        (f"How much earlier was {A} built than {B}?", "years"),
        (f"How many years are there between {A} and {B}?", "years"),
        (f"How many years passed from {A} to {B}?", "years"),
        (f"How many days after {A} was {B} opened?", "days"),
        (f"How many months passed between {A} and {B}?", "months"),
        (f"How many rooms do {A} and {B} have together?", "sum"),
        (f"How many keepers are there in {A} and {B} in total?", "sum"),
        (f"What is the combined area of {A} and {B}?", "sum"),
        (f"How many times as high is {A} as {B}?", "ratio"),
        (f"How many times as many rooms has {A} as {B}?", "ratio"),
        (f"How many times larger is {A} than {B}?", "ratio"),
        (f"What is the ratio of the height of {A} to that of {B}?", "ratio"),
        (f"Which is taller, {A} or {B}?", "greatest"),
        (f"Which is shorter: {A} or {B}?", "least"),
        (f"Which is older, {A} or {B}?", "least"),
        (f"Which was built later: {A} or {B}?", "greatest"),
        (f"Is {A} taller than {B}?", "greatest"),
        (f"Does {A} use the same port as {B}?", "same"),
        (f"Which port does {A} use, and would {B} use the same port?", "same"),
        (f"Do {A} and {B} have the same height?", "same"),
        (f"Um wie viele Meter ist {A} höher als {B}?", "difference"),
        (f"Wie viel schwerer ist {A} als {B}?", "difference"),
        (f"Wie groß ist der Altersunterschied zwischen {A} und {B}?", "years"),
        (f"Wie viele Zimmer haben {A} und {B} zusammen?", "sum"),
        (f"Verwendet {A} denselben Port wie {B}?", "same"),
        (f"De combien de mètres {A} est-il plus haut que {B} ?", "difference"),
        (f"Combien de chambres de plus {A} a-t-il que {B} ?", "difference"),
        (f"Combien de chambres {A} et {B} ont-ils au total ?", "sum"),
        (f"Est-ce que {A} utilise le même port que {B} ?", "same"),
        ("斯卡恩灯塔比霍尔姆灯塔高多少米？", "difference"),
        ("斯卡恩和霍尔姆的高度相差多少？", "difference"),
        ("斯卡恩和霍尔姆一共有多少个房间？", "sum"),
        ("斯卡恩和霍尔姆的端口相同吗？", "same"),
    ],
)
def test_a_question_for_a_sum(question: str, operation: Operation) -> None:
    found = read(question)
    assert found.operation == operation
    assert len(found.sides) == 2
    for side, name in zip(found.sides, ("Skarn 斯卡恩", "Holm 霍尔姆"), strict=True):
        assert any(word in side for word in name.split())


@pytest.mark.parametrize(
    "question",
    [
        "How many rooms does the Skarn lighthouse have?",
        "How many times faster was the new engine expected to be at least?",
        "By how much is each fifth narrowed, and up to which year was it used?",
        "How many shops were there before the fire, and how many were left?",
        "How many copies were printed, and what circulation did the paper reach?",
        "What is the difference between a lighthouse and a lightship?",
        "What share of the keeper's time goes into cleaning?",
        "Who was born in the same year as the keeper of Holm?",
        "Which album was released on the same day as the treaty was signed?",
        "Which keeper lived in the same house as the engineer?",
        "Do Skarn and Holm have the same builder?",
        "Taking the town and the mine together, how many combinations of layouts are there?",
        "How many years before this did it burn?",
        "How long is the tunnel, and how high is the tower?",
        "Which two open formats are described, and who invented them?",
        "What is more beautiful, Skarn or Holm?",
        "Which is larger: the combined area of Skarn and Holm, or that of Vega?",
        "How much older was Brandt when she built Skarn than Feld when he built Holm?",
        "How many more rooms does it have than Holm?",
        "Welcher Leuchtturm ist der höchste?",
        "Quelle est la hauteur du phare de Skarn ?",
        "灯塔有多少个房间？",
        "",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert parse_sum_question(question) is None


def test_what_is_measured_is_read_from_the_words() -> None:
    assert read(f"How much higher is {A} than {B}?").measure.quantities == {"length"}
    assert read(f"How many kilograms heavier is {A} than {B}?").measure.quantities == {"mass"}
    assert read(f"How many cents wider is {A} than {B}?").measure.quantities == {"cents"}
    rooms = read(f"How many more rooms does {A} have than {B}?")
    assert (rooms.measure.quantities, rooms.nouns) == (frozenset(), ("rooms",))
    assert read(f"How much longer than {B} is {A}?").sides == (A, B)


def test_a_falling_measure_turns_the_sum_round() -> None:
    assert read(f"How much shorter is {A} than {B}?").turned
    assert not read(f"How much longer is {A} than {B}?").turned
    assert read(f"What is the height difference between {A} and {B}?").sorted
    assert read(f"Which is wider, {A} or {B}, and by how much?").sorted
    assert not read(f"How much wider is {A} than {B}?").sorted


def test_more_than_two_things() -> None:
    found = read("How many rooms do Skarn, Vega and Holm have in total?")
    assert found.sides == ("Skarn", "Vega", "Holm have")
    assert read("Which is higher: Skarn, Vega, or Holm?").sides == ("Skarn", "Vega", "Holm")


def test_the_line_speaks_the_language_of_the_question() -> None:
    assert read(f"Verwendet {A} denselben Port wie {B}?").yes == "Ja"
    assert read("斯卡恩灯塔比霍尔姆灯塔高多少米？").lead == "计算"


@given(st.text(max_size=200))
def test_any_question_is_read(question: str) -> None:
    parse_sum_question(question)
