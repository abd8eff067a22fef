"""The answer rests on the ledger alone, cites what is there, and says what stayed open."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.answers.arithmetic import UNWORKED, Operand, Operation, Sum
from forager.answers.lead import MORE_QUOTES
from forager.domain.answers import Answer
from forager.domain.spend import Budget, Spend
from forager.domain.state import Evidence, State, Verdict
from nodes.answerer import AnswererParams, WriteAnswer, Written, answer
from tests.fake_ports import ports
from tests.fakes import ScriptedModel
from tests.nodes.states import entry, part, passage, state

PARAMS = AnswererParams()
P1, P2 = part("p1", "Who?"), part("p2", "When?")
BRANDT = passage("It was founded by Ottilie Brandt.", 0, p1=0.9, p2=0.1)
YEAR = passage("That was in 1887.", 100, p1=0.1, p2=0.9)
LEDGER = (entry(1, BRANDT), entry(2, YEAR), entry(3, passage("Gone."), dropped=True))


def knowing(ledger: Sequence[Evidence] = LEDGER, spend: Spend | None = None) -> State:
    start = state(P1, P2, budget=Budget(pages=5))
    return replace(start, evidence=tuple(ledger), spend=spend or Spend())


async def answered(start: State, *replies: Written) -> Answer:
    update = await answer(start, ports(*replies), PARAMS)
    assert set(update) == {"answer"}
    return update["answer"]


def said(text: str, *open: str) -> Written:
    return Written(text=text, open=list(open))


async def test_each_id_in_the_text_is_a_citation() -> None:
    found = await answered(knowing(), said("Ottilie Brandt [e1], in 1887 [e2]. Brandt [e1]."))
    assert found.status == "answered"
    assert [citation.id for citation in found.citations] == ["e1", "e2"]
    first = found.citations[0]
    assert (first.quote, first.start, first.end) == (BRANDT.text, BRANDT.start, BRANDT.end)
    assert (first.url, first.title, first.blob) == (BRANDT.url, BRANDT.title, BRANDT.blob)


@pytest.mark.parametrize(
    ("written", "text", "cited"),
    [
        ("Brandt [e1] [e9].", "Brandt [e1].", ["e1"]),
        ("Brandt [e1][e3].", "Brandt [e1].", ["e1"]),
        ("Brandt [e9, e1, e2].", "Brandt [e1][e2].", ["e1", "e2"]),
        ("Brandt [e1;e2].", "Brandt [e1][e2].", ["e1", "e2"]),
        ("In [brackets] [e2].", "In [brackets] [e2].", ["e2"]),
    ],
)
async def test_ids_that_are_not_in_the_ledger_are_removed(
    written: str, text: str, cited: list[str]
) -> None:
    found = await answered(knowing(), said(written))
    assert found.text == text
    assert [citation.id for citation in found.citations] == cited


@pytest.mark.parametrize("text", ["It was Smith.", "It was Smith [e9].", "[e3]", "", " "])
async def test_a_text_that_cites_nothing_is_no_answer(text: str) -> None:
    found = await answered(knowing(), said(text))
    assert found.status == "abstained"
    assert found.text == ""
    assert found.citations == ()
    assert found.open == ("Who?", "When?")
    assert found.reason


async def test_a_sentence_without_a_citation_cites_the_quote_that_supports_it() -> None:
    found = await answered(knowing(), said("It was founded by Ottilie Brandt. In 1887 [e1]."))
    assert found.text == "It was founded by Ottilie Brandt. In 1887 [e1][e2]."
    assert found.doubts == ()
    alone = await answered(knowing(), said("It was founded by Ottilie Brandt."))
    assert alone.text == "It was founded by Ottilie Brandt. [e1]"


async def test_what_no_quote_supports_is_a_doubt() -> None:
    found = await answered(knowing(), said("Brandt [e1], in 1888 [e2]. Smith helped her."))
    assert found.status == "answered"
    assert found.text == "Brandt [e1], in 1888 [e2]."
    assert [(doubt.sentence, doubt.why.split()[0]) for doubt in found.doubts] == [
        (", in 1888", "The"),
        ("Smith helped her.", "It"),
    ]
    assert "1888" in found.doubts[0].why


async def test_what_stayed_open_makes_it_partial() -> None:
    found = await answered(knowing(), said("Ottilie Brandt [e1].", "When?"))
    assert (found.status, found.open) == ("partial", ("When?",))


@pytest.mark.parametrize(
    ("written", "status"),
    [
        (said("Brandt [e1] in 1887 [e2]."), "answered"),
        (said("Brandt [e1].", "When?"), "partial"),
        (said(""), "partial"),
    ],
)
async def test_with_the_budget_spent_an_answer_counts_and_less_is_partial(
    written: Written, status: str
) -> None:
    found = await answered(knowing(spend=Spend(actions=5)), written)
    assert found.status == status
    assert ("budget of pages" in found.reason) == (status == "partial")


async def test_an_empty_ledger_abstains_without_asking() -> None:
    for ledger in ((), LEDGER[2:]):
        model = ScriptedModel()
        update = await answer(knowing(ledger), replace(ports(), model=model), PARAMS)
        assert model.asked == []
        assert update["answer"].status == "abstained"
        assert update["answer"].open == ("Who?", "When?")
        assert "None" not in update["answer"].text


async def test_nothing_known_at_all_leaves_the_question_open() -> None:
    start = knowing(())
    start = replace(start, survey=start.survey.model_copy(update={"parts": ()}))
    found = await answered(start)
    assert found.open == (start.question.text,)


async def test_the_model_sees_what_is_not_dropped() -> None:
    model = ScriptedModel(said("[e1]"))
    await answer(knowing(), replace(ports(), model=model), PARAMS)
    [task] = model.asked
    assert isinstance(task, WriteAnswer)
    assert [item.id for item in task.ledger] == ["e1", "e2"]


# ---- the built-in rule


async def test_the_built_in_rule_quotes_what_answers_each_part() -> None:
    found = await answered(knowing())
    assert found.status == "answered"
    assert {citation.id for citation in found.citations} == {"e1", "e2"}
    assert all(citation.quote in found.text for citation in found.citations)


async def test_what_stands_around_the_lead_is_quoted_first_among_the_further_quotes() -> None:
    text = "This is the founding. Ottilie Brandt founded it. She came from Skarn."
    start = state(part("p1", "Who founded it?"))
    ledger = (entry(1, passage(text, 0, p1=0.9)), entry(2, passage("Found it.", 90, p1=0.1)))
    written = WriteAnswer(
        question="Who founded it?", parts=start.survey.parts, ledger=ledger, params=PARAMS
    ).offline(LexicalOnly("none"))
    lead, heading, *more = written.text.splitlines()
    assert "“Ottilie Brandt founded it.” [e1]" in lead
    assert heading == MORE_QUOTES
    assert [line.rpartition("“")[2] for line in more[:2]] == [
        "This is the founding.” [e1]",
        "She came from Skarn.” [e1]",
    ]


async def test_the_built_in_rule_names_a_part_that_nothing_answers() -> None:
    found = await answered(knowing(LEDGER[:1]))
    assert (found.status, found.open) == ("partial", ("When?",))


async def test_the_built_in_rule_abstains_where_nothing_answers_any_part() -> None:
    found = await answered(knowing([entry(1, passage("Dogs wait outside.", p1=0.01, p2=0.01))]))
    assert (found.status, found.text) == ("abstained", "")
    assert found.open == ("Who?", "When?")


async def test_the_built_in_rule_abstains_where_no_quote_says_what_a_follow_up_adds() -> None:
    asked = part(text="And the tide?", sea=1.0, tide=1.0).model_copy(update={"own": ("tide",)})
    deep, high = (passage(text, p1=0.9) for text in ("The sea is deep.", "The tide is high."))
    start = replace(state(asked), evidence=(entry(1, deep),))
    assert (await answered(start)).status == "abstained"
    found = await answered(replace(start, evidence=(entry(1, deep), entry(2, high))))
    assert [citation.id for citation in found.citations] == ["e2"]


SCORES = st.fixed_dictionaries({"p1": st.floats(0, 1.5), "p2": st.floats(0, 1.5)})


@given(st.lists(SCORES, max_size=9), st.integers(1, 5))
async def test_the_built_in_rule_cites_few_of_the_ledger(
    scores: list[dict[str, float]], most: int
) -> None:
    ledger = [
        entry(n, passage(f"Fact {n}.", n * 100, "b1", **of)) for n, of in enumerate(scores, 1)
    ]
    params = AnswererParams(citations=most)
    found = (await answer(knowing(ledger), ports(), params))["answer"]
    assert len(found.citations) <= most + 1  # one for the second sub-question
    assert {citation.id for citation in found.citations} <= {item.id for item in ledger}
    assert bool(found.citations) == bool(found.text) == (found.status != "abstained")
    assert (found.status == "answered") == (not found.open)


# ---- sums

ROOMS = (entry(1, passage("Skarn has 45 rooms.")), entry(2, passage("Holm has 24 rooms.", 100)))


def summed(text: str, *values: tuple[str, str], operation: Operation = "difference") -> Written:
    operands = [Operand(quote=id, value=value) for id, value in values]
    return Written(text=text, sums=[Sum(operation=operation, operands=operands)])


async def test_a_sum_is_worked_out_by_code_and_cited() -> None:
    written = summed("Skarn has more rooms: {sum 1}.", ("e1", "45"), ("e2", "24"))
    found = await answered(knowing(ROOMS), written)
    assert found.text == "Skarn has more rooms: 45 [e1] − 24 [e2] = 21."
    assert [citation.id for citation in found.citations] == ["e1", "e2"]
    assert (found.status, found.doubts) == ("answered", ())


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([("e1", "44"), ("e2", "24")], "does not say '44'"),
        ([("e1", "45"), ("e7", "24")], "no quote 'e7'"),
        ([("e1", "Skarn"), ("e2", "24")], "'Skarn' is not one number"),
    ],
)
async def test_a_sum_that_cannot_be_worked_out_is_a_fault_and_then_a_doubt(
    values: list[tuple[str, str]], why: str
) -> None:
    written = summed("Skarn has more rooms: {sum 1}.", *values)
    task = WriteAnswer(question="?", parts=(P1,), ledger=ROOMS, params=PARAMS)
    assert any(why in fault for fault in task.faults(written))
    found = await answered(knowing(ROOMS), written)
    assert UNWORKED in found.text
    assert any(why in doubt.why for doubt in found.doubts)


async def test_a_good_sum_is_no_fault() -> None:
    task = WriteAnswer(question="?", parts=(P1,), ledger=ROOMS, params=PARAMS)
    assert task.faults(summed("{sum 1}", ("e1", "45"), ("e2", "24"))) == []
    assert task.faults(summed("[e1]", ("e1", "45"), ("e2", "24"))) != []


@pytest.mark.parametrize(
    ("rounds", "verdict", "status"),
    [
        (1, Verdict(sufficient=False, covered=("p1",), open=("p2",)), "partial"),
        (1, Verdict(sufficient=True, covered=("p1", "p2")), "answered"),
        (9, Verdict(sufficient=False, covered=("p1",), open=("p2",)), "partial"),
        (None, Verdict(sufficient=False, covered=("p1",), open=("p2",)), "partial"),
        (1, None, "answered"),
    ],
)
async def test_what_the_critic_leaves_open_makes_it_partial_whatever_ended_the_run(
    rounds: int | None, verdict: Verdict | None, status: str
) -> None:
    start = state(P1, P2, budget=Budget(rounds=rounds))
    start = replace(start, evidence=tuple(LEDGER), verdict=verdict)
    found = await answered(start, said("Brandt [e1] in 1887 [e2]."))
    assert found.status == status
    assert (found.open == (P2.text,)) == (status == "partial")
