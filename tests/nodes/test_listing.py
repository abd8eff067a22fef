"""Lists through the nodes: rows copied whole, kept together, judged and laid out."""

from dataclasses import replace

import pytest

from forager.answers.answer_table import WrittenCell, WrittenTable
from forager.domain.answers import Answer
from forager.domain.state import Evidence, Passage, Question, Reading, State
from nodes.aggregator import AggregatorParams, Edit, Edits, aggregate
from nodes.answerer import AnswererParams, WriteAnswer, Written, answer
from nodes.critic import CriticParams, criticise
from nodes.extractor import ExtractorParams, Found, extract
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.states import SITE, document, entry, part, passage, state, step

ASK = "List all 4 lights of the coast, with their height."
TEXT = """# Lights of the coast

Light | Height
Ona | 24 m
Holm | 31 m
Skarn | 9 m
Vega | 17 m

- Home
- Menu
- About
"""


def asking(question: str = ASK) -> State:
    start = state(part("p1", question, light=2.0, coast=1.0, height=1.0))
    return replace(start, question=Question(text=question, sites=(SITE,)))


async def read(found: Found | None = None, question: str = ASK, text: str = TEXT) -> Reading:
    blobs = MemoryBlobs()
    start = replace(asking(question), steps=(step(blobs, document("a", text)),))
    replies = (found,) if found else ()
    update = await extract(start, ports(*replies, blobs=blobs), ExtractorParams())
    return update["reading"]


async def rows(text: str = TEXT) -> tuple[Passage, ...]:
    return tuple(each for each in (await read(text=text)).passages if each.row)


async def ledger() -> tuple[Evidence, ...]:
    return tuple(entry(place, each) for place, each in enumerate(await rows(), start=1))


async def test_rows_know_when_their_page_was_fetched_and_what_date_it_says() -> None:
    blobs = MemoryBlobs()
    opened = step(blobs, document("a", TEXT))
    assert opened.page
    page = opened.page.model_copy(update={"dated": "2024-05", "fetched": 7.0})
    start = replace(asking(), steps=(opened.model_copy(update={"page": page}),))
    update = await extract(start, ports(blobs=blobs), ExtractorParams())
    listed = [each for each in update["reading"].passages if each.row]
    assert {(each.dated, each.fetched) for each in listed} == {("2024-05", 7.0)}


async def test_the_rows_of_the_list_that_is_asked_for_are_copied() -> None:
    found = await rows()
    assert [each.text for each in found] == [
        "Ona | 24 m",
        "Holm | 31 m",
        "Skarn | 9 m",
        "Vega | 17 m",
    ]
    for place, each in enumerate(found):
        assert each.text == TEXT[each.start : each.end]
        assert each.row
        assert (each.row.place, each.row.of, each.row.columns) == (place, 4, ("Light", "Height"))
        assert each.section == "Lights of the coast"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How high is the light of Skarn?", TEXT),
        (ASK, "# Lights of the coast\n\nThey are many.\n\n- Home\n- Menu\n- About"),
        ("List all emperors of the east.", TEXT),
    ],
)
async def test_no_rows_where_no_list_is_asked_for_or_fits(question: str, text: str) -> None:
    assert all(each.row is None for each in (await read(None, question, text)).passages)


async def test_a_model_names_lists_and_none_that_are_not_there() -> None:
    chosen = await read(Found(passages=[], lists=["t1", "t9", "t1"]))
    assert [each.text for each in chosen.passages][:1] == ["Ona | 24 m"]
    assert len(chosen.passages) == 4
    none = await read(Found(passages=[]))
    assert none.passages == ()


async def test_a_list_enters_whole_beyond_the_limit_of_entries() -> None:
    loose = passage("The lights of the coast were built late.", 900, "b2", p1=0.5)
    start = replace(
        asking(), reading=Reading(step="1.1", passages=(*await rows(), loose)), evidence=()
    )
    update = await aggregate(start, ports(), AggregatorParams(entries=1))
    kept = [item for item in update["evidence"] if not item.dropped]
    assert [item.id for item in kept] == ["e1", "e2", "e3", "e4", "e5"]
    assert [item.passage.row is None for item in kept] == [False] * 4 + [True]
    again = replace(start, evidence=tuple(kept), reading=Reading(step="1.2", passages=await rows()))
    assert (await aggregate(again, ports(), AggregatorParams()))["evidence"] == ()


async def test_a_dropped_row_takes_its_list_along_and_a_replaced_one_stays() -> None:
    start = replace(asking(), evidence=await ledger(), reading=Reading(step="1.2"))
    edits = Edits(edits=[Edit(op="DROP", entry="e2")], open=[])
    update = await aggregate(start, ports(edits), AggregatorParams())
    assert [(item.id, item.dropped) for item in update["evidence"]] == [
        (f"e{place}", True) for place in range(1, 5)
    ]
    loose = passage("Ona is 24 m high.", 900, "b2", p1=0.9)
    start = replace(start, reading=Reading(step="1.2", passages=(loose,)))
    edits = Edits(edits=[Edit(op="REPLACE", entry="e1", passage=1)], open=[])
    update = await aggregate(start, ports(edits), AggregatorParams())
    assert [(item.id, item.dropped) for item in update["evidence"]] == [("e5", False)]


async def test_a_ledger_of_rows_alone_is_not_empty() -> None:
    start = replace(asking(), evidence=await ledger(), reading=Reading(step="1.2"))
    update = await aggregate(start, ports(Edits(edits=[], open=[])), AggregatorParams())
    assert update["feedback"].open == ()


async def test_lists_that_fit_less_make_room() -> None:
    first = await rows()
    better = await rows(TEXT.replace("# Lights", "# All the lights").replace("Ona", "Stad"))
    worse = tuple(
        entry(
            place,
            each.model_copy(
                update={"blob": "z", "row": each.row.model_copy(update={"list": "z", "fit": 0.1})}
            ),
        )
        for place, each in enumerate(better, start=1)
        if each.row
    )
    start = replace(asking(), evidence=worse, reading=Reading(step="1.2", passages=first))
    update = await aggregate(start, ports(), AggregatorParams(rows=5))
    dropped = [item.id for item in update["evidence"] if item.dropped]
    assert dropped == ["e1", "e2", "e3", "e4"]
    assert [item.id for item in update["evidence"] if not item.dropped] == ["e5", "e6", "e7", "e8"]


@pytest.mark.parametrize(("count", "enough"), [("4", True), ("5", False)])
async def test_a_list_is_enough_with_as_many_rows_as_were_asked_for(
    count: str, enough: bool
) -> None:
    start = replace(asking(ASK.replace("4", count)), evidence=await ledger())
    update = await criticise(start, ports(), CriticParams())
    assert update["verdict"].sufficient == enough


async def answered(*replies: Written, question: str = ASK) -> Answer:
    start = replace(asking(question), evidence=await ledger())
    return (await answer(start, ports(*replies), AnswererParams()))["answer"]


async def test_the_rule_lays_out_the_list() -> None:
    found = await answered()
    assert found.status == "answered"
    assert found.table
    assert found.table.columns == ("Light", "Height")
    assert [cell.text for cell in found.table.rows[0]] == ["Ona", "24 m"]
    assert found.text == "4 rows of “Lights of the coast, a” [e1] [e2] [e3] [e4]"
    assert found.doubts == ()
    assert [item.id for item in found.citations] == ["e1", "e2", "e3", "e4"]


async def test_a_model_may_leave_the_layout_to_the_rule() -> None:
    found = await answered(Written(text="There are four lights, from Ona [e1] to Vega [e4]."))
    assert found.table
    assert len(found.table.rows) == 4
    assert [item.id for item in found.citations] == ["e1", "e4", "e2", "e3"]
    assert (await answered(Written(text=""))).table is None


async def test_a_models_cells_are_checked_one_by_one() -> None:
    table = WrittenTable(
        columns=["light", "height"],
        rows=[
            [WrittenCell(text="Ona", cites=["e1"]), WrittenCell(text="24 m", cites=["e1"])],
            [WrittenCell(text="Holm", cites=["e2"]), WrittenCell(text="99 m", cites=["e2"])],
            [WrittenCell(text="Stad", cites=[])],
        ],
    )
    found = await answered(Written(text="Two lights: Ona [e1] and Holm [e2].", table=table))
    assert found.table
    assert [[cell.text for cell in row] for row in found.table.rows] == [
        ["Ona", "24 m"],
        ["Holm", ""],
    ]
    assert [doubt.sentence for doubt in found.doubts] == ["99 m", "Stad"]


async def test_the_prompt_shows_every_row_within_its_limit() -> None:
    text = "# Lights\n\nName | Note\n" + "\n".join(f"L{n} | {'word ' * 60}{n}" for n in range(180))
    found = (await read(Found(passages=[], lists=["t1"]), "List all lights.", text)).passages
    items = tuple(entry(place, each) for place, each in enumerate(found, start=1))
    assert len(items) == 180
    task = WriteAnswer(question="List all lights.", parts=(), ledger=items, params=AnswererParams())
    [section] = [each for each in task.sections() if each.title == "Lists"]
    shown = "\n".join(item.text for item in section.items)
    assert len(section.items) == 181
    assert len(shown) < 4 * section.tokens
    assert "[e180] L179" in shown
    assert ScriptedModel().asked == []
