"""Entries that repeat one another are merged; what relates them is mutual."""

from hypothesis import given
from hypothesis import strategies as st

from forager.domain.answers import ListRow
from forager.domain.state import Evidence, Passage
from forager.evidence.ledger import (
    absorb_passage,
    add_relations,
    compare_with_ledger,
    drop_evidence,
    find_near_duplicate,
    join_ledgers,
    rename_relations,
    unite_entries,
)
from tests.lighthouses import HEIGHT, LAMPS, NEWER, OLDER
from tests.nodes.states import entry, part, passage

ASKED = part("p1", HEIGHT, tall=1.0, skarn=2.0, lighthous=1.0)
IDS = [f"e{number}" for number in range(1, 6)]


def on(page: str, text: str, score: float = 0.9) -> Passage:
    found = passage(text, blob=page, p1=score)
    return found.model_copy(update={"url": f"http://host/{page}", "title": "Skarn"})


def test_a_repetition_leaves_its_address_and_its_better_scores() -> None:
    item = entry(1, on("a", LAMPS, 0.7))
    again = on("b", LAMPS, 0.9).model_copy(update={"scores": {"p1": 0.9, "p2": 0.1}})
    assert find_near_duplicate(again, [item]) is item
    merged = absorb_passage(item, again)
    assert merged.also == ("http://host/b",)
    assert merged.passage.scores == {"p1": 0.9, "p2": 0.1}
    assert (merged.id, merged.passage.url, merged.passage.text) == ("e1", "http://host/a", LAMPS)
    assert absorb_passage(merged, again) == merged


def test_a_page_is_not_named_beside_itself() -> None:
    item = entry(1, on("a", LAMPS))
    again = item.passage.model_copy(update={"blob": "later"})
    assert find_near_duplicate(again, [item]) is item
    assert absorb_passage(item, again) == item


def test_what_says_more_is_no_repetition() -> None:
    item = entry(1, on("a", LAMPS))
    assert find_near_duplicate(on("b", f"{LAMPS} Each burned rape oil."), [item]) is None
    assert find_near_duplicate(on("b", OLDER), [item]) is None


def test_a_passage_is_compared_with_the_whole_ledger() -> None:
    ledger = [entry(1, on("a", OLDER)), entry(2, on("b", "Skarn lighthouse: tall, 34 m."))]
    assert compare_with_ledger(on("c", NEWER), ledger, [ASKED]) == (["e2"], ["e1"])
    assert compare_with_ledger(on("c", NEWER), ledger, [part("p9")]) == ([], [])


PAIRS = st.lists(st.tuples(st.sampled_from([*IDS, "e9"]), st.sampled_from(IDS)), max_size=8)


@given(PAIRS, PAIRS, st.sets(st.sampled_from(IDS)))
def test_relations_are_mutual_and_among_those_kept(
    agreeing: list[tuple[str, str]], conflicting: list[tuple[str, str]], gone: set[str]
) -> None:
    entries = [entry(n, on(id, OLDER), dropped=id in gone) for n, id in enumerate(IDS, start=1)]
    once = add_relations(entries, agreeing, conflicting)
    found = {item.id: item for item in once}
    for item in once:
        assert not set(item.agrees) & set(item.conflicts)
        assert item.id not in item.agrees + item.conflicts
        assert all(item.id in found[id].agrees for id in item.agrees)
        assert all(item.id in found[id].conflicts for id in item.conflicts)
        assert gone.isdisjoint(item.agrees + item.conflicts)
        assert item.id not in gone or item.agrees + item.conflicts == ()
    assert add_relations(once, agreeing, conflicting) == once == add_relations(once, [], [])


def test_a_dropped_entry_is_named_by_none() -> None:
    one, other = add_relations(
        [entry(1, on("a", OLDER)), entry(2, on("b", NEWER))], [], [("e2", "e1")]
    )
    assert (one.conflicts, other.conflicts) == (("e2",), ("e1",))
    bystander = entry(3, on("c", OLDER))
    kept, dropped = drop_evidence([one, other, bystander], ["e2"])
    assert (kept.id, kept.conflicts, kept.dropped) == ("e1", (), False)
    assert (dropped.id, dropped.conflicts, dropped.dropped) == ("e2", (), True)


def test_two_versions_of_an_entry_keep_what_each_gained() -> None:
    item = entry(1, on("a", OLDER, 0.5))
    left = item.model_copy(update={"also": ("u",), "agrees": ("e2",)})
    right = absorb_passage(item, on("b", OLDER, 0.8)).model_copy(update={"conflicts": ("e3",)})
    both = unite_entries(left, right)
    assert (both.also, both.agrees, both.conflicts) == (("u", "http://host/b"), ("e2",), ("e3",))
    assert both.passage.scores == {"p1": 0.8}
    assert unite_entries(left, right.model_copy(update={"dropped": True})).dropped


def test_new_ids_reach_the_relations() -> None:
    item = entry(4, on("a", OLDER)).model_copy(update={"agrees": ("e2",), "conflicts": ("e3",)})
    again = rename_relations(item, {"e2": "e7", "e3": "e8"})
    assert (again.agrees, again.conflicts) == (("e7",), ("e8",))


def test_what_two_branches_took_from_one_page_enters_once() -> None:
    row = ListRow(list="b:0", of=1, place=0, cells=((0, 4),), fit=1.0)
    taken = on("b", OLDER, 0.7), on("b", "Skarn").model_copy(update={"row": row, "start": 500})
    one = [entry(number, each) for number, each in enumerate(taken, start=1)]
    other = [entry(number, each) for number, each in enumerate(taken, start=3)]
    found = {item.id: item for item in join_ledgers((), [one, other], [ASKED])}
    assert {id: item.dropped for id, item in found.items()} == {
        "e1": False, "e2": False, "e3": True, "e4": True,
    }  # fmt: skip


def test_branches_are_compared_and_merged() -> None:
    before = (entry(1, on("a", LAMPS)),)
    one: list[Evidence] = [entry(2, on("b", OLDER))]
    other = [entry(3, on("c", NEWER)), entry(4, on("d", OLDER, 1.0))]
    found = {item.id: item for item in join_ledgers(before, [one, other], [ASKED])}
    assert set(found) == {"e2", "e3", "e4"}
    assert (found["e2"].conflicts, found["e3"].conflicts) == (("e3",), ("e2",))
    assert found["e2"].also == ("http://host/d",)
    assert found["e2"].passage.scores == {"p1": 1.0}
    assert found["e4"].dropped
