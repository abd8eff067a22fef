"""Quotes that share words are told from quotes that answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.minilm import CrossEncoder
from forager.answers.likelihood import LEAST, answer_log_odds, is_likely_answered, rate_quotes
from forager.domain.state import Evidence, SubQuestion
from forager.offline.critic import CoverageRule
from forager.questions.required_terms import term_share
from tests.nodes.states import entry, part, passage

TERMS = {"keep": 1.0, "keeper": 1.0, "lighthous": 1.0, "rund": 3.0}
KEEPER = part("p1", "Who keeps the lighthouse of Runde?").model_copy(update={"terms": TERMS})
LAMP = part("p2", "When was the lamp of the lighthouse of Ona lit?")
NAMES = entry(1, passage("Ona Runde", p1=2.0))
SAYS = entry(2, passage("The keeper Berit Moe keeps the lighthouse of Runde.", p1=1.0))
LIT = entry(3, passage("The lamp of the lighthouse of Ona was lit in 1867.", p1=1.2, p2=2.0))


def rule_for(asked: SubQuestion, ledger: Sequence[Evidence]) -> CoverageRule:
    """The rule of one part, with nothing left elsewhere and nothing that rates quotes."""
    return CoverageRule(
        parts=[asked],
        ledger=ledger,
        before=(),
        elsewhere={},
        whole=None,
        least=0.65,
        most_elsewhere=0.1,
    )


@pytest.fixture(scope="module")
def model() -> CrossEncoder:
    return CrossEncoder(MODEL_FOLDER)


def test_a_quote_that_answers_is_likelier_than_one_with_the_same_names(model: CrossEncoder) -> None:
    assert answer_log_odds(KEEPER, [SAYS], model) > LEAST > answer_log_odds(KEEPER, [NAMES], model)
    assert answer_log_odds(KEEPER, [NAMES, SAYS], model) == answer_log_odds(KEEPER, [SAYS], model)


def test_a_part_is_not_answered_by_the_answer_of_another_one(model: CrossEncoder) -> None:
    parts, ledger = [KEEPER, LAMP], [NAMES, LIT]
    assert is_likely_answered(LAMP, [LIT], parts, ledger, model)
    assert not is_likely_answered(KEEPER, [NAMES], parts, ledger, model)


def test_a_part_that_leans_on_an_answered_one_may_be_less_likely(model: CrossEncoder) -> None:
    what_year = part("p3", "in what year?")
    said = entry(4, passage("Berit Moe retired in 1990.", p3=1.0))
    alone = is_likely_answered(what_year, [said], [what_year], [said], model)
    beside = is_likely_answered(what_year, [said], [KEEPER, what_year], [SAYS, said], model)
    assert (alone, beside) == (False, True)


EARLY = "When does early booking end?"
BOOKING = entry(5, passage("Early booking ends on 31 March 2027."))


@pytest.mark.parametrize(
    ("asked", "follows", "said", "other"),
    [
        ("Where is lunch served?", EARLY, "Lunch is served in the Foyer from 12:30.", BOOKING),
        (
            "What is the nearest airport?",
            EARLY,
            "Shannon is the nearest airport, an hour to the south.",
            BOOKING,
        ),
        ("in which year?", KEEPER.text, "Berit Moe has kept the light of Runde since 1990.", NAMES),
    ],
)
def test_what_leans_on_another_part_is_not_answered_by_what_answers_that_alone(
    model: CrossEncoder, asked: str, follows: str, said: str, other: Evidence
) -> None:
    leaning = part(text=asked).model_copy(update={"leans_on": follows, "follows": follows})
    answer = entry(6, passage(said))
    rated = rate_quotes(leaning, [answer, other], model)
    assert rated[0] > rated[1]


@pytest.mark.parametrize(("ledger", "covered"), [([NAMES], {}), ([NAMES, SAYS], {"p1": "e1"})])
def test_only_a_likely_answer_covers(
    model: CrossEncoder, ledger: list[Evidence], covered: dict[str, str]
) -> None:
    rule = rule_for(KEEPER, ledger)
    assert replace(rule, every=[KEEPER], rater=model).covering() == covered


@given(st.lists(st.sampled_from(["rund", "keeper", "lighthous", "keep", "sea"]), max_size=6))
def test_the_share_of_terms_grows_with_the_words(words: list[str]) -> None:
    share = term_share(words, KEEPER)
    assert 0 <= share <= 1
    assert share <= term_share([*words, "Runde"], KEEPER)
    assert term_share(TERMS, KEEPER) == pytest.approx(1)
