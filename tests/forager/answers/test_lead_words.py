"""The words of a sentence that answer, or none where nothing tells which they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.lead_words import find_candidates, find_words, rate_candidates


@pytest.mark.parametrize(
    ("question", "sentence", "text", "kind"),
    [
        ("What is the default of depth?", "The depth is a count. Default: 600", "600", "value"),
        ("How many rounds are there?", "There are 10 rounds of 6 steps.", "10 rounds", "value"),
        ("Since which version is it there?", "It is there since 8.14.", "8.14", "value"),
        ("How high is it?", "It has 29 rooms, is 38 metres high and 9 wide.", "38 metres", "value"),
        ("How often is it wound?", "It is wound every 2 weeks.", "every 2 weeks", "value"),
        ("When did work begin?", "Work began in March 2006.", "March 2006", "date"),
        ("Wann begann die Arbeit?", "Sie begann am 3. Oktober 1990.", "3. Oktober 1990", "date"),
        ("Which option stops it?", "Use --halt to stop it.", "--halt", "name"),
        ("Does it have macros?", "It does not have macros.", "No", "yes_no"),
        ("Can macros be used?", "Macros can be used in any file.", "Yes", "yes_no"),
    ],
)
def test_the_words_are_what_is_asked_for(
    question: str, sentence: str, text: str, kind: str
) -> None:
    found = find_words(question, sentence)
    assert found
    assert (found.text, found.kind) == (text, kind)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Why is it slow since 8.14?", "Since version 8.15 it waits 600 seconds."),
        ("Does it have macros?", "It has macros."),
        ("Does it not have macros?", "It does not have macros."),
        ("Does it have macros?", "Boats must never be tied there."),
        ("How do I stop it in version 3?", "Use --halt 12 to stop it."),
    ],
)
def test_nothing_is_invented_where_the_words_are_not_sure(question: str, sentence: str) -> None:
    assert find_words(question, sentence) is None


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The default value is four megabytes (4MB).", "four megabytes (4MB)"),
        ("The default value is 64 megabytes (64MB) a session.", "64 megabytes (64MB)"),
        ("The default value is two (see below).", "two"),
    ],
)
def test_an_amount_has_its_unit_and_the_same_in_digits(sentence: str, said: str) -> None:
    found = find_words("What is the default value of work_mem?", sentence)
    assert found
    assert found.text == said


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("How many bits do numbers have?", "They are 32-bit signed numbers.", "32-bit"),
        ("When was it first released?", "(29-Jun-95)", "29-Jun-95"),
        (
            "Where is the newest GnuTLS reference manual online?",
            "The latest version can be found on-line at https://www.gnutls.org/reference/.",
            "https://www.gnutls.org/reference/",
        ),
        ("How many levels are there?", "There are 100 levels. More come.", "100 levels"),
        ("What is the most that n can be?", "The most n can be: 2⁶⁴", "2⁶⁴"),
    ],
)
def test_a_name_or_number_is_not_cut(question: str, sentence: str, said: str) -> None:
    found = find_words(question, sentence)
    assert found
    assert found.text == said


def test_a_duration_in_several_units_is_told_whole() -> None:
    asked = "How many minutes later does it start?"
    several = find_words(asked, "It starts 1 day, 2 hours and 5 minutes later.")
    alone = find_words(asked, "It starts 2 minutes or 5 minutes later.")
    assert several
    assert alone
    assert (several.text, alone.text) == ("1 day, 2 hours and 5 minutes", "5 minutes")


def test_words_of_the_question_are_no_answer() -> None:
    sentence = "From 1998 to 2003 the option --slow was there."
    found = find_candidates("Was --slow there after 1998?", sentence)
    assert "2003" in [sentence[each.start : each.end] for each in found]
    assert not {"1998", "--slow"} & {sentence[each.start : each.end] for each in found}


QUESTIONS = st.sampled_from(["When was it?", "How many are there?", "Is it?", "Which option?"])


@given(QUESTIONS, st.text(alphabet="abN 19.-/_'\"t", max_size=60))
def test_words_are_a_span_of_the_sentence(question: str, sentence: str) -> None:
    every = find_candidates(question, sentence)
    assert len(rate_candidates(question, sentence, every)) == len(every)
    assert all(0 <= each.start < each.end <= len(sentence) for each in every)
    found = find_words(question, sentence)
    if found and found.kind != "yes_no":
        assert sentence[found.start : found.end] == found.text
