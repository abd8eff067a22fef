"""Offline, a sum is worked out only of values that clearly belong to the things compared."""

import pytest

from forager.answers.arithmetic import Formulas
from forager.domain.state import Evidence, SubQuestion
from forager.offline.sums import answer_with_sum
from tests.fakes import FakeEmbedder
from tests.nodes.states import entry, part, passage

SKARN = (
    "The Skarn lighthouse has 45 rooms and was built in 1874. It is 41 metres high and 8 metres "
    "wide. It listens on port 8080. Admission costs 6 crowns."
)
HOLM = (
    "The lighthouse stands 35 m high and has 24 rooms, 5 of them large. It opened on 4 May 1911. "
    "Its port is 8080, and the timeout is 90 s."
)
VEGA = "Vega has 12 rooms and a tower 20 m high, of 1899."


def titled(number: int, title: str, text: str) -> Evidence:
    return entry(number, passage(text, 100 * number).model_copy(update={"title": title}))


LEDGER = (titled(1, "Skarn", SKARN), titled(2, "Holm lighthouse", HOLM), titled(3, "Vega", VEGA))


def line(
    question: str,
    ledger: tuple[Evidence, ...] = LEDGER,
    parts: tuple[SubQuestion, ...] = (),
    *,
    embeds: bool = False,
) -> str:
    """The line of the answer with its formula; empty where nothing is worked out."""
    found = answer_with_sum(question, parts, ledger, FakeEmbedder(available=embeds))
    quotes = {item.id: item.passage.text for item in ledger}
    return Formulas([found.sum], quotes).fill_in(found.text) if found else ""


@pytest.mark.parametrize("embeds", [False, True])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How many more rooms does the Skarn lighthouse have than the Holm lighthouse?",
            "Worked out: 45 [e1] − 24 [e2] = 21",
        ),
        (
            "How many fewer rooms does Holm have than Skarn?",
            "Worked out: 45 [e1] − 24 [e2] = 21",
        ),
        (
            "How many more rooms does Holm have than Skarn?",
            "Worked out: 24 [e2] − 45 [e1] = −21",
        ),
        ("How much higher is Skarn than Holm?", "Worked out: 41 metres [e1] − 35 m [e2] = 6 m"),
        (
            "What is the difference in height between Holm and Skarn?",
            "Worked out: 41 metres [e1] − 35 m [e2] = 6 m",
        ),
        (
            "How many rooms do Skarn, Vega and Holm have together?",
            "Worked out: 45 [e1] + 12 [e3] + 24 [e2] = 81",
        ),
        (
            "How many times as high is Skarn as Holm?",
            "Worked out: 41 metres [e1] ÷ 35 m [e2] ≈ 1.17143",
        ),
        (
            "Which is older, Holm or Skarn?",
            "Worked out: 1874 [e1] < 4 May 1911 [e2]; least: 1874",
        ),
        (
            "How many years older is Skarn than Holm?",
            "Worked out: from 1874 [e1] to 4 May 1911 [e2] = 37 years",
        ),
        ("Do Skarn and Holm use the same port?", "Yes: 8080 [e1] = 8080 [e2]: the same"),
        (
            "Which port does Skarn use, and does Holm use the same port?",
            "Yes: 8080 [e1] = 8080 [e2]: the same",
        ),
        ("Do Skarn and Holm have the same height?", "No: 41 metres [e1] ≠ 35 m [e2]: not the same"),
        ("Ist Skarn denselben Port wie Holm?", "Ja: 8080 [e1] = 8080 [e2]: the same"),
    ],
)
def test_a_clear_value_for_each_thing(question: str, expected: str, embeds: bool) -> None:
    assert line(question, embeds=embeds) == expected


@pytest.mark.parametrize(
    "question",
    [
        "How much wider is Skarn than Holm?",  # Holm's width is not there
        "How much longer is Skarn than Holm?",
        "How many more keepers does Skarn have than Holm?",
        "How much higher is Narvik than Holm?",
        "How many days lie between Skarn and Holm?",  # of one only the year is there
        "How much hotter is Skarn than Holm?",
        "Who built Skarn?",
    ],
)
def test_no_clear_value_no_formula(question: str) -> None:
    assert line(question) == ""


def test_two_values_for_one_thing_are_not_clear() -> None:
    other = titled(4, "Skarn", "The lighthouse has 50 rooms.")
    question = "How many more rooms does Skarn have than Holm?"
    assert line(question, (*LEDGER, other)) == ""
    again = titled(4, "Skarn", "The lighthouse has 45 rooms.")
    assert line(question, (*LEDGER, again)).endswith("= 21")


def test_values_in_one_sentence_belong_to_the_nearest_thing() -> None:
    both = titled(1, "Lighthouses", "Skarn has 45 rooms, while Holm has only 24 rooms.")
    assert line("How many more rooms does Skarn have than Holm?", (both,)).startswith(
        "Worked out: 45 [e1] − 24 [e1]"
    )


def test_numbers_of_the_question_are_no_values() -> None:
    ledger = (titled(1, "Skarn", "Skarn had 12 rooms."), titled(2, "Holm", "Holm had 24 rooms."))
    question = "How many more rooms did Skarn with its 12 rooms have than Holm?"
    assert line(question, ledger) == ""


def test_rare_words_weigh_more() -> None:
    ledger = (
        titled(1, "Mount Skarn", "The mount is 2100 m high."),
        titled(2, "Mount Holm", "The mount is 1900 m high."),
    )
    parts = (part(mount=0.1, skarn=4.0, holm=4.0, north=0.1),)
    question = "How much higher is the north mount Skarn than the mount Holm?"
    assert line(question, ledger, parts).endswith("= 200 m")
    elsewhere = "How much higher is the north mount Vega than the mount Holm?"
    assert line(elsewhere, ledger, parts) == ""


def test_a_default_is_only_what_is_called_one() -> None:
    ledger = (
        titled(1, "Skarn", "With skarn_mem on a machine of 1 GB, take a quarter of it."),
        titled(2, "Holm", "The default of holm_mem is 64 MB."),
    )
    assert line("Which is larger by default, skarn_mem or holm_mem?", ledger) == ""
    said = titled(3, "Skarn", "The default of skarn_mem is 128 MB, and at most 1 GB.")
    assert line("Which is larger by default, skarn_mem or holm_mem?", (*ledger, said)) == ""
    alone = titled(3, "Skarn", "The default of skarn_mem is 128 MB.")
    assert line("Which is larger by default, skarn_mem or holm_mem?", (ledger[1], alone)) == (
        "Worked out: 128 MB [e3] > 64 MB [e2]; greatest: 128 MB"
    )


def test_what_looks_like_a_year_may_be_a_port() -> None:
    ledger = (
        titled(1, "Skarn", "The Skarn daemon of 1998 waits on a known port (by default 1314)."),
        titled(2, "Holm", "It listens on port 1989, since 4 May 1911."),
    )
    assert line("Does Skarn use the same port as Holm?", ledger) == (
        "No: 1314 [e1] ≠ 1989 [e2]: not the same"
    )


def test_values_that_do_not_go_together_are_left() -> None:
    ledger = (
        titled(1, "Skarn", "Admission costs $6."),
        titled(2, "Holm", "Admission costs 5 €."),
    )
    assert line("How much dearer is Skarn than Holm?", ledger) == ""
