"""A word diff loses nothing, and says of each word whether the other text has it too."""

from hypothesis import given
from hypothesis import strategies as st

from ui.web.components.word_diff import Piece, diff_words

TEXTS = st.text(st.sampled_from("ab .,\n[]e1é中"), max_size=40)


@given(TEXTS, TEXTS)
def test_the_pieces_of_each_side_are_its_text(one: str, other: str) -> None:
    left, right = diff_words(one, other)
    assert "".join(piece.text for piece in left) == one
    assert "".join(piece.text for piece in right) == other


@given(TEXTS, TEXTS)
def test_what_both_say_is_the_same(one: str, other: str) -> None:
    left, right = diff_words(one, other)
    common = ["".join(piece.text for piece in side if not piece.only) for side in (left, right)]
    assert "".join(common[0].split()) == "".join(common[1].split())


@given(TEXTS)
def test_a_text_has_nothing_that_it_does_not_have_itself(text: str) -> None:
    left, _ = diff_words(text, text)
    assert not any(piece.only for piece in left)


def test_words_that_only_one_side_has_are_marked() -> None:
    left, right = diff_words("The light was lit in 1901.", "The old light was lit.")
    assert [piece.text.strip() for piece in left if piece.only] == ["in 1901"]
    assert [piece.text.strip() for piece in right if piece.only] == ["old"]


def test_citations_are_numbers_and_no_words() -> None:
    left, right = diff_words("Lit [e7, e2]. [x]", "Lit [e1]. [x]", {"e7": 1, "e2": 2}, {"e1": 1})
    assert left == (Piece("Lit "), Piece(cite=1), Piece(cite=2), Piece(". [x]"))
    assert right == (Piece("Lit "), Piece(cite=1), Piece(". [x]"))
