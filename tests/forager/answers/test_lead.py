"""The lead of an answer: the words that answer, where they stand, and the line that says them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.lead import find_lead, is_whole, lead_lines
from tests.nodes.states import entry, part, passage


def test_the_sentence_that_bears_on_the_question_is_chosen_and_its_value_found() -> None:
    text = "### Tokens\n\nTokens are strings. A token is valid for 24 hours. Others exist."
    asked = part(text="How many hours is a token valid?")
    lead = find_lead(asked, [entry(1, passage(text))], None)
    assert (lead.kind, lead.text, lead.quote) == ("value", "24 hours", "e1")
    assert text[lead.sentence_start : lead.sentence_end] == "A token is valid for 24 hours."
    assert lead_lines([lead], {"e1": text}) == ["24 hours: “A token is valid for 24 hours.” [e1]"]


def test_a_sentence_that_repeats_the_question_is_no_lead() -> None:
    asked = part(text="Who built the tower of Skarn?")
    for text in ("Who built the tower of Skarn? Brandt did.", "Brandt did. Who built the tower?"):
        assert find_lead(asked, [entry(1, passage(text))], None).text == "Brandt did."
    alone = passage("Who built the tower of Skarn?")
    assert find_lead(asked, [entry(1, alone)], None).text == alone.text


def test_what_is_said_of_a_term_is_told_with_the_term() -> None:
    text = "-q\n\n--quick\n\nHalts the boat at once. It cannot be undone."
    item = entry(1, passage(text).model_copy(update={"section": "-q, --quick"}))
    lead = find_lead(part(text="Which option halts the boat?"), [item], None)
    assert (lead.text, lead.sentence_start) == ("--quick", 0)
    assert lead_lines([lead], {"e1": text})[-1] == "“Halts the boat at once.” [e1]"


def test_the_steps_of_a_how_to_are_its_code() -> None:
    text = "Install it:\n\n```\npip install it\nit setup\n```\n\nThen use it."
    lead = find_lead(part(text="How do I install it?"), [entry(1, passage(text))], None)
    assert lead.kind == "steps"
    assert lead_lines([lead], {"e1": text}) == ["“pip install it” [e1]", "“it setup” [e1]"]


def test_the_rows_of_a_list_are_its_items() -> None:
    text = "There are:\n\n- red ones\n- blue ones\n- green ones\n\nAll of them float."
    lead = find_lead(part(text="List the kinds of boats."), [entry(1, passage(text))], None)
    assert lead.kind == "list"
    assert lead.text == "- red ones\n- blue ones\n- green ones"
    assert lead_lines([lead], {"e1": text})[1] == "“blue ones” [e1]"


def test_two_sub_questions_that_one_sentence_answers_share_its_line() -> None:
    text = "Marta built it in 1874, with --halt to end it."
    item = entry(1, passage(text))
    asked = "In which year did she build it?", "Which option stops it?"
    leads = [find_lead(part(text=each), [item], None) for each in asked]
    assert [lead.text for lead in leads] == ["1874", "--halt"]
    assert lead_lines(leads, {"e1": text}) == [f"1874; --halt: “{text}” [e1]"]


def test_a_side_of_a_comparison_is_told_as_that() -> None:
    item = entry(1, passage("Skarn is high. Ona is of a greater height."))
    lead = find_lead(part(text="height of Skarn"), [item], None, compared=("e1", (0, 14)))
    assert (lead.kind, lead.text, is_whole(lead)) == ("comparison", "Skarn is high.", True)


QUESTIONS = ("When was it?", "How many are there?", "Does it work?", "How do I do it?", "List all.")


@pytest.mark.parametrize("question", QUESTIONS)
@given(text=st.text(alphabet="ab 19.-\n`#|N", min_size=1, max_size=60))
def test_a_lead_is_a_span_of_its_quote(question: str, text: str) -> None:
    lead = find_lead(part(text=question), [entry(1, passage(text))], None)
    assert lead.sentence_start <= lead.start <= lead.end <= lead.sentence_end <= len(text)
    assert lead.kind == "yes_no" or text[lead.start : lead.end] == lead.text


CODES = """Code | Meaning | What to do
E1 | The float is stuck | Shake it
E3 | The filter is full | Wash it"""


def test_a_row_that_the_question_names_goes_before_other_rows() -> None:
    for code, meaning in (("E1", "stuck"), ("E3", "full")):
        asked = part(text=f"What does error code {code} mean, and what should I do?")
        lead = find_lead(asked, [entry(1, passage(CODES))], None)
        assert CODES[lead.sentence_start : lead.sentence_end].startswith(code)
        assert meaning in CODES[lead.sentence_start : lead.sentence_end]


def test_the_header_of_a_table_is_no_lead() -> None:
    asked = part(text="Which code has which meaning, and what to do?")
    lead = find_lead(asked, [entry(1, passage(CODES))], None)
    assert not lead.text.startswith("Code")


LOCKS = """Table 4. Which lock keeps whom out

Lock | Rowers | Sailors | Divers
{rows}"""


@pytest.mark.parametrize(
    "rows",
    [
        "Chain | Kept out | Let in | Let in",
        "Chain | Keeps rowers, sailors and divers out. Nobody",
        "Chain | Kept out | Let in | Let in\nGate | Let in | Kept out | Let in",
        "Chain | Out | In | In\nGate | In | Out | In\nNet | In | In | Out\nBoom | Out | In | In",
    ],
)
def test_a_header_of_names_over_names_is_no_lead(rows: str) -> None:
    quote = LOCKS.format(rows=rows)
    lead = find_lead(
        part(text="Which lock is for rowers, sailors and divers?"), [entry(1, passage(quote))], None
    )
    assert not lead.text.startswith("Lock |")


def test_a_row_of_names_is_a_lead_where_none_is_known_to_be_the_header() -> None:
    quote = "Chain | Rowers | Divers\nGate | Sailors | Anglers"
    lead = find_lead(
        part(text="Which lock keeps rowers out: the chain?"), [entry(1, passage(quote))], None
    )
    assert lead.text.startswith("Chain")


FEES = """Work | Begun | Room | Fee (with tax)
Reading a meter | 1861 | Corrib Hall | €45
Corrib in maps | 1868 | Foyer | €50"""


@pytest.mark.parametrize(
    ("question", "text", "kind"),
    [
        ("In which room is reading a meter?", "Corrib Hall", "name"),
        ("When was the work on reading a meter begun?", "1861", "date"),
        ("What is the fee of Corrib in maps?", "€50", "name"),
    ],
)
def test_the_cell_of_the_column_that_is_asked_for_is_told(
    question: str, text: str, kind: str
) -> None:
    lead = find_lead(part(text=question), [entry(1, passage(FEES))], None)
    assert (lead.text, lead.kind) == (text, kind)


def test_of_two_columns_that_the_question_names_none_is_told() -> None:
    asked = part(text="What are room and fee of reading a meter?")
    assert is_whole(find_lead(asked, [entry(1, passage(FEES))], None))


def test_columns_that_stand_above_a_quote_name_its_cells() -> None:
    said = passage("Corran | 1878 | 26 m | 12 km").model_copy(
        update={"section": "Lights › Light | First lit | Height of tower | Range"}
    )
    lead = find_lead(part(text="How tall is Corran?"), [entry(1, said)], None)
    assert (lead.text, lead.kind) == ("26 m", "value")


def test_the_column_with_most_of_the_words_is_the_one_asked_for() -> None:
    parts = "Part | Part number | Price\nFilter of wool | 12-0410 | €19\nDrain hose | 12-0450 | €9"
    asked = part(text="What is the part number of the drain hose?")
    assert find_lead(asked, [entry(1, passage(parts))], None).text == "12-0450"
