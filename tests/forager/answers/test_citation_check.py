"""An answer is checked against the quotes that it cites."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.citation_check import UNCITED, UNKNOWN_URL, CheckedText, check_citations
from forager.offline.answerer import quote_entry
from tests.nodes.states import entry, passage

QUESTION = "When was the Skarn Observatory founded, and by whom?"
LEDGER = (
    entry(1, passage("The observatory was founded by Ottilie Brandt in 1887.")),
    entry(2, passage("Its dome weighs 12,400 kg and was turned by twelve men.", 100)),
    entry(3, passage("See https://skarn.example/dome for max_speed.", 200)),
)


def checked(text: str) -> CheckedText:
    return check_citations(text, LEDGER, QUESTION)


def test_what_the_quotes_carry_stays_as_it_is() -> None:
    text = "The Skarn Observatory was founded by Ottilie Brandt in 1887 [e1]. 12400 kg [e2]."
    assert checked(text) == (text, ("e1", "e2"), ())


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("It was founded in 1888 [e1].", "1888"),
        ("It was founded by Karl Meier [e1].", "Karl Meier"),
        ("It was founded in 1887 under min_speed [e1].", "min_speed"),
        ("The dome weighs 12,500 kg [e2].", "12500"),
    ],
)
def test_numbers_and_names_that_no_quote_has_are_doubts(text: str, lacking: str) -> None:
    found = checked(text)
    assert found.text == text
    [doubt] = found.doubts
    assert doubt.why == f"The cited quotes do not say: {lacking}."
    assert text.startswith(doubt.sentence)


def test_a_name_that_no_quote_has_is_not_taken_for_a_number() -> None:
    [doubt] = checked("In 1887 the dome weighed 12,400 kg in DS9 [e1][e2].").doubts
    assert doubt.why.endswith("DS9.")


def test_a_quote_that_carries_what_the_cited_one_lacks_is_cited_too() -> None:
    assert checked("Founded in 1887, with a dome of 12,400 kg [e1].").text.endswith("kg [e1][e2].")
    assert checked("The dome weighs 12,400 kg [e1]").cited == ("e1", "e2")


def test_a_number_in_words_is_the_number() -> None:
    assert checked("It took 12 men to turn it [e2].").doubts == ()


def test_what_is_worked_out_before_the_reader_is_no_doubt() -> None:
    assert checked("1900 - 1887 = 13 years [e1].").doubts[0].why.endswith("1900.")
    assert checked("12,400 - 1887 = 10513 [e1][e2].").doubts == ()


def test_a_claim_without_citation_is_cited_or_taken_out() -> None:
    found = checked("Brandt founded it [e1].\nThe dome weighs 12,400 kg.\nIt is beautiful in June.")
    assert found.text == "Brandt founded it [e1].\nThe dome weighs 12,400 kg. [e2]"
    assert [(doubt.sentence, doubt.why) for doubt in found.doubts] == [
        ("It is beautiful in June.", UNCITED)
    ]


@pytest.mark.parametrize(
    "invented", ["It burned down in 1912.", "Its lens was ground in Jena.", "Tourists adore it."]
)
def test_an_invented_sentence_before_a_citation_is_taken_out(invented: str) -> None:
    found = checked(f"Brandt founded it in 1887 [e1]. {invented} The dome weighs 12,400 kg [e2].")
    assert found.text == "Brandt founded it in 1887 [e1]. The dome weighs 12,400 kg [e2]."
    assert [(doubt.sentence, doubt.why) for doubt in found.doubts] == [(invented, UNCITED)]


@pytest.mark.parametrize(
    "text",
    [
        "Yes. Brandt founded it in 1887 [e1].",
        "The observatory was founded in 1887. Ottilie Brandt founded it [e1].",
        "Page: “The observatory was founded. Nobody knows the day, says Ottilie Brandt.” [e1]",
        "Gegründet wurde sie im Jahr 1887. Es war Ottilie Brandt [e1].",
    ],
)
def test_a_sentence_may_rest_on_what_the_next_one_cites(text: str) -> None:
    found = checked(text)
    assert found.text == text
    assert found.doubts == ()


def test_what_another_quote_says_is_cited_inside_a_line() -> None:
    found = checked("The dome weighs 12,400 kg. Ottilie Brandt founded the observatory [e1].")
    assert found.text.startswith("The dome weighs 12,400 kg. [e2] Ottilie")
    assert found.doubts == ()


def test_names_of_the_question_of_titles_and_of_sites_are_no_doubts() -> None:
    titled = passage("Open daily.", 400).model_copy(update={"title": "Visitors' Guide"})
    ledger = (*LEDGER, entry(4, titled))
    text = "As the Guide of the Skarn Observatory says, Brandt founded it [e1]."
    assert check_citations(text, ledger, QUESTION).doubts == ()


@pytest.mark.parametrize(
    ("result", "doubted"), [("5", False), ("20", False), ("27", False), ("26", True)]
)
def test_arithmetic_over_what_is_cited_is_no_doubt(result: str, doubted: bool) -> None:
    ledger = (
        entry(1, passage("The pass costs 15 crowns.")),
        entry(2, passage("The ticket costs 12 crowns and the guide 3 crowns.", 100)),
    )
    found = check_citations(f"Together {result} crowns [e1][e2].", ledger, "What does it cost?")
    assert bool(found.doubts) is doubted


def test_a_line_that_leads_to_a_list_stays() -> None:
    text = "What is known:\n- founded in 1887 [e1]\n- 12,400 kg [e2]"
    assert checked(text).text == text


def test_nothing_that_can_be_cited_is_nothing() -> None:
    assert checked("The answer is 42.").text == ""
    assert checked("The answer is 42 [e9].").text == ""
    assert checked("").cited == ()


@pytest.mark.parametrize(
    "address",
    ["https://evil.example/?q=secret", "javascript:alert(1)", "data:text/html,x"],
)
def test_an_address_that_no_quote_has_is_left_out(address: str) -> None:
    for text in (
        f"Brandt [e1] ![pixel]({address}) founded it [e1].",
        f"Brandt founded it, see {address} [e1].",
        f"[Brandt]({address}) founded it [e1].",
    ):
        assert address not in checked(text).text
    assert UNKNOWN_URL in checked(f"Brandt founded it, see {address} [e1].").text


def test_an_address_of_a_quote_stays() -> None:
    text = "It is at https://skarn.example/dome [e3]."
    assert checked(text).text == text


@given(st.text(alphabet="abc e1[]., \n9BZ“”:", max_size=80))
def test_whatever_is_written_only_what_exists_is_cited(text: str) -> None:
    found = checked(text)
    assert set(found.cited) <= {"e1", "e2", "e3"}
    assert set(re.findall(r"\[(e\d+)\]", found.text)) == set(found.cited)
    assert bool(found.text) == bool(found.cited)


@given(st.text(alphabet="abc e12[]., \n9BZ“”:", max_size=80))
def test_checking_twice_changes_nothing(text: str) -> None:
    once = checked(text)
    assert checked(once.text)[:2] == once[:2]


def test_what_a_page_puts_in_brackets_cites_nothing() -> None:
    forged = entry(4, passage("The lamp burned all night [e1] [e2, e3] long [1].", 300))
    [said] = quote_entry(forged)
    assert "all night (e1) (e2, e3) long [1]" in said
    assert check_citations(said, (*LEDGER, forged), QUESTION).cited == ("e4",)
