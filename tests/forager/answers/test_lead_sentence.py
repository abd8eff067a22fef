"""The sentence that answers is chosen among all sentences of the quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import CrossEncoder
from forager.answers.lead import Quote, choose_sentence, find_sentences, find_signs
from tests.nodes.states import part

LAMP = Quote(
    "Lighthouses > The lamp",
    "### The lamp\n\nThe lamp of the lighthouse is large. It was lit in 1867. Who lit it?",
    1.2,
)
BOATS = Quote("Boats", "The boats are towed in summer. They are painted red.", 1.0)
LIT = part("p1", "When was the lamp of the lighthouse lit?", lamp=1.0, lit=1.0, lighthous=1.0)


@pytest.fixture(scope="module")
def model() -> CrossEncoder:
    """The model that ships."""
    return CrossEncoder(MODEL_FOLDER)


def test_headings_are_no_sentences() -> None:
    every = find_sentences([LAMP, BOATS], LIT.text)
    said = [[LAMP, BOATS][n].text[slice(*span)] for n, span in every]
    assert said == [
        "The lamp of the lighthouse is large.",
        "It was lit in 1867.",
        "Who lit it?",
        "The boats are towed in summer.",
        "They are painted red.",
    ]


def test_who_did_something_is_told_by_a_sentence_with_a_name_if_there_is_one() -> None:
    lit = Quote("The lamp", "It was lit by fishermen. Anna Holm lit the second one.", 1.0)
    (only,) = find_sentences([lit], "Who lit the lamp?")
    assert lit.text[slice(*only.span)] == "Anna Holm lit the second one."
    assert len(find_sentences([BOATS], "Who lit the lamp?")) == 2


def test_the_sentence_with_what_is_asked_for_is_chosen(model: CrossEncoder) -> None:
    chosen, likely = choose_sentence(LIT, [BOATS, LAMP], model)
    assert [BOATS, LAMP][chosen.quote].text[slice(*chosen.span)] == "It was lit in 1867."
    _, unlikely = choose_sentence(LIT, [BOATS], model)
    assert likely is not None
    assert unlikely is not None
    assert likely > 0 > unlikely


def test_what_a_setting_is_by_default_is_said_in_its_own_entry(model: CrossEncoder) -> None:
    own = Quote(
        "Resources > work_mem (integer)",
        "Sets the memory of a sort. The default value is four megabytes (4MB).",
        1.7,
    )
    other = Quote(
        "Resources > hash_mem_multiplier (floating point)",
        "The default value is 2.0, which makes hash operations use twice the usual work_mem.",
        1.9,
    )
    asked = part("p1", "What is the default of work_mem?", default=1.0, work_mem=2.0)
    chosen, _ = choose_sentence(asked, [other, own], model)
    assert own.text[slice(*chosen.span)].startswith("The default value is four")
    assert chosen.quote == 1


def test_signs_are_of_the_sentence_and_its_quote(model: CrossEncoder) -> None:
    signs = find_signs(LIT, [LAMP, BOATS], find_sentences([LAMP, BOATS], LIT.text), model)
    assert [round(has["score"], 1) for has in signs] == [0, 0, 0, -0.2, -0.2]
    assert signs[1]["words"] > max(signs[place]["words"] for place in (0, 2, 3, 4))
    assert signs[4]["terms"] == 0 < signs[0]["terms"]
    assert [has["heading"] for has in signs] == [1, 1, 1, 0, 0]


def test_only_a_question_for_a_default_asks_whether_a_sentence_states_one(
    model: CrossEncoder,
) -> None:
    quote = Quote("Queue", "The delay may be raised. It defaults to 15 minutes.", 1.0)
    every = find_sentences([quote], "What is the delay?")

    def stated(question: str) -> list[float]:
        asked = part("p1", question, delay=1.0)
        return [has["default"] for has in find_signs(asked, [quote], every, model)]

    assert stated("What is the default delay?") == [0, 1]
    assert stated("What is the delay if nobody sets it?") == [0, 1]
    assert stated("What is the delay of a letter?") == [0, 0]


@given(st.lists(st.text(alphabet="ab. \n#`?", max_size=40), min_size=1, max_size=4))
def test_some_sentence_of_any_quotes_is_chosen(texts: list[str]) -> None:
    quotes = [Quote("", text, 0.5) for text in texts]
    chosen, likely = choose_sentence(LIT, quotes, None)
    assert likely is None
    assert 0 <= chosen.span[0] <= chosen.span[1] <= len(quotes[chosen.quote].text)
