"""Judging labels of controls."""

import pytest

from forager.browsing.safety.labels import HARM_WORDS, fold_label, label_effect
from forager.data.word_lists import unspaced_words


def test_no_phrase_that_needs_no_spaces_is_ascii() -> None:
    # An ASCII label is looked up by its words, so that such a phrase would be missed inside one.
    lists = (HARM_WORDS.change, HARM_WORDS.send, HARM_WORDS.make, HARM_WORDS.read)
    assert not [word for each in lists for word in unspaced_words(each) if word.isascii()]


@pytest.mark.parametrize(
    ("label", "folded"),
    [("Delete  Lamp!", "delete lamp"), ("De\u00adlete\tlamp", "delete lamp"), ("Lösche", "losche")],
)
def test_a_label_folds_alike_in_any_alphabet(label: str, folded: str) -> None:
    assert fold_label(label) == folded


def test_a_verb_within_an_ascii_label_counts() -> None:
    assert label_effect("please remove this") == "change"
    assert label_effect("removed lamp stand") != "change"
