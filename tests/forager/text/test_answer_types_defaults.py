"""Questions that ask for a default, in whatever words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.answer_types import (
    DEFAULT,
    STATED_DEFAULT,
    UNSTATED,
    answer_worth,
    default_keyword,
    expected_types,
)


@pytest.mark.parametrize(
    "question",
    [
        "How bright is the lamp if I set nothing?",
        "Which colour does the lamp have when no filter is named?",
        "How long does the horn sound unless told otherwise?",
        "Which lamp burns, out of the box?",
        "How often does it turn as long as nobody changes it?",
        "How many lamps burn when I don't choose a programme?",
        "Wie hell ist die Lampe, wenn man nichts einstellt?",
        "Quelle lampe brûle si on ne précise rien ?",
        "不指定时灯有多亮？",
    ],
)
def test_asking_for_what_holds_if_nothing_is_specified_means_a_default(question: str) -> None:
    assert default_keyword(question) == DEFAULT
    assert DEFAULT in {kind.name for kind in expected_types(question)}


@pytest.mark.parametrize(
    "question",
    [
        "How bright is the lamp if I set the filter?",
        "What happens when a file is changed?",
        "What does it do unless the file exists?",
        "Which is the default lamp?",
        "If I name the lamp, how is it found?",
    ],
)
def test_other_conditions_do_not_mean_a_default(question: str) -> None:
    assert not default_keyword(question)


@pytest.mark.parametrize(
    "text", ["The default is 5.", "It turns by default.", "(default: red)", "It defaults to red."]
)
def test_a_page_that_states_one_is_worth_more(text: str) -> None:
    kinds = expected_types("Which lamp burns if nothing is set?")
    assert answer_worth(text, kinds, "") > answer_worth("It is 5.", kinds, "")


@given(st.text(max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    assert UNSTATED.search(text) is None or default_keyword(text) == DEFAULT
    assert all(found[0] for found in STATED_DEFAULT.finditer(text))
