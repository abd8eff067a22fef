"""The state is changed by hand at a pause, in a fork; what does not fit is refused in words."""

from typing import Any

import pytest
from pydantic import JsonValue

from forager.adapters.store.sessions.session_store import thread_of
from forager.domain.state import Evidence, Question
from forager.errors import SessionError
from graphs.runtime.halts import Halts
from graphs.sessions.debugging.state_edit import ValuesByHand, find_faults
from graphs.sessions.service import ForkChange, Sessions
from graphs.spec.spec import GraphSpec
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.fanned_graph import FANNED

JUDGE = Halts(before=frozenset({"judge"}))


async def halted(
    sessions: Sessions, question: Question, halts: Halts = JUDGE, spec: GraphSpec = FORAGER
) -> str:
    id = await sessions.start(question.model_copy(update=SMALL), spec, "scripted")
    assert (await sessions.run(id, halts=halts)).status == "paused"
    return id


async def state(sessions: Sessions, id: str) -> dict[str, Any]:
    return {each.key: each.value for each in await sessions.state_values.at_step(id)}


def test_what_does_not_fit_is_told_at_its_place() -> None:
    lesson: dict[str, JsonValue] = {
        "id": "a",
        "round": 0,
        "url": "u",
        "outcome": "feasible",
        "alpha": 1,
        "beta": 0,
        "retired": False,
        "text": "",
    }
    assert find_faults("lessons", [lesson]) == ()
    [low] = find_faults("lessons", [lesson, {**lesson, "id": "b", "alpha": -1}])
    assert low == ((1, "alpha"), "It has to be at least 0.")
    [twice] = find_faults("lessons", [lesson, lesson])
    assert twice == ((1, "id"), "Give each item its own id.")
    action: dict[str, JsonValue] = {"kind": "fly"}
    places = {each.place for each in find_faults("proposal", {"round": 0, "action": action})}
    assert places == {("action", "kind")}
    [missing] = find_faults("proposal", {"round": 0})
    assert missing == (("action",), "This is missing.")


async def test_a_changed_state_goes_on_in_a_fork(sessions: Sessions, question: Question) -> None:
    id = await halted(sessions, question)
    before, steps = await state(sessions, id), await sessions.history.checkpoints(id)
    evidence = before["evidence"]
    assert evidence
    change = ForkChange(values={"evidence": [], "feedback": {"open": ["The rest"]}})
    fork = await sessions.forks.fork(id, None, change)
    assert await state(sessions, fork) == {
        **before,
        "evidence": [],
        "feedback": {"open": ["The rest"], "added": 0, "gain": 0.0, "grounds": {}},
    }
    assert await state(sessions, id) == before
    assert await sessions.history.checkpoints(id) == steps
    told = (await sessions.events(fork))[-1]
    assert (told.kind, told.data["by_hand"]) == ("forked", ["evidence", "feedback"])
    assert told.message.endswith("changed by hand: evidence, feedback")
    shown = await sessions.show(fork)
    assert (shown.status, shown.evidence) == ("paused", ())
    own = {item.id for item in (await sessions.run(fork)).evidence}
    kept = {item.id for item in (await sessions.run(id)).evidence}
    first = {item["id"] for item in evidence}
    assert first <= kept
    assert not first & own


async def test_a_change_inside_a_graph_reaches_its_nodes(
    sessions: Sessions, question: Question
) -> None:
    alone = question.model_copy(update={"budget": question.budget.model_copy(update={"rounds": 1})})
    spec = FANNED.model_copy(
        update={
            "nodes": {
                **FANNED.nodes,
                "select": FANNED.nodes["select"].model_copy(update={"params": {"parallel": 1}}),
            }
        }
    )
    id = await sessions.start(alone, spec, "scripted")
    await sessions.run(id, halts=Halts(before=frozenset({"expedition/aggregate"})))
    before = await state(sessions, id)
    fork = await sessions.forks.fork(
        id, None, ForkChange(values={"reading": {**before["reading"], "passages": []}})
    )
    await sessions.run(fork, halts=Halts(after=frozenset({"expedition/aggregate"})))
    assert (await sessions.show(fork)).evidence == ()
    await sessions.run(id, halts=Halts(after=frozenset({"expedition/aggregate"})))
    assert (await sessions.show(id)).evidence != ()


async def test_branches_that_wait_together_have_no_one_state(
    sessions: Sessions, question: Question
) -> None:
    inside = Halts(before=frozenset({"expedition/aggregate"}))
    id = await halted(sessions, question, inside, FANNED)
    with pytest.raises(SessionError, match="Several branches wait"):
        await sessions.state_values.at_step(id)
    with pytest.raises(SessionError, match="Several branches wait"):
        await sessions.forks.fork(id, None, ForkChange(values={"lessons": []}))


@pytest.mark.parametrize(
    ("values", "what", "mend"),
    [
        ({"verdct": {}}, "no key 'verdct'", "verdict"),
        ({"spend": {}}, "'spend' cannot be changed by hand", "options of the fork"),
        ({"verdict": {}}, "verdict.sufficient is missing", "verdict has sufficient, covered"),
        ({"verdict": {"sufficient": "perhaps"}}, 'verdict.sufficient cannot be "perhaps"', "has"),
        ({"verdict": {"sufficient": True, "sure": 1}}, "verdict.sure is not known", "has"),
        ({"arms": [{"title": "x"}]}, "arms.0.url is missing", "Each item of arms has url, title"),
        ({"evidence": 3}, "evidence cannot be 3", "Each item of evidence has id, passage"),
    ],
)
async def test_what_does_not_fit_is_refused(
    sessions: Sessions, question: Question, values: dict[str, JsonValue], what: str, mend: str
) -> None:
    id = await halted(sessions, question)
    with pytest.raises(SessionError) as refused:
        await sessions.forks.fork(id, None, ForkChange(values=values))
    assert what in refused.value.what
    assert mend in refused.value.mend
    assert len(await sessions.listing.all()) == 1


async def test_a_member_that_only_a_newer_version_knows_is_kept(
    sessions: Sessions, question: Question
) -> None:
    first = await halted(sessions, question)
    [item, *others] = (await state(sessions, first))["evidence"]
    newer = Evidence.model_validate({**item, "mood": {"calm": 2}})
    rest = [Evidence.model_validate(each) for each in others]
    lineage = await sessions.forks.context.lineage()
    await ValuesByHand({"evidence": (newer, *rest)}).put_into(lineage, thread_of(first, 1))
    [item, *others] = (await state(sessions, first))["evidence"]
    assert item["mood"] == {"calm": 2}
    changed: list[JsonValue] = [*others, {**item, "dropped": True}]
    fork = await sessions.forks.fork(first, None, ForkChange(values={"evidence": changed}))
    assert (await state(sessions, fork))["evidence"] == changed
    wrong: list[dict[str, JsonValue]] = [{"mood": {"calm": 3}}, {"temper": 1}]
    for other in wrong:
        values: list[JsonValue] = [{**item, **other}]
        with pytest.raises(SessionError, match="is not known"):
            await sessions.forks.fork(first, None, ForkChange(values={"evidence": values}))


async def test_items_with_one_id_are_refused(sessions: Sessions, question: Question) -> None:
    id = await halted(sessions, question)
    evidence = (await state(sessions, id))["evidence"]
    with pytest.raises(SessionError, match="two items"):
        await sessions.forks.fork(
            id, None, ForkChange(values={"evidence": [evidence[0], evidence[0]]})
        )


async def test_an_earlier_step_is_changed_too(sessions: Sessions, question: Question) -> None:
    id = await halted(sessions, question)
    await sessions.run(id)
    at = next(
        each.number for each in await sessions.history.checkpoints(id) if each.next == ("navigate",)
    )
    shown: dict[str, Any] = {
        each.key: each.value for each in await sessions.state_values.at_step(id, at)
    }
    assert shown["evidence"] == []
    other = {**shown["draw"], "urls": ["http://127.0.0.1:1/2"]}
    fork = await sessions.forks.fork(id, at, ForkChange(values={"draw": other}))
    await sessions.run(fork, halts=JUDGE)
    assert {page.url for page in (await sessions.show(fork)).visited} == {"http://127.0.0.1:1/2/0"}
