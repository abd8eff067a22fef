"""The ledger is edited by ids that exist, says nothing twice, and stays small."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.state import Evidence, Passage, Reading, State, merge
from nodes.aggregator import AggregatorParams, Edit, Edits, aggregate
from tests.fake_ports import ports
from tests.nodes.states import entry, part, passage, state

PARAMS = AggregatorParams()
SENTENCES = [f"Fact {name} is told here." for name in ("one", "two", "three", "four", "five")]
P1, P2 = part("p1", "Who?"), part("p2", "When?")


def with_reading(passages: Sequence[Passage], ledger: Sequence[Evidence] = ()) -> State:
    start = state(P1, P2)
    return replace(
        start, evidence=tuple(ledger), reading=Reading(step="1.2", passages=tuple(passages))
    )


def told(*numbers: int, blob: str = "b1") -> list[Passage]:
    return [passage(SENTENCES[n], start=n * 100, blob=blob) for n in numbers]


async def edited(start: State, *edits: Edit, params: AggregatorParams = PARAMS) -> dict[str, str]:
    """The ledger after these edits: id and text of what is not dropped."""
    update = await aggregate(start, ports(Edits(edits=list(edits), open=[])), params)
    assert set(update) == {"evidence", "feedback"}
    after = merge(start.evidence, update["evidence"])
    return {item.id: item.passage.text for item in after if not item.dropped}


def add(passage: int) -> Edit:
    return Edit(op="ADD", passage=passage)


def drop(entry: str) -> Edit:
    return Edit(op="DROP", entry=entry)


def swap(passage: int, entry: str) -> Edit:
    return Edit(op="REPLACE", passage=passage, entry=entry)


async def test_passages_enter_under_new_ids() -> None:
    start = with_reading(told(0, 1, 2), [entry(1, told(3)[0]), entry(2, told(4)[0], dropped=True)])
    assert await edited(start, add(1), add(3)) == {
        "e1": SENTENCES[3],
        "e3": SENTENCES[0],
        "e4": SENTENCES[2],
    }


async def test_an_entry_is_known_by_round_and_step() -> None:
    update = await aggregate(with_reading(told(0)), ports(), PARAMS)
    [item] = update["evidence"]
    assert (item.id, item.round, item.step, item.dropped) == ("e1", 1, "1.2", False)
    assert item.passage == told(0)[0]


async def test_a_replaced_entry_goes_and_its_id_is_not_used_again() -> None:
    start = with_reading(told(0), [entry(1, told(3)[0])])
    assert await edited(start, swap(1, "e1")) == {"e2": SENTENCES[0]}


async def test_a_dropped_entry_goes_for_good() -> None:
    start = with_reading([], [entry(1, told(3)[0]), entry(2, told(4)[0])])
    assert await edited(start, drop("e1")) == {"e2": SENTENCES[4]}
    start = with_reading(told(0), [entry(1, told(3)[0], dropped=True)])
    assert await edited(start, drop("e1"), add(1)) == {"e2": SENTENCES[0]}


@pytest.mark.parametrize(
    "edit",
    [add(0), add(3), add(-1), drop("e9"), drop(""), swap(9, "e1"), swap(0, "e1"), swap(1, "e9")],
)
async def test_edits_that_name_nothing_that_exists_are_ignored(edit: Edit) -> None:
    start = with_reading(told(0, 1), [entry(1, told(3)[0])])
    assert await edited(start, edit) == {"e1": SENTENCES[3]}


async def test_what_the_ledger_says_is_not_added_again() -> None:
    start = with_reading(told(0, 1), [entry(1, told(0)[0])])
    assert await edited(start, add(1), add(2), add(2)) == {
        "e1": SENTENCES[0],
        "e2": SENTENCES[1],
    }
    start = with_reading(told(0, blob="b2"), [entry(1, told(0)[0])])
    assert await edited(start, add(1)) == {"e1": SENTENCES[0]}


async def test_an_entry_may_be_replaced_by_a_longer_stretch_of_its_page() -> None:
    short, long = passage("is told", start=9), passage("Fact one is told here.", start=0)
    start = with_reading([long], [entry(1, short)])
    assert await edited(start, swap(1, "e1")) == {"e2": long.text}


async def test_a_full_ledger_keeps_what_holds_most() -> None:
    strong = [entry(n, passage(SENTENCES[n], n * 100, p1=0.9)) for n in (1, 2)]
    weak = passage(SENTENCES[3], 300, p1=0.1)
    params = AggregatorParams(entries=2)
    start = with_reading([weak], strong)
    assert set(await edited(start, add(1), params=params)) == {"e1", "e2"}
    best = passage(SENTENCES[4], 400, p1=0.95)
    start = with_reading([best], [strong[0], entry(2, weak)])
    assert set(await edited(start, add(1), params=params)) == {"e1", "e3"}


EDITS = st.lists(
    st.builds(
        Edit,
        op=st.sampled_from(["ADD", "REPLACE", "DROP"]),
        passage=st.integers(-1, 6),
        entry=st.sampled_from(["", "e1", "e2", "e3", "e9"]),
    ),
    max_size=8,
)
SCORES = st.lists(st.floats(0, 1), min_size=5, max_size=5)


@given(EDITS, SCORES, st.integers(0, 3), st.integers(1, 4))
async def test_whatever_is_edited_the_ledger_stays_sound(
    edits: list[Edit], scores: list[float], known: int, limit: int
) -> None:
    passages = [
        passage(text, n * 100, p1=score)
        for n, (text, score) in enumerate(zip(SENTENCES, scores, strict=True))
    ]
    ledger = [entry(n + 1, passages[n]) for n in range(known)]
    start = with_reading(passages, ledger)
    params = AggregatorParams(entries=limit)
    after = await edited(start, *edits, params=params)
    assert len(after) <= limit
    assert len(set(after.values())) == len(after)
    assert set(after.values()) <= set(SENTENCES)
    for item in ledger:
        assert after.get(item.id, item.passage.text) == item.passage.text


async def test_the_built_in_rule_adds_what_is_new_and_names_what_is_open() -> None:
    found = [passage(SENTENCES[0], 0, p1=0.9), passage(SENTENCES[0], 500, blob="b2", p1=0.9)]
    update = await aggregate(with_reading(found), ports(), PARAMS)
    assert [item.passage for item in update["evidence"]] == found[:1]
    assert update["feedback"].open == ("When?",)
    assert update["feedback"].added == 1


@pytest.mark.parametrize(("number", "kept"), [("40", 1), ("50", 2)])
async def test_another_number_on_another_page_is_new(number: str, kept: int) -> None:
    said = "By default the limit of the cache is {} megabytes for every user of the tool."
    found = [passage(said.format(40), 0), passage(f"So: {said.format(number)}", 9, blob="b2")]
    update = await aggregate(with_reading(found), ports(), PARAMS)
    assert len(update["evidence"]) == kept


async def test_the_gain_is_the_share_of_the_odds_that_is_new() -> None:
    first = await aggregate(with_reading([passage(SENTENCES[0], p1=0.9)]), ports(), PARAMS)
    assert first["feedback"].gain == pytest.approx(0.5)
    ledger = [entry(1, passage(SENTENCES[0], p1=0.9))]
    same = await aggregate(with_reading(told(0), ledger), ports(), PARAMS)
    assert (same["feedback"].added, same["feedback"].gain) == (0, 0.0)
    worse = await aggregate(
        with_reading([passage(SENTENCES[1], 100, p1=0.2)], ledger), ports(), PARAMS
    )
    assert 0 < worse["feedback"].gain < 0.01
    both = passage(SENTENCES[1], 100, p1=2.0, p2=2.0)
    most = await aggregate(with_reading([both], ledger), ports(), PARAMS)
    assert most["feedback"].gain == pytest.approx(1.0)
