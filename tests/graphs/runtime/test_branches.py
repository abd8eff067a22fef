import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.actions import Action
from forager.domain.spend import Budget, Spend
from forager.domain.state import Draw, Evidence, Passage, Question, State, Step, merge
from forager.errors import GraphError
from graphs.runtime.branches import BranchResult, branch_result, join_branches, split_state

QUESTION = Question(text="?", sites=("s",), budget=Budget(pages=10))


def entry(id: str, text: str, step: str = "", *, dropped: bool = False) -> Evidence:
    passage = Passage(url="u", title="t", blob=text, start=0, end=1, text=text, part="p1")
    return Evidence(id=id, passage=passage, round=1, step=step, dropped=dropped)


def related(id: str, text: str, *against: str) -> Evidence:
    return entry(id, text).model_copy(update={"conflicts": against})


def step(id: str) -> Step:
    return Step(id=id, round=1, number=1, action=Action(kind="stop"), outcome="failed")


def test_each_branch_gets_its_arm_and_its_share_of_the_budget() -> None:
    state = State(
        question=QUESTION, draw=Draw(round=1, urls=("a", "b", "c")), spend=Spend(actions=4)
    )
    copies = split_state(state)
    assert [copy.draw.urls for copy in copies] == [("a",), ("b",), ("c",)]
    assert [copy.question.budget.pages for copy in copies] == [6, 6, 6]
    assert all(copy.spend == state.spend for copy in copies)


def test_splitting_without_a_drawn_arm_is_refused() -> None:
    with pytest.raises(GraphError, match="No arm is drawn"):
        split_state(State(question=QUESTION))


def test_equal_ids_of_two_branches_are_made_different() -> None:
    before = State(question=QUESTION, evidence=(entry("e1", "old"),), steps=(step("0.1"),))
    one = BranchResult(
        steps=(step("1.1"),), evidence=(entry("e2", "one", "1.1"), entry("e3", "two"))
    )
    other = BranchResult(steps=(step("1.1"),), evidence=(entry("e2", "three", "1.1"),))
    joined = join_branches(before, [one, other])
    assert [(item.id, item.passage.text) for item in joined.evidence] == [
        ("e2", "one"),
        ("e3", "two"),
        ("e4", "three"),
    ]
    assert [item.id for item in joined.steps] == ["1.1", "1.2"]
    assert [item.step for item in joined.evidence] == ["1.1", "", "1.2"]


def test_actions_follow_renamed_steps() -> None:
    def walked(id: str, at: str) -> Step:
        return step(id).model_copy(update={"action": Action(kind="click", at=at)})

    branch = BranchResult(steps=(walked("1.1", ""), walked("1.2", "1.1")))
    joined = join_branches(State(question=QUESTION), [branch, branch])
    assert [(item.id, item.action.at) for item in joined.steps] == [
        ("1.1", ""),
        ("1.2", "1.1"),
        ("1.3", ""),
        ("1.4", "1.3"),
    ]


def test_relations_follow_renamed_evidence() -> None:
    before = State(question=QUESTION, evidence=(entry("e1", "old"),))
    one = BranchResult(evidence=(related("e2", "one"), related("e3", "two", "e2")))
    other = BranchResult(
        evidence=(related("e1", "old", "e2"), related("e2", "three", "e1"), related("e3", "four"))
    )
    joined = {item.id: item for item in join_branches(before, [one, other]).evidence}
    assert {id: item.passage.text for id, item in joined.items()} == {
        "e1": "old", "e2": "one", "e3": "two", "e4": "three", "e5": "four",
    }  # fmt: skip
    assert {id: item.conflicts for id, item in joined.items()} == {
        "e1": ("e4",), "e2": ("e3",), "e3": ("e2",), "e4": ("e1",), "e5": (),
    }  # fmt: skip


def test_additions_of_branches_to_one_item_are_merged() -> None:
    before = State(question=QUESTION, evidence=(entry("e1", "old"),))
    one = BranchResult(evidence=(related("e1", "old", "e2"), related("e2", "new", "e1")))
    also = entry("e1", "old").model_copy(update={"also": ("v",)})
    [item, _] = join_branches(before, [one, BranchResult(evidence=(also,))]).evidence
    assert (item.also, item.conflicts) == (("v",), ("e2",))


def test_evidence_dropped_by_a_branch_stays_dropped() -> None:
    before = State(question=QUESTION, evidence=(entry("e1", "old"),))
    after = State(question=QUESTION, evidence=(entry("e1", "old", dropped=True),))
    joined = join_branches(before, [branch_result(before, after), BranchResult()])
    assert merge(before.evidence, joined.evidence) == after.evidence


@given(st.lists(st.lists(st.integers(2, 9), unique=True), max_size=4))
def test_no_evidence_is_lost_or_renamed_twice(numbers: list[list[int]]) -> None:
    before = State(question=QUESTION, evidence=(entry("e1", "old"),))
    found = [
        BranchResult(evidence=tuple(entry(f"e{n}", f"{branch}/{n}") for n in of))
        for branch, of in enumerate(numbers)
    ]
    joined = merge(before.evidence, join_branches(before, found).evidence)
    assert len(joined) == 1 + sum(map(len, numbers))
    texts = [f"{branch}/{n}" for branch, of in enumerate(numbers) for n in of]
    assert [item.passage.text for item in joined[1:]] == texts


@given(st.lists(st.integers(0, 4), max_size=4))
def test_new_ids_leave_no_gaps(counts: list[int]) -> None:
    """An aggregator numbers by the ledger's length: after a join that must still be free."""
    before = State(question=QUESTION, evidence=(entry("e1", "old"),))
    found = [
        BranchResult(evidence=tuple(entry(f"e{2 + n}", "x") for n in range(count)))
        for count in counts
    ]
    joined = merge(before.evidence, join_branches(before, found).evidence)
    assert {item.id for item in joined} == {f"e{n + 1}" for n in range(len(joined))}
