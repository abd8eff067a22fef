"""A session goes on in another graph: each case that LangGraph passes over in silence."""

from collections.abc import Mapping

import pytest

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.sessions.session_records import PAUSE
from forager.domain.spend import Budget
from forager.domain.state import Question, Verdict
from forager.errors import SessionError
from graphs.reports.report import Report
from graphs.runtime.compile import compile_graph
from graphs.runtime.graph_nodes import Hooks
from graphs.sessions.service import Event, ForkChange, Sessions
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.approval_graphs import WITHIN
from tests.graphs.changed_graphs import begun_at, inserted, inside, renamed, without
from tests.graphs.fanned_graph import FANNED
from tests.graphs.scripted import REGISTRY, loosened

FORAGER = loosened(load_graph("forager"))
SMALL = {"budget": Budget(rounds=2, steps=2)}


async def paused(sessions: Sessions, question: Question, spec: GraphSpec, node: str) -> str:
    """A session that was left right after a node."""
    id = await sessions.start(question.model_copy(update=SMALL), spec, "scripted")
    store = await sessions.context.store()

    def watch(event: Event) -> None:
        if (event.node, event.kind) == (node, "finished"):
            store.set_columns(id, asked=PAUSE)

    await sessions.run(id, watch)
    return id


async def moved(
    sessions: Sessions, id: str, spec: GraphSpec, mapping: Mapping[str, str] | None = None
) -> tuple[Report, list[str]]:
    """What comes of a session in another graph, and the nodes that ran there."""
    fork = await sessions.forks.fork(id, change=ForkChange(graph=spec, mapping=mapping or {}))
    before = len(await sessions.events(fork))
    report = await sessions.run(fork)
    assert report.answer
    return report, [
        event.node for event in await sessions.events(fork, before) if event.kind == "finished"
    ]


async def refused(
    sessions: Sessions, id: str, spec: GraphSpec, mapping: Mapping[str, str] | None = None
) -> SessionError:
    """Why a session cannot go on in another graph; nothing is left of the attempt."""
    known = await sessions.listing.all()
    with pytest.raises(SessionError) as told:
        await sessions.forks.fork(id, change=ForkChange(graph=spec, mapping=mapping or {}))
    assert await sessions.listing.all() == known
    return told.value


async def test_a_renamed_pending_node_needs_a_mapping(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await paused(sessions, question, FORAGER, "aggregate")
    other = renamed(FORAGER, "judge", "verify")
    error = await refused(sessions, id, other)
    assert "has no node 'judge', which runs next" in error.what
    assert "--map judge=verify" in error.mend
    report, ran = await moved(sessions, id, other, {"judge": "verify"})
    assert ran[0] == "verify"
    assert len(set(log)) == len(log)
    once = await sessions.run(id)
    assert (report.answer, report.visited) == (once.answer, once.visited)


async def test_a_removed_pending_node_needs_a_mapping(
    sessions: Sessions, question: Question
) -> None:
    id = await paused(sessions, question, FORAGER, "select")
    other = without(FORAGER, "recall", "navigate")
    error = await refused(sessions, id, other)
    assert "has no node 'recall'" in error.what
    assert "--map recall=navigate" in error.mend
    report, ran = await moved(sessions, id, other, {"recall": "navigate"})
    assert ran[:2] == ["navigate", "act"]
    assert report.status == "answered"


async def test_a_node_inserted_before_the_pending_one_is_noted(
    sessions: Sessions, question: Question
) -> None:
    id = await paused(sessions, question, FORAGER, "extract")
    other = inserted(FORAGER, "again", "recaller", "aggregate", "next")
    (pending,) = (await sessions.forks.plan_move(id, other)).pending
    assert (pending.node, pending.to, pending.reason) == ("aggregate", "aggregate", "")
    assert "again, new before aggregate, will be skipped" in pending.note
    _, ran = await moved(sessions, id, other)
    assert ran[0] == "aggregate"
    _, ran = await moved(sessions, id, other, {"aggregate": "again"})
    assert ran[:2] == ["again", "aggregate"]


async def test_a_key_that_nothing_has_written_is_named(
    sessions: Sessions, question: Question
) -> None:
    """Neither for the node itself, nor for one after it."""
    id = await paused(sessions, question, FORAGER, "interpret")
    other = without(FORAGER, "remember", "survey")
    error = await refused(sessions, id, other, {"remember": "aggregate"})
    assert "its node 'aggregate' needs reading, not written yet" in error.what
    error = await refused(sessions, id, other, {"remember": "recall"})
    assert "its node 'navigate' needs draw, not written yet" in error.what
    assert "--map remember=" in error.mend
    report, ran = await moved(sessions, id, other, {"remember": "survey"})
    assert ran[0] == "survey"
    assert report.status == "answered"


async def test_an_unknown_key_is_refused(sessions: Sessions, question: Question) -> None:
    id = await paused(sessions, question, FORAGER, "aggregate")
    lineage = Lineage(await sessions.context.checkpoints())
    await lineage.put_values(id, {"opinion": "a key of another Forager"})
    error = await refused(sessions, id, renamed(FORAGER, "reflect", "ponder"))
    assert "holds 'opinion', unknown to this Forager" in error.what
    report = await sessions.run(id)
    assert report.status == "failed"
    assert "holds 'opinion'" in report.error


async def test_a_checkpoint_before_an_unknown_node_fails(
    sessions: Sessions, question: Question
) -> None:
    """LangGraph ends such a run at once, as if it were done."""
    id = await paused(sessions, question, FORAGER, "aggregate")
    lineage = Lineage(await sessions.context.checkpoints())
    await lineage.put_values(id, {"branch:to:Gone": None}, without=("branch:to:Judge",))
    report = await sessions.run(id)
    assert report.status == "failed"
    assert "waits at the node 'Gone'" in report.error


async def test_a_mapping_of_a_node_that_does_not_run_next_is_refused(
    sessions: Sessions, question: Question
) -> None:
    id = await paused(sessions, question, FORAGER, "aggregate")
    error = await refused(sessions, id, FORAGER, {"select": "survey"})
    assert str(error) == "The node 'select' does not run next. Map one that does: judge."
    error = await refused(sessions, id, FORAGER, {"judge": "end"})
    assert "has no node 'end'" in error.what
    fresh = await sessions.start(question, FORAGER, "scripted")
    assert "the session has not begun" in str(
        await refused(sessions, fresh, FORAGER, {"select": "survey"})
    )
    report, _ = await moved(
        sessions, fresh, begun_at(without(FORAGER, "interpret", "remember"), "remember")
    )
    assert report.status == "answered"


async def test_a_node_of_another_type_needs_a_mapping(
    sessions: Sessions, question: Question
) -> None:
    id = await paused(sessions, question, FORAGER, "select")
    swapped = inserted(
        without(FORAGER, "recall", "navigate"),
        "recall",
        "critic",
        "answer",
        "sufficient",
        "insufficient",
    )
    error = await refused(sessions, id, swapped)
    assert "its node 'recall' is of type 'critic', not 'recaller'" in error.what
    report, ran = await moved(sessions, id, swapped, {"recall": "recall"})
    assert ran == ["recall", "answer"]
    assert report.status == "abstained"


async def test_a_finished_step_is_taken_over_before_moving(
    sessions: Sessions, question: Question
) -> None:
    """Its result leads to a node by the old graph's edge, which the new one may not have."""
    id = await paused(sessions, question, FORAGER, "aggregate")
    states = await sessions.context.checkpoints()
    graph = compile_graph(FORAGER, None, REGISTRY, Hooks(checkpointer=states))
    snapshot = await graph.aget_state({"configurable": {"thread_id": id}})
    verdict = Verdict(sufficient=True, reason="It is enough.")
    writes = [("verdict", verdict), ("branch:to:Answer", None)]
    where = {**snapshot.config["configurable"], "checkpoint_ns": ""}
    await states.aput_writes({"configurable": where}, writes, snapshot.tasks[0].id)
    other = renamed(FORAGER, "answer", "reply")
    error = await refused(sessions, id, other)
    assert "has no node 'answer'" in error.what
    report, ran = await moved(sessions, id, other, {"answer": "reply"})
    assert ran == ["reply"]
    assert report.status == "answered"


async def test_a_node_of_an_inner_graph_can_be_moved(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await paused(sessions, question, WITHIN, "walk/extract")
    other = inside(WITHIN, "walk", lambda walk: renamed(walk, "aggregate", "collect"))
    error = await refused(sessions, id, other)
    assert "has no node 'walk/aggregate'" in error.what
    assert "--map walk/aggregate=walk/collect" in error.mend
    report, ran = await moved(sessions, id, other, {"walk/aggregate": "walk/collect"})
    assert ran[0] == "walk/collect"
    assert len(set(log)) == len(log)
    once = await sessions.run(id)
    assert (report.answer, report.visited) == (once.answer, once.visited)


async def test_a_renamed_inner_graph_goes_on_where_it_was(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await paused(sessions, question, WITHIN, "walk/extract")
    other = renamed(WITHIN, "walk", "roam")
    assert "has no node 'walk/aggregate'" in (await refused(sessions, id, other)).what
    report, ran = await moved(sessions, id, other, {"walk/aggregate": "roam/aggregate"})
    assert ran[0] == "roam/aggregate"
    assert len(set(log)) == len(log)
    once = await sessions.run(id)
    assert (report.answer, report.visited) == (once.answer, once.visited)


@pytest.mark.parametrize("to", ["walk", "select", "answer"])
async def test_leaving_an_inner_graph_keeps_its_findings(
    sessions: Sessions, question: Question, to: str
) -> None:
    id = await paused(sessions, question, WITHIN, "walk/aggregate")
    found = (await sessions.show(id)).evidence
    other = inside(WITHIN, "walk", lambda walk: renamed(walk, "navigate", "wander"))
    report, ran = await moved(sessions, id, other, {"walk/navigate": to})
    assert ran[0] == ("walk/wander" if to == "walk" else to)
    assert [item.id for item in report.evidence][: len(found)] == [item.id for item in found] != []
    assert report.status == "answered"


async def test_parallel_branches_can_be_moved(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await paused(sessions, question, FANNED, "expedition/extract")
    other = inside(FANNED, "expedition", lambda walk: renamed(walk, "aggregate", "collect"))
    nodes = [each.node for each in (await sessions.forks.plan_move(id, other)).pending]
    assert all(node.startswith("expedition/") for node in nodes)
    assert "expedition/aggregate" in nodes
    assert "has no node 'expedition/aggregate'" in (await refused(sessions, id, other)).what
    mapping = {"expedition/aggregate": "expedition/collect"}
    report, ran = await moved(sessions, id, other, mapping)
    assert "expedition/collect" in ran
    assert len(set(log)) == len(log)
    once = await sessions.run(id)
    assert (report.answer, report.visited) == (once.answer, once.visited)


async def test_parallel_branches_move_to_a_renamed_graph(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await paused(sessions, question, FANNED, "expedition/extract")
    other = renamed(FANNED, "expedition", "trip")
    nodes = [each.node for each in (await sessions.forks.plan_move(id, other)).pending]
    some = {nodes[0]: nodes[0].replace("expedition", "trip")}
    if len(nodes) > 1:
        assert "has no node 'expedition/" in (await refused(sessions, id, other, some)).what
    mapping = {node: node.replace("expedition", "trip") for node in nodes}
    report, ran = await moved(sessions, id, other, mapping)
    assert ran[0].startswith("trip/")
    assert len(set(log)) == len(log)
    once = await sessions.run(id)
    assert (report.answer, report.visited) == (once.answer, once.visited)


async def test_parallel_branches_stay_parallel(sessions: Sessions, question: Question) -> None:
    id = await paused(sessions, question, FANNED, "expedition/extract")
    nodes = [each.node for each in (await sessions.forks.plan_move(id, FANNED)).pending]
    error = await refused(sessions, id, FANNED, dict.fromkeys(nodes, "select"))
    assert "its node 'select' is reached by another kind of edge" in error.what
    report, _ = await moved(sessions, id, FANNED, dict.fromkeys(nodes, "expedition"))
    assert report.status == "answered"
