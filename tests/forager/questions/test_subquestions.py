"""The parts of a question, one for each site."""

from dataclasses import replace

import pytest

from forager.domain.state import Survey, Verdict
from forager.domain.survey import TermStatistics
from forager.questions.subquestions import (
    ELSEWHERE_WEIGHT,
    PlannedLookup,
    SubQuestionBuilder,
    distinct_texts,
    list_parts,
    open_sub_questions,
    open_terms,
    open_texts,
    search_query,
    spread_over_sites,
    weighted_share,
)
from tests.nodes.states import entry, part, passage, state

ONE, TWO = "http://one/", "http://two/"
TERMS = {
    ONE: TermStatistics(idf={"granit": 0.1, "door": 2.0}, share={"granit": 0.9, "basalt": 0.0}),
    TWO: TermStatistics(idf={"basalt": 0.1, "door": 1.0}, share={"granit": 0.0, "basalt": 0.9}),
}

IDF = {"granit": 1.0, "basalt": 2.0, "door": 1.0, "paid": 1.0}


def weights(question: str, *asks: str, best: dict[str, str] | None = None) -> dict[str, float]:
    made = SubQuestionBuilder(question, "", TERMS, best).build(
        [PlannedLookup(ask=ask) for ask in asks]
    )
    return {one.id: one.weight for one in made}


def test_an_ask_without_a_site_is_for_the_sites_that_no_other_ask_names() -> None:
    asked = ("Which door is that", "who paid Basalt for it?")
    assert weights("Granite's door is red. Which door is that, and who paid Basalt?", *asked) == {
        "p1s1": 1.0,
        "p1s2": ELSEWHERE_WEIGHT,
        "p2s1": ELSEWHERE_WEIGHT,
        "p2s2": 1.0,
    }


@pytest.mark.parametrize(
    ("context", "asks", "leans_on"),
    [
        ("Granite's tower has a red door.", ["Who built it?"], "Granite's tower has a red door."),
        ("Granite's tower has a red door.", ["Which one?"], "Granite's tower has a red door."),
        ("Granite's tower is old.", ["Who paid the tall red door of the tower?"], ""),
        ("", ["Who paid the tall red door", "in which year?"], "Who paid the tall red door"),
        ("It has a door.", ["Who paid it", "in which year?"], "It has a door. Who paid it"),
        (
            "It has a door.",
            ["Who paid it", "which old mason repaired it with iron?"],
            "It has a door.",
        ),
    ],
)
def test_what_cannot_be_understood_alone_leans_on_what_stands_before_it(
    context: str, asks: list[str], leans_on: str
) -> None:
    made = SubQuestionBuilder(" ".join((context, *asks)), context, {ONE: TERMS[ONE]}).build(
        [PlannedLookup(ask=ask) for ask in asks]
    )
    assert made[-1].leans_on == leans_on
    assert leans_on.endswith(made[-1].follows)
    assert made[-1].follows in ("", asks[0])
    assert made[-1].in_context == f"{leans_on} {asks[-1]}".strip()
    weight = 0.5 if "mason" in asks[-1] else 1.0
    assert made[-1].terms["door"] == 2.0 * weight


def test_a_question_about_several_sites_at_once_asks_each_of_them() -> None:
    text = "I have two doors: Granite in the north, and Basalt in the south. Which keys do I need?"
    builder, asked = SubQuestionBuilder(text, "", TERMS), PlannedLookup(ask="Which keys do I need?")
    assert [(one.id, one.site, one.text) for one in builder.build([asked])] == [
        ("p1s1", ONE, "Which keys do I need? (Granite in the north)"),
        ("p2s2", TWO, "Which keys do I need? (Basalt in the south)"),
    ]
    rewritten = builder.build([asked], first=3, since=1)
    assert [one.id for one in rewritten] == ["p3s1", "p3s2"]


def test_a_word_that_another_site_has_now_and_then_names_no_site() -> None:
    terms = {
        ONE: TermStatistics(share={"granit": 0.9, "run": 0.7}),
        TWO: TermStatistics(share={"basalt": 0.9, "run": 0.3}),
    }
    [made, other] = SubQuestionBuilder("How does it run?", "", terms).build(
        [PlannedLookup(ask="How does it run?")]
    )
    assert (made.weight, other.weight) == (1.0, 1.0)


def test_the_name_of_another_site_counts_where_it_is_asked_for() -> None:
    known = {site: each.model_copy(update={"idf": IDF}) for site, each in TERMS.items()}
    asked = "Which basalt has Granite?", "Who paid the tall old door?"
    asks = [PlannedLookup(ask=ask) for ask in asked]
    made = SubQuestionBuilder(" ".join(asked), "", known).build(asks)
    by_id = {one.id: one.terms for one in made}
    assert "basalt" in by_id["p1s1"]
    assert "basalt" not in by_id["p2s1"]


def test_if_no_ask_names_a_site_each_is_for_all_sites() -> None:
    assert set(weights("Which door?", "Which door?").values()) == {1.0}


def test_an_ask_is_for_the_site_with_the_best_search_result() -> None:
    assert weights("Which door?", "Which door?", best={"Which door?": TWO}) == {
        "p1s1": ELSEWHERE_WEIGHT,
        "p1s2": 1.0,
    }


def test_a_planned_site_gets_the_only_part_of_an_ask() -> None:
    asks = [
        PlannedLookup(ask="Which door has Granite?", site=2),
        PlannedLookup(ask="Who paid?"),
        PlannedLookup(ask="Who drew it?", site=3),
    ]
    made = SubQuestionBuilder("Which door, who paid, and who drew it?", "", TERMS).build(asks)
    assert [(one.id, one.site) for one in made] == [
        ("p1s2", TWO),
        ("p2s1", ONE),
        ("p2s2", TWO),
        ("p3s1", ONE),
        ("p3s2", TWO),
    ]
    assert made[0].weight == 1


def test_the_parts_of_a_look_up_share_a_line_and_what_covers_one_of_them() -> None:
    asked = [PlannedLookup(ask="Which door?"), PlannedLookup(ask="Who paid?", site=1)]
    parts = SubQuestionBuilder("Which door? Who paid?", "", TERMS).build(asked)
    assert list_parts(parts) == ["p1s1, p1s2: Which door?", "p2s1: Who paid?"]
    assert spread_over_sites({"p1s2": ("e1",), "p1s1": (), "p2s1": ()}, parts) == {
        "p1s1": ("e1",),
        "p1s2": ("e1",),
        "p2s1": (),
    }
    held = {"p1s1": ("e1",), "p1s2": ("e2",)}
    assert spread_over_sites(held, parts) == held


def test_needs_are_stored_as_texts() -> None:
    asks = [PlannedLookup(ask="Which door"), PlannedLookup(ask="who paid for it", needs=1)]
    made = SubQuestionBuilder("Which door, and who paid for it?", "", {ONE: TERMS[ONE]}).build(asks)
    assert [one.needs for one in made] == [(), ("Which door",)]
    odd = [PlannedLookup(ask="Which door", needs=1), PlannedLookup(ask="who paid", needs=7)]
    assert [
        one.needs for one in SubQuestionBuilder("Which door", "", {ONE: TERMS[ONE]}).build(odd)
    ] == [(), ()]


def test_rows_and_columns_are_kept() -> None:
    asks = [PlannedLookup(ask="height of the tower", row="tower", column="height")]
    [made] = SubQuestionBuilder("height of the tower", "", {ONE: TERMS[ONE]}).build(
        asks, first=4, since=2
    )
    assert (made.id, made.row, made.column, made.since) == ("p4", "tower", "height", 2)


def test_terms_in_a_script_foreign_to_the_site_are_dropped() -> None:
    known = {ONE: TermStatistics(idf={"timbuktu": 3.0})}
    text = "Timbuktu 在哪个国家？"
    [made] = SubQuestionBuilder(text, "", known).build([PlannedLookup(ask=text)])
    assert set(made.terms) == {"timbuktu"}
    known = {ONE: TermStatistics(idf={"timbuktu": 3.0, "国家": 2.0})}
    [made] = SubQuestionBuilder(text, "", known).build([PlannedLookup(ask=text)])
    assert {"timbuktu", "国家"} <= set(made.terms)


def test_if_the_site_knows_no_term_all_are_kept() -> None:
    [made] = SubQuestionBuilder("在哪个国家？", "", {ONE: TermStatistics()}).build(
        [PlannedLookup(ask="在哪个国家？")]
    )
    assert made.terms


def test_an_ask_without_function_words_has_the_language_of_its_question() -> None:
    text = "Wie hoch ist der Turm?"
    [made] = SubQuestionBuilder(text, "", {ONE: TermStatistics()}).build(
        [PlannedLookup(ask="der Turm")]
    )
    assert "der" not in made.terms
    assert "turm" in made.terms


def test_a_question_of_stop_words_keeps_them_as_terms() -> None:
    [made] = SubQuestionBuilder("Who is who?", "", {ONE: TermStatistics()}).build(
        [PlannedLookup(ask="Who is who?")]
    )
    assert made.terms.keys() == {"who", "is"}


def test_open_parts_are_those_left_open_or_not_judged_by_the_verdict() -> None:
    new = part("p3").model_copy(update={"since": 1})
    survey = Survey(parts=(part("p1"), part("p2"), new))
    assert open_sub_questions(survey, None) == survey.parts
    verdict = Verdict(sufficient=False, covered=("p1",), open=("p2",))
    assert [one.id for one in open_sub_questions(survey, verdict)] == ["p2", "p3"]
    seen = verdict.model_copy(update={"covered": ("p1", "p3")})
    assert [one.id for one in open_sub_questions(survey, seen)] == ["p2"]


def test_texts_on_several_sites_are_listed_once() -> None:
    assert distinct_texts([part("p1s1"), part("p1s2"), part("p2", "when?")]) == (
        "Who founded it?",
        "when?",
    )


def test_a_follow_up_keeps_its_own_terms_if_it_is_in_the_language_of_the_site() -> None:
    text, ask = "And the window (red door)?", PlannedLookup(ask="And the window?")
    known = {ONE: TermStatistics(idf={"door": 2.0, "red": 3.0})}
    [made] = SubQuestionBuilder(text, "red door", known, leans=True).build([ask])
    assert made.own == ("window",)
    assert SubQuestionBuilder(text, "red door", known).build([ask])[0].own == ()
    other = {ONE: TermStatistics(idf={"red": 2.0})}
    assert SubQuestionBuilder(text, "red door", other, leans=True).build([ask])[0].own == ()


def test_a_search_query_is_the_planned_one_or_the_distinctive_words() -> None:
    planned = PlannedLookup(ask="When was it built?", search="dome construction year")
    assert search_query(planned, "the house") == "dome construction year"
    assert search_query(PlannedLookup(ask="Who founded the house?"), "") == "founded house"
    assert (
        search_query(PlannedLookup(ask="Which one?"), "The house needs a key.") == "house needs key"
    )
    assert search_query(PlannedLookup(ask="Which?"), "") == "Which?"


def test_open_terms_keep_the_order_of_the_parts_and_their_greatest_weights() -> None:
    words = ["lamp", "oil", "keeper", "tower", "lens", "beam", "coast", "reef", "ship", "bell"]
    terms = {word: 1.0 + place for place, word in enumerate(words)}
    first = part("p1", "reef").model_copy(update={"terms": terms})
    found = open_terms(state(first, part("p2", "dome", lamp=9.0)))
    assert list(found) == [*words, "dome"]
    assert (found["lamp"], found["reef"], found["dome"]) == (9.0, 8.0, 1.0)


def test_words_nearby_count_for_half() -> None:
    weights = {"dome": 3.0, "press": 1.0}
    assert weighted_share(weights, {"dome"}) == 0.75
    assert weighted_share(weights, {"press"}, {"dome"}) == 0.625
    assert weighted_share({}, {"dome"}) == 0.0


def test_once_the_aggregator_has_closed_everything_nothing_is_open() -> None:
    start = state(part("p1", "Who?"), part("p2", "When?"))
    assert open_texts(start) == ("Who?", "When?")
    heard = replace(start, evidence=(entry(1, passage("By Ann.")),))
    assert open_texts(heard) == ()
    left = replace(heard, verdict=Verdict(sufficient=False, covered=("p1",), open=("p2",)))
    assert open_texts(left) == ("When?",)
