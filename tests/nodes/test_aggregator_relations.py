"""Entries that agree, contradict or repeat each other, as the model says or the rule finds."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from forager.domain.state import Evidence, Passage, Reading, State, merge
from nodes.aggregator import AggregatorParams, Edit, EditLedger, Edits, aggregate
from tests.fake_ports import ports
from tests.lighthouses import HEIGHT, LAMPS, NEWER, OLDER
from tests.nodes.states import entry, part, passage, state

PARAMS = AggregatorParams()
ASKED = part("p1", HEIGHT, tall=1.0, skarn=2.0, lighthous=1.0)


def on(page: str, text: str, score: float = 0.9) -> Passage:
    found = passage(text, blob=page, p1=score)
    return found.model_copy(update={"url": f"http://host/{page}", "title": "Skarn"})


def reading(passages: Sequence[Passage], ledger: Sequence[Evidence] = ()) -> State:
    read = Reading(step="1.2", passages=tuple(passages))
    return replace(state(ASKED), evidence=tuple(ledger), reading=read)


async def after(
    start: State, *edits: Edit, params: AggregatorParams = PARAMS
) -> dict[str, Evidence]:
    """The ledger after these edits, or after those of the built-in rule."""
    replies = [Edits(edits=list(edits), open=[])] if edits else []
    update = await aggregate(start, ports(*replies), params)
    return {item.id: item for item in merge(start.evidence, update["evidence"])}


async def test_the_rule_finds_a_contradiction_and_both_sides_name_it() -> None:
    found = await after(reading([on("b", NEWER)], [entry(1, on("a", OLDER))]))
    assert (found["e1"].conflicts, found["e2"].conflicts) == (("e2",), ("e1",))
    assert found["e1"].passage.text == OLDER


async def test_a_model_says_what_agrees_and_what_is_contradicted() -> None:
    ledger = [entry(1, on("a", OLDER)), entry(2, on("b", "It is white.")), entry(3, on("c", LAMPS))]
    edit = Edit(op="ADD", passage=1, agrees=["e3", "e9"], against=["e1", "e8"])
    found = await after(reading([on("d", "It is red.")], ledger), edit)
    assert (found["e4"].agrees, found["e4"].conflicts) == (("e3",), ("e1",))
    assert (found["e1"].conflicts, found["e3"].agrees) == (("e4",), ("e4",))
    assert found["e2"] == ledger[1]


async def test_a_dropped_entry_leaves_the_others() -> None:
    one = entry(1, on("a", OLDER)).model_copy(update={"conflicts": ("e2",)})
    other = entry(2, on("b", NEWER)).model_copy(update={"conflicts": ("e1",)})
    found = await after(reading([], [one, other]), Edit(op="DROP", entry="e2"))
    assert found["e2"].dropped
    assert (found["e1"].conflicts, found["e2"].conflicts) == ((), ())
    strong = on("c", LAMPS, 1.5)
    found = await after(
        reading([strong], [one, other]),
        Edit(op="ADD", passage=1, against=["e1", "e2"]),
        params=AggregatorParams(entries=2),
    )
    kept = {id: item for id, item in found.items() if not item.dropped}
    assert len(kept) == 2
    assert all(set(item.conflicts) < kept.keys() for item in kept.values())


async def test_a_repetition_is_no_entry_but_its_page_is_kept() -> None:
    ledger = [entry(1, on("a", LAMPS, 0.7))]
    for edits in ((), (Edit(op="ADD", passage=1),), (Edit(op="DROP", entry="e9"),)):
        found = await after(reading([on("b", f"# Vang\n\n{LAMPS}", 1.0)], ledger), *edits)
        assert set(found) == {"e1"}
        assert found["e1"].also == ("http://host/b",)
        assert found["e1"].passage.scores == {"p1": 1.0}
        assert found["e1"].passage.text == LAMPS


async def test_a_repetition_brings_nothing_new() -> None:
    start = reading([on("b", LAMPS)], [entry(1, on("a", LAMPS))])
    feedback = (await aggregate(start, ports(), PARAMS))["feedback"]
    assert (feedback.added, feedback.gain) == (0, 0.0)


async def test_a_passage_that_replaces_an_entry_in_the_same_words_inherits_its_pages() -> None:
    known = entry(1, on("a", LAMPS)).model_copy(update={"also": ("http://host/c",)})
    found = await after(
        reading([on("b", LAMPS)], [known]), Edit(op="REPLACE", passage=1, entry="e1")
    )
    assert found["e2"].also == ("http://host/a", "http://host/c")
    more = on("b", f"{LAMPS} Each burned rape oil.")
    found = await after(reading([more], [known]), Edit(op="REPLACE", passage=1, entry="e1"))
    assert found["e2"].also == ()


@pytest.mark.parametrize("field", ["agrees", "against"])
def test_relations_to_entries_that_do_not_exist_are_faults(field: str) -> None:
    task = EditLedger(
        question=HEIGHT,
        parts=(ASKED,),
        ledger=(entry(1, on("a", OLDER)),),
        passages=(on("b", NEWER),),
        params=PARAMS,
    )
    edit = Edit(op="ADD", passage=1).model_copy(update={field: ["e1", "e7"]})
    assert task.faults(Edits(edits=[edit], open=[])) == [
        "There is no entry 'e7' to agree with or to contradict."
    ]
