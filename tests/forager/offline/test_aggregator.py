"""What enters the ledger without a model?"""

from forager.offline.aggregator import edit_ledger
from tests.nodes.states import entry, part, passage

PARTS = [part("p1", "Who founded it?"), part("p2", "When was it built?")]


def test_a_passage_enters_unless_the_ledger_has_the_same_stretch() -> None:
    known = entry(1, passage("Brandt founded the tower.", start=10, p1=0.9))
    again = passage("founded the tower.", start=17, p1=0.9)
    fresh = passage("It was built in 1887.", start=60, p2=0.3)
    added, open = edit_ledger([again, fresh], [known], PARTS, 0.65)
    assert [each.passage for each in added] == [2]
    assert open == ["When was it built?"]


def test_nothing_is_open_once_every_part_has_a_strong_passage() -> None:
    found = passage("Brandt founded it in 1887.", p1=0.7, p2=0.7)
    assert edit_ledger([found], [], PARTS, 0.65)[1] == []
    assert edit_ledger([], [], PARTS, 0.65) == ([], [each.text for each in PARTS])
