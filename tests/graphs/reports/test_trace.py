"""The way of a run, as its events tell it."""

from collections import Counter

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import SessionError
from graphs.reports.trace import RunTrace
from graphs.runtime.halts import Halts
from graphs.sessions.service import Sessions
from graphs.spec.spec import END, START, GraphSpec, load_graph
from tests.graphs.fanned_graph import FANNED
from tests.graphs.scripted import loosened

FORAGER = loosened(load_graph("forager"))
SMALL = {"budget": Budget(rounds=2, steps=2)}


async def way(sessions: Sessions, id: str, spec: GraphSpec) -> RunTrace:
    found = RunTrace(spec)
    found.add_events(await sessions.events(id))
    return found


def balanced(spec: GraphSpec, found: RunTrace, within: str = "") -> None:
    """What was come to was left again, but for the graphs that branches run in."""
    for name in spec.nodes:
        place = f"{within}{name}"
        into = sum(found.edges.get(f"{within}{e}", 0) for e in spec.edges if e.target == name)
        out = sum(found.edges.get(f"{within}{e}", 0) for e in spec.edges if e.source == name)
        assert into == found.count.get(place, 0), place
        assert spec.nodes[name].type == "graph" or out == into, place


async def test_every_node_and_edge_is_counted(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    found = await way(sessions, id, FORAGER)
    points = await sessions.history.checkpoints(id)
    assert found.count == Counter(node for point in points for node in point.ran)
    balanced(FORAGER, found)
    assert set(found.node_statuses().values()) == {"done"}
    assert [ran.node for ran in found.ran] == [node for point in points for node in point.ran]
    assert found.ran[-1].edges[-1] == next(str(e) for e in FORAGER.edges if e.target == END)
    assert found.ran[0].edges == [next(str(e) for e in FORAGER.edges if e.source == START)]


async def test_the_route_taken_leads_to_the_next_node(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    found = await way(sessions, id, FORAGER)
    ways = {(edge.source, edge.route): edge.target for edge in FORAGER.edges}
    for here, there in zip(found.ran, found.ran[1:], strict=False):
        assert ways[here.node, here.route] == there.node


async def test_branches_and_their_nodes_are_counted(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FANNED, "scripted")
    await sessions.run(id)
    found = await way(sessions, id, FANNED)
    drawn = found.edges["select.arm => expedition"]
    assert drawn == found.count["expedition"] == found.edges["expedition/start -> navigate"] > 1
    assert found.edges["expedition.end -> judge"] == found.count["judge"] < drawn
    inner = FANNED.inner("expedition")
    for name in inner.nodes:
        place = f"expedition/{name}"
        own = [edge for edge in inner.edges if edge.target == name]
        assert sum(found.edges.get(f"expedition/{e}", 0) for e in own) == found.count[place]
    branches = {ran.branch for ran in found.ran if ran.node.startswith("expedition/")}
    assert len(branches) == drawn


async def test_older_sessions_show_the_likeliest_edges(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    events = await sessions.events(id)
    bare = [
        each.model_copy(update={"data": {k: v for k, v in each.data.items() if k != "route"}})
        for each in events
    ]
    found = RunTrace(FORAGER)
    found.add_events(bare)
    assert found.count == (await way(sessions, id, FORAGER)).count
    balanced(FORAGER, found)


async def test_a_rewound_run_goes_on_from_there(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    before = await way(sessions, id, FORAGER)
    await sessions.forks.continue_from(id, 8)
    await sessions.run(id)
    found = await way(sessions, id, FORAGER)
    (at,) = [each for each in await sessions.history.checkpoints(id) if each.number == 8]
    again = found.ran[len(before.ran)]
    assert (again.node,) == at.next
    assert len(again.edges) == 1
    assert again.edges[0].startswith(f"{at.ran[0]}.")


async def test_nodes_may_follow_each_other_at_the_same_time(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    await sessions.forks.continue_from(id, 8)
    await sessions.run(id)
    events = await sessions.events(id)
    began = events[0].time

    def sooner(time: float) -> float:
        return began + (time - began) / 1000

    found = RunTrace(FORAGER)
    for each in events:
        data = dict(each.data)
        if isinstance(at := data.get("time"), float):
            data["time"] = sooner(at)
        found.add_events([each.model_copy(update={"time": sooner(each.time), "data": data})])
    assert found.edges == (await way(sessions, id, FORAGER)).edges


async def test_a_new_turn_starts_a_new_trace(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    first = await way(sessions, id, FORAGER)
    await sessions.follow(id, "And his wife?")
    await sessions.run(id)
    second = await way(sessions, id, FORAGER)
    assert (first.turn, second.turn) == (1, 2)
    assert second.edges[first.ran[0].edges[0]] == 1


async def test_a_failed_node_has_that_status(
    sessions: Sessions, question: Question, faults: list[Exception | None]
) -> None:
    faults += [SessionError("Out of order.", "Mend it.")] * 9
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    found = await way(sessions, id, FORAGER)
    assert found.node_statuses()[found.ran[-1].node] == "failed"
    faults.clear()
    await sessions.run(id)
    balanced(FORAGER, await way(sessions, id, FORAGER))


async def test_edges_tell_what_went_through_them_and_where_the_run_halted(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id, halts=Halts(before=frozenset({"judge"})))
    halted = await way(sessions, id, FORAGER)
    assert halted.waiting == ("judge",)
    await sessions.run(id)
    found = await way(sessions, id, FORAGER)
    assert found.waiting == ()
    for ran in found.ran[:-1]:
        told = [each.message for each in found.ran if each.node == ran.node]
        edge = next(e for e in FORAGER.edges if (e.source, e.route) == (ran.node, ran.route))
        assert found.carried.get(str(edge), "") in {*told, ""}
    assert any(found.carried.values())
