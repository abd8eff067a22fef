"""The terms that a quote must contain to be an answer."""

import pytest

from forager.domain.survey import TermStatistics
from forager.questions.required_terms import (
    added_share,
    find_required_terms,
    keep_mentioning,
    mentions_required,
    names_another,
)
from tests.nodes.states import entry, part, passage

ASK = "What is the height of the tower Norvik South?"
KNOWN = {"height": 1.0, "tower": 1.0, "south": 2.0, "norvik": 0.0}


def test_a_name_on_no_page_is_required() -> None:
    assert find_required_terms(ASK, TermStatistics(idf=KNOWN)) == ("norvik",)
    assert find_required_terms(ASK, TermStatistics(idf=KNOWN | {"norvik": 3.0})) == ()
    assert find_required_terms(ASK, TermStatistics()) == ()


def test_on_a_partly_known_site_whole_names_are_required() -> None:
    partly = TermStatistics(idf=KNOWN | {"norvik": 3.0}, whole=False)
    assert find_required_terms(ASK, partly) == ("norvik", "south")
    rest = TermStatistics(idf={**KNOWN, "height": 0.0}, whole=False)
    assert find_required_terms("What is the height of a tower in the south?", rest) == ("height",)


def test_an_ask_in_another_language_requires_nothing() -> None:
    ask = "Welche Höhe hat der schiefe Turm von Norvik?"
    assert (
        find_required_terms(
            ask, TermStatistics(idf={"hoh": 0.0, "schief": 0.0, "turm": 0.0, "norvik": 0.0})
        )
        == ()
    )


def test_a_number_that_an_answer_is_compared_with_need_not_stand_in_it() -> None:
    known = TermStatistics(idf={"tower": 1.0, "built": 1.0, "1980": 0.0})
    assert find_required_terms("Which tower was built in 1980?", known) == ("1980",)
    assert find_required_terms("Was the tower built before 1980?", known) == ()


def test_a_quote_must_have_all_of_a_name_and_half_of_the_other_words() -> None:
    wanted = part(text=ASK).model_copy(update={"unknown": ("norvik", "south")})
    right = entry(1, passage("Norvik South | 45"))
    wrong = entry(2, passage("Norvik North | 12"))
    assert mentions_required(right, wanted)
    assert not mentions_required(wrong, wanted)
    assert keep_mentioning([right, wrong], [wanted]) == (right,)
    assert keep_mentioning([wrong], [wanted]) == (wrong,)
    words = part(text="How do reeds sing?").model_copy(update={"unknown": ("reed", "sing")})
    assert mentions_required(entry(3, passage("A reed.")), words)


def test_a_quote_must_have_own_terms_of_a_follow_up() -> None:
    heights = part(text="And how wide is it?", tower=3.0, wide=2.0, norvik=1.0)
    wanted = heights.model_copy(update={"own": ("wide",), "variants": {"wide": {"broad": 0.75}}})
    high = entry(1, passage("The tower of Norvik is 45 m high."))
    wide = entry(2, passage("It is 9 m wide."))
    broad = entry(3, passage("It is 9 m broad."))
    assert [added_share(item, wanted) for item in (high, wide, broad)] == [0.0, 1.0, 0.75]
    assert added_share(high, heights) == 1.0
    assert keep_mentioning([high, wide], [wanted]) == (wide,)
    two = wanted.model_copy(update={"own": ("wide", "tower")})
    assert [added_share(item, two) for item in (high, wide)] == [0.6, 0.4]
    assert not mentions_required(high, wanted)


@pytest.mark.parametrize(
    ("place", "text", "other"),
    [
        ("Harrow Light\nThe tower", "It is 38 metres high. Its stone is from Corran.", True),
        ("Lights\nHeights", "Harrow Light is 38 metres high.", True),
        ("Lights\nHeights", "Harrow Light is higher than that of Corran.", False),
        ("Lights\nHeights", "Corran Light is 26 metres high, Harrow Light 38.", False),
        ("Corran Light\nThe tower", "It is 26 metres high, Harrow Light 38.", False),
        ("Lights\nHeights", "The Light is 26 metres high.", False),
        ("Lights\nHeights", "It is 26 metres high.", False),
    ],
)
def test_a_quote_may_tell_of_another_bearer_of_the_name(place: str, text: str, other: bool) -> None:
    assert names_another("How tall is the tower of Corran Light?", place, text) == other
    assert not names_another("How tall is the tower?", place, text)
