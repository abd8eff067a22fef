"""What is quoted without a language model, and how many quotes there are."""

import pytest

from forager.offline.answerer import quote_entry, write_answer
from tests.fakes import FakeEmbedder
from tests.nodes.states import entry, part, passage


def test_lines_of_nothing_but_signs_are_not_quoted() -> None:
    item = entry(1, passage("The lamp is lit.\n\n[*]\n\n##\n\nIt burns all night."))
    said = list(quote_entry(item))
    assert [line.partition("“")[2] for line in said] == [
        "The lamp is lit.” [e1]",
        "It burns all night.” [e1]",
    ]


@pytest.mark.parametrize(("asked", "quotes"), [(1, 5), (2, 6), (3, 7)])
def test_each_further_sub_question_brings_one_more_quote(asked: int, quotes: int) -> None:
    parts = [part(f"p{number}", f"Who kept lamp {number}?") for number in range(1, asked + 1)]
    scores = dict.fromkeys((each.id for each in parts), 1.0)
    ledger = [
        entry(number, passage(f"Lamp {number} was kept by Brandt.", 100 * number, "b1", **scores))
        for number in range(1, 10)
    ]
    written = write_answer(
        "Who kept them?", parts, ledger, FakeEmbedder(available=False), citations=5, least=0.5
    )
    assert sum(f"[{item.id}]" in written.text for item in ledger) == quotes


def test_the_lead_comes_from_the_site_that_the_sub_question_names() -> None:
    named, other = part("p1s1", "Who kept the lamp?"), part("p1s2", "Who kept the lamp?")
    other = other.model_copy(update={"weight": 0.25})
    ledger = [
        entry(1, passage("The lamp was kept by Brandt.", p1s1=0.8)),
        entry(2, passage("The lamp was kept by Morgan.", 100, p1s2=0.9)),
    ]
    written = write_answer(
        "Who kept the lamp?",
        [other, named],
        ledger,
        FakeEmbedder(available=False),
        citations=5,
        least=0.5,
    )
    assert [(lead.text, lead.quote) for lead in written.leads] == [("Brandt", "e1")]


def test_the_leads_of_a_comparison_are_the_cells_of_its_table() -> None:
    said = "The depth at Ona is 9 metres."
    ledger = [
        entry(1, passage(f"{said} A bound of the depth of Ona is 1,000,000,000 marks.", p1s1=0.9)),
        entry(2, passage("The depth of Holm is 14 metres.", 400, p2s1=0.9)),
    ]
    parts = [part("p1s1", "depth of Ona"), part("p2s1", "depth of Holm")]
    written = write_answer(
        "Compare Ona and Holm in depth.",
        parts,
        ledger,
        FakeEmbedder(available=False),
        citations=5,
        least=0.5,
    )
    cells = [row[1] for row in written.table.rows]
    quotes = {item.id: item.passage.text for item in ledger}
    led = [
        (quotes[lead.quote][lead.sentence_start : lead.sentence_end], [lead.quote])
        for lead in written.leads
    ]
    assert led == [(cell.text, cell.cites) for cell in cells]
    before, _, _ = written.text.partition("More quotes:")
    assert said in before
    assert "1,000,000,000" not in before


def test_of_two_rows_that_are_compared_the_cells_are_told() -> None:
    table = "Light | Keeper | Height\nOna | Brandt | 9 m\nHolm | Morgan | 14 m\nVega | Lund | 8 m"
    ledger = [entry(1, passage(table, p1s1=0.9, p2s1=0.8))]
    parts = [part("p1s1", "height of Ona"), part("p2s1", "height of Holm")]
    written = write_answer(
        "Which is taller, Ona or Holm?",
        parts,
        ledger,
        FakeEmbedder(available=False),
        citations=5,
        least=0.5,
    )
    assert [[cell.text for cell in row] for row in written.table.rows] == [
        ["Ona", "9 m"],
        ["Holm", "14 m"],
    ]
    assert [lead.text for lead in written.leads] == ["9 m", "14 m"]
