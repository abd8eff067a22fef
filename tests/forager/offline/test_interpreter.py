"""What do follow-ups mean? In conversations about things that no test site has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.offline.interpreter import resolve_followup
from forager.questions import split
from forager.questions.anaphora import stands_alone
from forager.questions.followups import Exchange, is_elliptic, own_clause, without_context

BREAD = Exchange("How long does the bakery of Linden let its rye dough rest?")
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60)


@pytest.mark.parametrize(
    "question",
    [
        "And the wheat dough?",
        "What about the spelt one?",
        "How about on Sundays?",
        "Does the spelt one need more water?",
        "Who wrote it down?",
        "Which oven is used for that?",
        "Which oven is used then?",
        "If it fails, which other flour may be taken?",
        "And which flour goes into the second loaf?",
        "Is the dark version of it sold on Sundays?",
        "Und der Weizenteig?",
        "Wie heiß ist er?",
        "Was ist mit dem Ofen?",
        "Et la pâte de blé ?",
        "Combien d'eau lui faut-il ?",
        "那小麦面团呢？",
        "它需要多少水？",
    ],
)
def test_what_leans_on_the_conversation_is_read_with_its_words(question: str) -> None:
    found = resolve_followup(question, [BREAD])
    assert not stands_alone(question)
    assert "Linden" in found.context
    assert found.text.startswith(question.rstrip(" ?？"))
    assert found.context in found.text


def test_a_default_that_was_asked_for_is_asked_for_of_the_other_thing_too() -> None:
    asked = Exchange("Which flour does the bakery of Linden take when nobody names one?")
    found = resolve_followup("And the mill?", [asked])
    assert found.text.startswith("And the mill — by default which flour (")


@pytest.mark.parametrize(
    "question",
    [
        "How long does the bakery of Linden let its rye dough rest?",
        "What does the mill of Arven do when it floods?",
        "Is there a limit on the weight of a loaf?",
        "Which guild keeps a book of its members?",
        "Welche Mühle steht am Fluss?",
        "Quel moulin se trouve au bord du fleuve ?",
        "哪座磨坊在河边？",
    ],
)
def test_what_stands_alone_stays_as_it_is(question: str) -> None:
    assert stands_alone(question)
    assert resolve_followup(question, [BREAD]).text == question
    assert not resolve_followup(question, [BREAD]).context


def test_a_first_question_leans_on_nothing() -> None:
    assert resolve_followup("And the wheat dough?", []).context == ""


def test_what_lacks_its_predicate_is_asked_as_the_one_before() -> None:
    found = resolve_followup("And the wheat dough?", [BREAD])
    assert found.text == "And the wheat dough — how long (bakery Linden rye rest)?"
    assert own_clause(without_context(found.text, found.context)) == "And the wheat dough"
    which = Exchange("Which mill does the bakery of Linden buy from?")
    assert "which mill" in resolve_followup("And the one in Arven?", [which]).text


def test_a_chain_of_fragments_keeps_what_the_first_asked() -> None:
    second = resolve_followup("And the wheat dough?", [BREAD])
    third = resolve_followup("And spelt?", [BREAD, Exchange(second.text, second.context)])
    for word in ("wheat", "Linden", "bakery", "rest"):
        assert word in third.context


def conversation(*questions: str) -> list[Exchange]:
    """Each read from those before it."""
    told: list[Exchange] = []
    for question in questions:
        found = resolve_followup(question, told)
        told.append(Exchange(found.text, found.context))
    return told


def test_a_thing_that_was_replaced_is_not_carried_on() -> None:
    last = conversation(
        "How many loaves does the bakery of Linden sell?",
        "And the one in Arven?",
        "And the one in Holm?",
        "And the one in Skarn?",
    )[-1]
    assert {"Holm", "Linden", "bakery", "loaves", "sell"} <= set(last.context.split())
    assert "Arven" not in last.context
    assert last.question.startswith("And the one in Skarn — how many (")


def test_a_new_topic_leaves_the_old_one_behind() -> None:
    told = conversation(
        "How many loaves does the bakery of Linden sell?",
        "And the one in Arven?",
        "Which guild keeps the books of the mill at Holm?",
        "Who wrote them?",
    )
    assert not told[2].context
    assert {"guild", "books", "mill", "Holm"} <= set(told[3].context.split())
    assert not {"Linden", "Arven", "bakery"} & set(told[3].context.split())


def test_where_nothing_is_named_since_what_was_named_before_stays() -> None:
    last = conversation(
        "How many loaves does the bakery of Linden sell?",
        "Which flour is taken for the dark bread?",
        "And for the white one?",
    )[-1]
    assert {"flour", "dark", "bread", "Linden"} <= set(last.context.split())


def test_what_the_first_word_names_is_named_for_all_that_follows() -> None:
    last = conversation(
        "Linden bakes rye. How long does its dough rest?",
        "Which oven is used for it?",
        "And which wood does it burn when the oven is cold?",
    )[-1]
    assert "Linden" in last.context.split()


def test_readings_of_a_long_chain_do_not_grow() -> None:
    places = ["Arven", "Holm", "Skarn", "Vega", "Senja", "Tromso", "Bodin"]
    told = conversation(
        "How many loaves does the bakery of Linden sell?",
        *(f"And the one in {place}?" for place in places),
    )
    assert len({len(each.context.split()) for each in told[2:]}) == 1


def test_only_the_new_thing_is_asked() -> None:
    before = Exchange("Which mill grinds the rye, and how many loaves does it make a day?")
    found = resolve_followup("And for wheat?", [before])
    assert len(split.split_question(without_context(found.text, found.context)).asked) == 1


@given(WORDS, WORDS)
def test_the_written_question_can_be_told_from_what_it_leans_on(question: str, first: str) -> None:
    found = resolve_followup(question, [Exchange(first)])
    assert found.context or found.text == question
    if found.context and f" ({found.context})" not in question:
        own = without_context(found.text, found.context)
        assert own.startswith(question.rstrip(" ?？.。"))


@given(WORDS)
def test_a_fragment_never_stands_alone_when_it_goes_on(question: str) -> None:
    assert is_elliptic(f"And {question}") or not stands_alone(f"And {question}")


DESIGNED = Exchange(
    "Who designed Harrow Light?", "", "“It was designed by the engineer Edwin Mercer.” [e1]"
)


@pytest.mark.parametrize(
    "question", ["And when did he die?", "Where was his workshop?", "他什么时候去世？"]
)
def test_a_person_is_the_one_who_was_asked_for(question: str) -> None:
    found = resolve_followup(question, [DESIGNED])
    assert found.context == "Edwin Mercer"
    again = Exchange(found.text, found.context, "“He died in Hull.” [e2]")
    assert resolve_followup("Where was he born?", [DESIGNED, again]).context == "Edwin Mercer"


@pytest.mark.parametrize(
    ("question", "before"),
    [
        ("And how high is it?", DESIGNED),
        ("And when did she die?", Exchange("When was Ada Lovelace born?", "", "“1815” [e1]")),
        ("And when did he die?", DESIGNED._replace(answer="“It was designed in 1865.” [e1]")),
    ],
)
def test_other_words_point_to_what_was_asked_about(question: str, before: Exchange) -> None:
    assert "Edwin" not in (context := resolve_followup(question, [before]).context)
    assert {"Harrow", "Ada"} & set(context.split())
