"""The cross-encoder rates a passage that answers best, and reads which of its words do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import CrossEncoder
from forager.answers.lead_words import find_words
from forager.answers.reading import Reading
from forager.ports import RatedPassage

MANUAL = "Skarn manual > Network"
PORT = RatedPassage(MANUAL, "", "The server listens on port 4022 unless another is configured.")
RESTART = RatedPassage(MANUAL, "", "Restart the server after you have changed the port.")
HISTORY = RatedPassage("Skarn manual > History", "", "The first release was written in 1998.")
QUESTION = "Which port does the Skarn server use by default?"


@pytest.fixture(scope="module")
def model() -> CrossEncoder:
    return CrossEncoder(MODEL_FOLDER)


@pytest.mark.parametrize(
    ("question", "best"),
    [(QUESTION, PORT), ("When was the first release of Skarn written?", HISTORY)],
)
def test_the_passage_that_answers_is_rated_best(
    model: CrossEncoder, question: str, best: RatedPassage
) -> None:
    passages = [RESTART, PORT, HISTORY]
    rated = model.rate(question, passages)
    assert passages[int(rated.argmax())] == best
    assert rated.max() - np.sort(rated)[-2] > 2


def test_a_question_that_no_passage_answers_is_rated_low_throughout(model: CrossEncoder) -> None:
    rated = model.rate("What is the phone number of the author of Skarn?", [PORT, RESTART, HISTORY])
    assert (rated < 0).all()


def test_ratings_come_in_the_order_of_the_passages_and_do_not_depend_on_each_other() -> None:
    together = CrossEncoder(MODEL_FOLDER).rate(QUESTION, [HISTORY, PORT, HISTORY, RESTART])
    apart = [CrossEncoder(MODEL_FOLDER).rate(QUESTION, [each])[0] for each in (HISTORY, PORT)]
    assert together[0] == together[2]
    np.testing.assert_allclose(together[:2], apart, atol=1e-3)


def test_nothing_is_rated_for_no_passages(model: CrossEncoder) -> None:
    assert model.rate(QUESTION, []).shape == (0,)


@settings(max_examples=25, deadline=None)
@given(question=st.text(max_size=300), text=st.text(max_size=3000))
def test_any_text_has_a_finite_rating(model: CrossEncoder, question: str, text: str) -> None:
    rated = model.rate(question, [RatedPassage(text[:50], text, text)])
    assert np.isfinite(rated).all()


def test_what_stands_before_is_read_from_its_end(model: CrossEncoder) -> None:
    far = RatedPassage(MANUAL, f"{'noise ' * 200}The option PORT.", "It is 4022 by default.")
    near = far._replace(before=f"{'noise ' * 60}The option PORT.")
    np.testing.assert_allclose(model.rate(QUESTION, [far]), model.rate(QUESTION, [near]), atol=1e-3)


@pytest.mark.parametrize(
    ("question", "passage", "words"),
    [
        (QUESTION, PORT, "4022"),
        ("When was the first release of Skarn written?", HISTORY, "1998"),
    ],
)
def test_the_words_that_answer_are_read(
    model: CrossEncoder, question: str, passage: RatedPassage, words: str
) -> None:
    [tokens] = model.read(question, [passage])
    [(start, end)] = Reading(passage.text, tokens).likeliest(1)
    assert passage.text[start:end] == words


@settings(max_examples=25, deadline=None)
@given(text=st.text(max_size=600), count=st.integers(0, 8))
def test_what_is_read_are_stretches_of_the_text(model: CrossEncoder, text: str, count: int) -> None:
    [tokens] = model.read(QUESTION, [RatedPassage("", "", text)])
    reading = Reading(text, tokens)
    found = reading.likeliest(count)
    assert len(found) <= count
    for start, end in found:
        assert 0 <= start < end <= len(text)
        assert reading.signs(start, end)["read"] <= 0


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("In the storm 23 boats were lost and 61 people died.", "23 boats"),
        ("In the storms 23 boats and then 12 boats were lost.", None),
    ],
)
def test_the_only_number_of_what_is_counted_answers(
    model: CrossEncoder, sentence: str, words: str | None
) -> None:
    question = "How many boats were lost in the storm of 1907?"
    passage = RatedPassage("December storm of 1907 – Orrin Isles Encyclopedia", "", sentence)
    [tokens] = model.read(question, [passage])
    found = find_words(question, sentence, Reading(sentence, tokens))
    assert (found.text if found else None) == words
